/** The part of adapters: what strangers and providers send, read by the code that reads it in a receiver. */
import fc from 'fast-check';
import { openAtOnce } from '../part.ts';
import type { Part } from '../part.ts';
import { bodies, findBodyFaults } from './bodies.ts';
import type { BodyInput } from './bodies.ts';
import { findSignatureFaults, signatures } from './signatures.ts';
import type { SignatureInput } from './signatures.ts';

type Input = { signature: SignatureInput } | { body: BodyInput };

export const adapters: Part<Input> = {
  name: 'adapters',
  inputs: fc.oneof(
    signatures.map((signature) => ({ signature })),
    bodies.map((body) => ({ body })),
  ),
  perRound: 2_000,
  open: openAtOnce((input) =>
    'signature' in input ? findSignatureFaults(input.signature) : findBodyFaults(input.body),
  ),
};
