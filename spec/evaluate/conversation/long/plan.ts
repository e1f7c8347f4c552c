import type { HousePlace } from '../../../support/houseAdapters';

/** One conversation of the story with its copies, and the doubles that answer it. */
export interface Lane {
  readonly name: string;
  /** A double for each branch, and one of another provider: `guest`. */
  readonly houses: Readonly<Record<string, HousePlace>>;
  /** Other models of its provider. */
  readonly models: Readonly<Record<'other' | 'older', string>>;
  /** True if the first run declares the form of its answer. */
  readonly beginsWithForm: boolean;
}

/** A run of a branch. */
export interface RunStep {
  readonly kind: 'run';
  /** Branch and number, e.g. `main.3`. */
  readonly run: string;
  readonly branch: string;
  /** The tools that the model calls in each turn; none in the last one. */
  readonly turns: readonly (readonly string[])[];
  /** True if the answer has a declared form. */
  readonly form?: boolean;
  readonly streams?: boolean;
  /** True if a call that was cut off asks what became of it; it is repeated otherwise. */
  readonly asks?: boolean;
  readonly model?: 'other' | 'older' | 'guest';
  /** The branch that is copied from this one while the run waits for an approval. */
  readonly copiedAs?: string;
}

/** A copy of a branch. */
export interface ForkStep {
  readonly kind: 'fork';
  readonly branch: string;
  readonly of: string;
  readonly before?: string;
}

export type Step = RunStep | ForkStep;

type RunShape = Omit<RunStep, 'kind' | 'run' | 'branch'>;

/** As long as a busy machine may take. */
export const LOCK_TIMEOUT_MS = 120_000;

/** The branches of each lane. */
export const BRANCHES = ['main', 'whole', 'before', 'parked'] as const;

const CYCLE: readonly RunShape[] = [
  { turns: [['look'], []] },
  { turns: [['open'], ['send'], []] },
  { turns: [['look', 'stamp'], []] },
  { turns: [['look'], []], form: true },
  { turns: [['look'], ['pay'], []] },
  { turns: [['look'], ['stamp', 'look'], ['send'], ['stamp'], []], asks: true },
  { turns: [['look', 'stamp'], []], streams: true },
  { turns: [['stamp'], []], form: true },
  { turns: [['pay', 'stamp', 'pay'], []], streams: true },
];

/** Runs of a copy. */
const APART: readonly RunShape[] = [
  { turns: [['open'], ['mend'], []] },
  { turns: [['look', 'stamp'], []], form: true },
  { turns: [['pay'], ['look'], []] },
];

/** The section that the n-th opening opens: of the conversation, and of its copies. */
const OPENED = ['returns', 'gifts'] as const;
const OPENED_APART = 'repairs';

/** What happens in a lane, in order: the same in each process. */
export function planLane({ beginsWithForm }: Pick<Lane, 'beginsWithForm'>, turns: number): readonly Step[] {
  const shapes: RunShape[] = beginsWithForm ? [{ turns: [['look'], []], form: true }] : [];
  const lengthOf = (): number => shapes.reduce((sum, shape) => sum + shape.turns.length, 0);
  for (let at = 0; lengthOf() < turns; at++) shapes.push(shapeAt(at));
  const count = shapes.length;
  const modelAt = (at: number): RunShape => {
    const share = at / count;
    if (share < 0.4 || share >= 0.7) return {} as RunShape;
    return { model: share < 0.5 ? 'other' : share < 0.6 ? 'guest' : 'older' } as RunShape;
  };
  const parks = shapes.findIndex((shape, at) => at >= count * 0.2 && shape.turns.flat().includes('pay'));
  const runs = shapes.map((shape, at): RunStep => ({
    kind: 'run',
    run: nameRun('main', at),
    branch: 'main',
    ...shape,
    ...modelAt(at),
    ...(at === parks ? { copiedAs: 'parked' } : {}),
  }));
  const apart = (branch: string, at: number): RunStep => ({
    kind: 'run',
    run: nameRun(branch, at),
    branch,
    ...(APART[at] as RunShape),
  });
  const after = new Map<number, Step[]>();
  const add = (share: number, ...steps: readonly Step[]): void => {
    const at = Math.min(count - 1, Math.floor(count * share));
    after.set(at, [...(after.get(at) ?? []), ...steps]);
  };
  const waiting = runs[parks];
  if (waiting === undefined) throw new TypeError('No run of the plan waits for an approval.');
  add((parks + 1) / count, { ...waiting, branch: 'parked' });
  add(0.3, { kind: 'fork', branch: 'whole', of: 'main' }, apart('whole', 0));
  add(0.55, apart('whole', 1));
  add(0.75, { kind: 'fork', branch: 'before', of: 'main', before: nameRun('main', Math.floor(count * 0.25)) });
  add(0.75, apart('parked', 0), apart('before', 0));
  add(0.9, apart('whole', 2), apart('before', 1), apart('parked', 1));
  return runs.flatMap((run, at): Step[] => [run, ...(after.get(at) ?? [])]);
}

