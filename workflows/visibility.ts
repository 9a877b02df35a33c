/** What lists of workflows can be searched by; set only when it changes, since each change is an event (R58). */
import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { Plan } from '../src/ordering/plan.ts';

const STATUS = defineSearchAttributeKey('InorderStatus', 'KEYWORD');
const ATTENTION = defineSearchAttributeKey('InorderAttention', 'KEYWORD_LIST');
const SOURCE = defineSearchAttributeKey('InorderSource', 'KEYWORD_LIST');

/** A list that is too long would end the workflow. */
const MOST_SOURCES = 20;

export class Visibility {
  private status = '';
  private attention = '';
  private sources = '';

  show(now: Plan['visibility']): void {
    const attention = now.attention.join();
    const sources = now.sources.join();
    const changed = [];
    if (now.status !== this.status) changed.push({ key: STATUS, value: now.status });
    if (attention !== this.attention)
      changed.push({ key: ATTENTION, value: now.attention.length === 0 ? null : now.attention });
    if (sources !== this.sources) changed.push({ key: SOURCE, value: now.sources.slice(0, MOST_SOURCES) });
    if (changed.length === 0) return;
    this.status = now.status;
    this.attention = attention;
    this.sources = sources;
    upsertSearchAttributes(changed);
  }
}
