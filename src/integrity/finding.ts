/** What a comparison of stored rows finds: two rows that contradict each other, or one without its other half. */
import { workflowIdOf } from '../temporal/workflow-id.ts';
import type { OrderKey } from '../ordering/state.ts';

export type FindingAbout =
  'order' | 'journal' | 'event' | 'effect' | 'link' | 'body' | 'delivery' | 'machine' | 'cursor';

export interface StoreFinding {
  about: FindingAbout;
  /** Which: an order by its key, an event by its source and id, an effect by its key. */
  of: string;
  /** In words; no value of a body. */
  seen: string;
  /** What to do. */
  fix: string;
}

export type Tell = (finding: StoreFinding) => void;

export const nameOfOrder = (key: OrderKey): string => workflowIdOf(key);
export const nameOfEvent = ({ source, event }: { source: string; event: string }): string =>
  `${source}/${event}`;

/** Rows of one transaction do not come apart by themselves. */
export const BACKUP =
  'rows of one transaction came apart: compare with a backup before anything is changed; see docs/doctor.md';
