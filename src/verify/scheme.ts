/** What is worth saying about one way of signing, beside what its adapter says. */
import type { RawDelivery } from '../providers/provider.ts';
import type { Signings } from './signing-mistakes.ts';

export interface Scheme {
  /** How a good request looks, for whoever has none. */
  looks: string;
  /** The instant under the signature, in seconds since 1970; null when it cannot be read. */
  signedAtSeconds(delivery: RawDelivery): number | null;
  /** What is odd about its headers, each in a sentence. */
  oddHeaders(delivery: RawDelivery): string[];
  /** What is odd about the looks of a secret; never repeats it. */
  oddSecret(secret: string): string | null;
  /** What its sender may have done instead; null when the header holds nothing to compare with. */
  signings(delivery: RawDelivery, secret: string): Signings | null;
}
