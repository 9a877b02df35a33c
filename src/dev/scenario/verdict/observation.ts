/** What came out of a story, however it was played: what the judge compares with what the story expects. */

export interface ObservedOrder {
  id: string;
  status: string;
  bearer: string | null;
  attention: { kind: string; stream: string | null; reason: string }[];
  /** In order. */
  journal: ObservedEntry[];
}

export interface ObservedEntry {
  kind: string;
  stream: string | null;
  type: string | null;
  version: string | null;
  from: string;
  to: string;
  reason: string | null;
  /** `<source>/<event>` */
  cause: string | null;
}

export interface ObservedEvent {
  source: string;
  id: string;
  order: string | null;
  /** null: stored, and not taken. */
  outcome: string | null;
  reason: string | null;
  /** How many requests brought it. */
  deliveries: number;
  version: string | null;
  /** The id of the secret that confirmed it; null where nothing was signed. */
  secret: string | null;
  /** How often its provider was asked for its order. */
  attempts: number;
}

export interface ObservedEffect {
  name: string;
  order: string;
  key: string;
  /** Of its row. */
  state: string;
  /** Its receiver did it; once for each key. */
  isDone: boolean;
  /** That its receiver got. */
  calls: number;
  /** What the receiver of effects really got; null: nothing. */
  body: unknown;
}

export interface Observation {
  orders: ObservedOrder[];
  events: ObservedEvent[];
  effects: ObservedEffect[];
  /** Requests to each source's API. */
  asked: Record<string, number>;
  /** Refused deliveries by their code. */
  refused: Record<string, number>;
}
