/** The shape of a part of the fuzz run: what is made up, and what must hold of it. */
import type fc from 'fast-check';

export const PART_NAMES = ['receiver', 'adapters', 'core', 'states'] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface Part<Input> {
  name: PartName;
  /** Inputs are plain JSON, so that a failing one can be written down and tried again. Bytes are `latin1` texts. */
  inputs: fc.Arbitrary<Input>;
  /** Inputs between two looks at what only shows over many. */
  perRound: number;
  open(): Promise<OpenPart<Input>>;
}

export interface OpenPart<Input> {
  /** What must not be, in words; empty: all is well. What it throws must not be, either. */
  findFaults(input: Input): string[] | Promise<string[]>;
  /** The same of all inputs since the last look: memory, what is stored. */
  findFaultsOfRound?(): Promise<string[]>;
  close(): Promise<void>;
}

/** For parts that need no server. */
export const openAtOnce =
  <Input>(findFaults: OpenPart<Input>['findFaults']) =>
  (): Promise<OpenPart<Input>> =>
    Promise.resolve({ findFaults, close: () => Promise.resolve() });
