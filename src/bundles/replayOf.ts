import { isObject } from '../common/guards.js';
import type { JsonValue } from '../common/types.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import type { SessionJson } from '../session/sessionJson.js';
import type { Message } from '../value/Message.js';
import type { Bundle, BundleEntry } from './BundleEntry.js';

/** The beginning of a run of a bundle, and its whole conversation. */
export interface BundleReplay {
  readonly run: string;
  /** `ns/key`. */
  readonly prompt: string;
  /** The values to bind to the prompt, by the names of their classes, without secrets; undefined if there are none. */
  readonly params?: Readonly<Record<string, JsonValue>> | undefined;
  /** For `new ReplayModel(…)`: the whole conversation. */
  readonly transcript: readonly Message[];
  /** For the option `messages` of `app.evaluate`. */
  readonly messages: readonly Message[];
  /** For `Session.fromJSON`: the session before the run, without logs and values that could not be written. */
  readonly session: SessionJson;
  /** The answer; null if there is none. */
  readonly text: string | null;
}

/**
 * Reads the parts of a bundle that replay one of its runs.
 *
 * @param run its id; the first run that has ended when left out
 * @throws ToolwrightError E752
 */
export function replayOf(bundle: Bundle, run?: string): BundleReplay {
  const ends = bundle.entries.filter((entry) => entry.kind === 'end');
  // A run that waited for a reply begins and ends again with the same id.
  const end =
    run === undefined ? ends.find(({ how }) => how === 'answered') : ends.findLast((entry) => entry.run === run);
  const id = run ?? end?.run ?? '';
  const begun = bundle.entries.find((entry): entry is BundleEntry<'run'> => entry.kind === 'run' && entry.run === id);
  const first = bundle.entries.find(
    (entry): entry is BundleEntry<'request'> => entry.kind === 'request' && entry.run === id && entry.turn === 1,
  );
  if (end === undefined) throw createReplayError(id, 'no such run has ended in the bundle');
  if (first?.leftOut !== undefined || end.leftOut !== undefined)
    throw createReplayError(id, 'its messages are not in the bundle, since they were too large for a line');
  if (bundle.entries.some((entry) => isStateLeftOut(entry, begun, first)))
    throw createReplayError(id, 'the state of its session is not in the bundle, since it was too large for a line');
  if (begun?.leftOut !== undefined)
    throw createReplayError(id, 'the params of its prompt are not in the bundle, since they were too large for a line');
  if (begun === undefined || first?.messages === undefined || end.messages.length === 0)
    throw createReplayError(id, 'its beginning was not recorded');
  const last = end.messages.at(-1);
  return {
    run: id,
    prompt: begun.prompt,
    params: begun.params,
    transcript: end.messages,
    messages: first.messages.map(removeMarks),
    session: restoreSessionBefore(bundle, begun, first.seq),
    text: last?.role === 'assistant' ? last.content : null,
  };
}

function isStateLeftOut(
  entry: BundleEntry,
  run: BundleEntry<'run'> | undefined,
  first: BundleEntry<'request'> | undefined,
): boolean {
  const isOfRun = entry.kind === 'state' && entry.session === run?.session && entry.seq < (first?.seq ?? 0);
  return isOfRun && entry.leftOut !== undefined;
}

function restoreSessionBefore({ entries }: Bundle, { session: id }: BundleEntry<'run'>, seq: number): SessionJson {
  const slices = Object.entries(stateAt(entries, id, seq)).filter(
    ([, values]) => values.length > 0 && values.every((value) => isObject(value)),
  );
  const head = { format: 'toolwright/session', version: 1, id, parentId: null, tags: {} } as const;
  return { ...head, slices: Object.fromEntries(slices) };
}

/** Marks that only Toolwright sets are refused in the messages of a caller. */
function removeMarks(message: Message): Message {
  if (message.role !== 'user') return message;
  const { note: _note, tools: _tools, ...said } = message;
  return said;
}

/**
 * Returns the values of a session's slices by their names, as they were before an entry. The time grows with the number of
 * entries and values alone.
 *
 * @param session its id
 * @param before the `seq` of the entry; the state at the end when left out
 */
export function stateAt(
  entries: readonly BundleEntry[],
  session: string,
  before = Number.POSITIVE_INFINITY,
): Readonly<Record<string, readonly JsonValue[]>> {
  const slices = new Map<string, JsonValue[]>();
  for (const entry of entries) {
    if (entry.seq >= before) break;
    if (entry.kind !== 'state' || entry.session !== session) continue;
    for (const [name, values] of Object.entries(entry.replaced ?? {})) slices.set(name, [...values]);
    for (const [name, values] of Object.entries(entry.appended ?? {})) {
      const slice = slices.get(name);
      if (slice === undefined) slices.set(name, [...values]);
      // To one list: a copy for each entry would cost the square of their number.
      else for (const value of values) slice.push(value);
    }
  }
  return Object.fromEntries(slices);
}

function createReplayError(run: string, problem: string): ToolwrightError {
  return createPlacedError(problem, { code: 'E752', place: run === '' ? 'the bundle' : `run ${run}` });
}
