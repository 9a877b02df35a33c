/** The page about a proof. */
import type { Proof } from './proof.ts';
import { describeProof } from './report.ts';

export async function writePage(proof: Proof): Promise<string> {
  return describeProof(proof).join('\n');
}