function shapeAt(at: number): RunShape {
  const cycle = Math.floor(at / CYCLE.length);
  const shape = CYCLE[at % CYCLE.length] as RunShape;
  const nameOf = (name: string): string => {
    // What is open stays open.
    if (name === 'open' && cycle >= OPENED.length) return 'look';
    return name === 'send' && cycle % 2 === 1 ? 'wrap' : name;
  };
  return { ...shape, turns: shape.turns.map((names) => names.map(nameOf)) };
}

function nameRun(branch: string, at: number): string {
  return `${branch}.${String(at + 1)}`;
}

/** The section that a run opens. */
export function sectionOpenedIn(run: string): string {
  const [branch, at] = run.split('.');
  return branch === 'main' ? (OPENED[Math.floor(Number(at) / CYCLE.length)] ?? OPENED[0]) : OPENED_APART;
}

/** Words that make a text longer. */
export const WORDS = 'and this is said so that the history grows until it has to be summarised. ';

/**
 * Marks in texts, such as `s:17;`, each in one text alone: `q` and a branch of users, `s` of the model for what it says, `c` and a
 * position for its calls, `t` for its thoughts, `r` and a position for results. In a summary, one number has the bit of each of them.
 */
export function marksIn(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const summed = [...text.matchAll(/\b([a-z]+\d?)#([\da-f]+)/g)].flatMap(([, kind = '', bits = '']) =>
    serialsIn(BigInt(`0x${bits}`)).map((serial) => markOf(kind, serial)),
  );
  return [...summed, ...[...text.matchAll(MARK)].map(([mark]) => mark)];
}

function serialsIn(bits: bigint): readonly number[] {
  const { length } = bits.toString(2);
  return Array.from({ length }, (_none, at) => at).filter((at) => (bits >> BigInt(at)) % 2n === 1n);
}

const MARK = /\b([a-z]+\d?):(\d+);/g;

export function markOf(kind: string, serial: number): string {
  return `${kind}:${String(serial)};`;
}

/** The mark in the message of a run. */
export function questionOf(run: string): string {
  const [branch = '', at] = run.split('.');
  return markOf(`q${branch}`, Number(at));
}

/** Says which marks a summary stands for. */
export function sumMarks(marks: readonly string[]): string {
  const kinds = new Map<string, bigint>();
  for (const [, kind = '', serial = ''] of marks.join('').matchAll(MARK))
    kinds.set(kind, (kinds.get(kind) ?? 0n) | (1n << BigInt(serial)));
  return [...kinds].map(([kind, bits]) => `${kind}#${bits.toString(16)}`).join(' ');
}

/** The id of a call, which says where it belongs. */
export function nameCall(run: string, turn: number, serial: number, index: number): string {
  return `call_${run.replace('.', '_')}_${String(turn)}_${String(serial)}x${String(index)}`;
}

/** The run and the turn that a request asks for, by the last mark in it. */
export function placeOf(messages: unknown): { readonly run: string; readonly turn: number } {
  const places = [...JSON.stringify(messages).matchAll(/q([a-z]+):(\d+);|call_([a-z]+)_(\d+)_(\d+)_/g)];
  const [, asked, at, branch, number, turn] = places.at(-1) ?? [];
  if (asked !== undefined) return { run: `${asked}.${String(at)}`, turn: 1 };
  if (branch === undefined) throw new TypeError('A request belongs to no run.');
  return { run: `${branch}.${String(number)}`, turn: Number(turn) + 1 };
}

/** The name of a conversation in the store. */
export function nameConversation(lane: string, branch: string): string {
  return `${lane} ${branch}`;
}

/** What an entry of a record holds, in few words. */
export function describeEntry(entry: { readonly kind: string }): string {
  return `${entry.kind} ${marksIn(entry).join('')}`;
}
