/**
 * A counterexample of the model checker as a story file: what it tells arrives in the same way, and what should have come
 * out is expected. It fails on the table that was checked, in memory and on the real stack, and passes once that is
 * mended.
 */
import { stringify } from 'yaml';
import { endOf } from '../../ordering/check/ending.ts';
import { START } from '../../ordering/check/explore.ts';
import { act, newWorld } from '../../ordering/check/model.ts';
import type { Copy, Happening, Model, World } from '../../ordering/check/model.ts';
import { rest } from '../../ordering/check/rest.ts';
import type { CounterexampleStory } from '../../ordering/check/tell.ts';
import { objectOf, sourceOf } from '../../ordering/fresh-state.ts';
import type { Machine } from '../../ordering/machine.ts';
import type { SourcePolicy } from '../../ordering/state.ts';
import { sandbox } from '../../providers/sandbox.ts';

const ORDER = '1';
/** Short, so that a story in which something is waited for takes a second. */
const GAP_TIMEOUT = '400ms';

type Fields = Record<string, unknown>;

/** The file's text. */
export function storyOfCounterexample(found: CounterexampleStory, machine: Machine): string {
  const names = Object.keys(found.sources);
  const asked = names.filter((name) => found.sources[name]?.api === true);
  const story = {
    name: found.summary,
    about: `Found by the model checker. ${found.change}`,
    order: ORDER,
    machine: machine.name,
    sources: Object.fromEntries(
      names.map((name) => [name, sourceFields(found.sources[name] as SourcePolicy, ownWords(found.story))]),
    ),
    // What is true is said step by step; that it can be asked is said here.
    ...(asked.length === 0 ? {} : { truth: Object.fromEntries(asked.map((name) => [name, {}])) }),
    deliveries: stepsOf(found),
    expect: { order: expectationOf(found, machine) },
  };
  return stringify(story, { lineWidth: 110, aliasDuplicateObjects: false });
}

function sourceFields({ contract, first }: SourcePolicy, types: Fields): Fields {
  const known = Object.keys(types).length === 0 ? {} : { types };
  return { provider: 'sandbox', contract, first, gapTimeout: GAP_TIMEOUT, ...known };
}

/** Words that only the table has: a source takes them as they are, if it is told so. */
function ownWords(story: Happening[]): Fields {
  const told = story.flatMap(({ type }) => (type === null || sandbox.types[type] === type ? [] : [type]));
  return Object.fromEntries(told.map((type) => [type, type]));
}

// ---- what arrives ----

function stepsOf({ story, copies, way, sources }: CounterexampleStory): Fields[] {
  const canBeAsked = (stream: string) => sources[sourceOf(stream)]?.api === true;
  const steps: Fields[] = [];
  let left = copies;
  let happened = 0;
  const happen = (upTo: number): void => {
    for (let at = happened; at < upTo; at++) steps.push(...toldAs(story, at, canBeAsked));
    happened = Math.max(happened, upTo);
  };
  // Without it in the way, all has happened before anything arrives.
  if (!way.some((action) => action.do === 'happen')) happen(story.length);
  for (const action of way) {
    switch (action.do) {
      case 'happen':
        happen(happened + 1);
        break;
      case 'deliver': {
        const picked = action.copies.map((index) => left[index] as Copy);
        left = left.filter((_, index) => !action.copies.includes(index));
        steps.push(...picked.map((copy) => deliveryOf(story, copy)));
        break;
      }
      default:
        // An answer, or a timer: what is due then is waited for.
        steps.push({ until: { settled: true } });
    }
  }
  happen(story.length);
  const told = new Set(deliveredOf({ copies, way }).map(({ happening }) => happening));
  // What was lost comes to light when the provider is asked once more.
  if (told.size < story.length && told.size > 0 && Object.values(sources).some(({ api }) => api))
    steps.push({ until: { settled: true } }, { person: 'reconcile', by: 'story', reason: 'what was lost' });
  return steps;
}

/** What arrives at all: the rest is lost. */
function deliveredOf({ copies, way }: Pick<CounterexampleStory, 'copies' | 'way'>): Copy[] {
  let left = copies;
  return way.flatMap((action) => {
    if (action.do !== 'deliver') return [];
    const picked = left.filter((_, index) => action.copies.includes(index));
    left = left.filter((_, index) => !action.copies.includes(index));
    return picked;
  });
}

/** What the provider's API answers from then on. */
function toldAs(story: Happening[], at: number, canBeAsked: (stream: string) => boolean): Fields[] {
  const { stream, type, payment, version, facts } = story[at] as Happening;
  if (!canBeAsked(stream)) return [];
  const answer = {
    type,
    version: version ?? String(at + 1),
    ...(payment === null ? {} : { payment }),
    facts,
    parts: refundsUpTo(story, at),
  };
  return [{ truth: { [sourceOf(stream)]: { [objectOf(stream)]: answer } } }];
}

function refundsUpTo(story: Happening[], at: number): Fields[] {
  const { stream } = story[at] as Happening;
  const heard = story.slice(0, at + 1).filter((one) => one.stream === stream);
  const failed = new Set(
    heard.filter(({ type }) => type === 'refund.failed').map(({ facts }) => facts['refund']),
  );
  return heard
    .filter(({ type, facts }) => type !== 'refund.failed' && facts['refund'] !== undefined)
    .filter(({ facts }) => !failed.has(facts['refund']))
    .map(({ type, facts }) => ({ type, facts }));
}

function deliveryOf(story: Happening[], { happening, id, other }: Copy): Fields {
  const { stream, type, payment, version, claimedAt, facts } = story[happening] as Happening;
  return {
    source: sourceOf(stream),
    // A conflict comes under the id of the true one.
    event: `e${other === 'conflict' ? happening : id}`,
    type,
    object: objectOf(stream),
    order: ORDER,
    ...(payment === null ? {} : { payment }),
    // The sandbox numbers what it tells; where versions promise nothing, nobody looks at it.
    version: version ?? String(happening + 1),
    ...(claimedAt === null ? {} : { time: claimedAt }),
    facts: other === undefined ? facts : { ...facts, told: 'otherwise' },
  };
}

// ---- what should come of it ----

function expectationOf(found: CounterexampleStory, machine: Machine): Fields {
  const { should, ending } = found;
  const right = inOrder(found, machine);
  const effects = effectsOf(found, machine, right);
  const counted = Object.keys(effects).length === 0 ? {} : { effects };
  if (should?.length === 0) return { attention: kindsOf(right) };
  const isWrong = should !== null && !should.includes(ending);
  if (isWrong) return { status: should[0], attention: [], ...counted };
  return { status: right.state.status, attention: kindsOf(right), ...counted };
}

/** Of the effects that the checker complains about, how often each should have run. */
function effectsOf(
  { problems }: CounterexampleStory,
  machine: Machine,
  right: World,
): Record<string, number> {
  const effects: Record<string, number> = {};
  const counts = countsOf(right);
  for (const problem of problems) {
    const name = Object.keys(machine.effects).find((one) =>
      problem.replace('all again: ', '').startsWith(`${one} `),
    );
    if (name === undefined) continue;
    const times = effects[name] ?? counts[name] ?? 0;
    // Counted by a fact that nothing has: whatever came in which order, it should not have run.
    effects[name] = problem.includes(' ran for ') ? Math.max(0, times - 1) : times;
  }
  return effects;
}

const kindsOf = ({ state }: World): string[] => [...new Set(state.attention.map(({ kind }) => kind))];

function countsOf({ effects }: World): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of Object.values(effects)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Everything that arrives at all arrives once, as it happens, and is answered at once. */
function inOrder({ story, copies, way, sources }: CounterexampleStory, machine: Machine): World {
  const model: Model = { machine, sources, story, versionedAnswers: true };
  const once = deliveredOf({ copies, way }).filter(
    ({ happening, other }, at, all) =>
      other === undefined && all.findIndex((one) => one.happening === happening) === at,
  );
  let world = newWorld(model, once, START);
  for (const happening of story.keys()) {
    world = act(model, world, { do: 'happen' });
    const at = world.left.findIndex((copy) => copy.happening === happening);
    if (at >= 0) world = rest(model, act(model, world, { do: 'deliver', copies: [at] }));
  }
  return endOf(model, world, once);
}
