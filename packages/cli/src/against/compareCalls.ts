import type { BundleEntry } from 'toolwright/bundles';
import { listCauses } from '../errors.js';
import { messageOf } from 'toolwright/internal/light';
import { excerpt, type Difference } from './excerpt.js';
import { listCalls, type RecordedCall } from './recordedCalls.js';
import type { Replayed } from './replayRun.js';
import type { RunChange } from './RunChange.js';

type Outcome = BundleEntry<'outcome'>;

/** A difference of a call, with the recorded entry that it is about. */
export type CallChange = Difference & Pick<RunChange, 'kind'> & { readonly entry: BundleEntry };

/** Compares each call of the recorded run with the same call of the replay. */
export function compareCalls(replayed: Replayed, timeoutMs: number): readonly CallChange[] {
  const came = listCalls(replayed, replayed.run);
  return [...replayed.calls].flatMap(([id, recorded]): readonly CallChange[] => {
    const change = compareCall(recorded, came.get(id), replayed, timeoutMs);
    return change === undefined ? [] : [{ ...change, where: recorded.call.name, entry: recorded.call }];
  });
}

function compareCall(
  { outcome: before, call, isHidden }: RecordedCall,
  came: RecordedCall | undefined,
  { answered, error }: Replayed,
  timeoutMs: number,
): Pick<CallChange, 'kind' | 'what' | 'recorded' | 'now'> | undefined {
  // A call that was parked or never ended has no outcome to compare with, and a replay that ended early did not make it.
  if (before === undefined || before.outcome === 'thrown' || came === undefined) return undefined;
  const after = came.outcome;
  if (after === undefined || hasNotEnded(came)) {
    const problem = isTimeout(error) ? `not ended within ${String(timeoutMs / 1_000)} s` : 'it ended the run';
    return { kind: 'outcome', what: `${before.outcome}, now ${problem}` };
  }
  if (after.outcome === 'rejected' && before.outcome !== 'rejected' && !isHidden)
    return { kind: 'arguments', what: `refused now: ${listIssues(after.text)}`, recorded: writeArguments(call) };
  if (answered.has(call.callId)) return undefined;
  if (after.outcome !== before.outcome)
    return {
      kind: 'outcome',
      what: `${before.outcome}, now ${after.outcome}`,
      ...excerpt(before.text, after.text),
    };
  const [was, is] = makeComparable(before, after);
  const isCut = before.leftOut?.includes('text') === true;
  if (isCut ? is.startsWith(was) : was === is) return undefined;
  return { kind: 'outcome', what: 'another result', ...excerpt(was, is) };
}

/** Describes how the replay ended, if the recorded run was answered and the replay was not; undefined if a call ended it. */
export function compareEnds(end: BundleEntry<'end'>, { entries, run, error }: Replayed): CallChange | undefined {
  if (end.how !== 'answered' || error === undefined) return undefined;
  if ([...listCalls({ entries }, run).values()].some(hasNotEnded)) return undefined;
  const isScriptOver = listCauses(error).some((cause) => (cause as { readonly code?: unknown }).code === 'E703');
  const [first] = messageOf(error).split('\n', 1);
  const what = isScriptOver ? 'the model is asked again after its last answer' : `now it fails: ${first ?? ''}`;
  return { kind: 'outcome', where: 'the run', what, entry: end };
}

function hasNotEnded({ outcome }: RecordedCall): boolean {
  return outcome === undefined || outcome.outcome === 'thrown';
}

/** Checks whether a replay ended because its time was over. */
function isTimeout(error: unknown): boolean {
  return listCauses(error).some((cause) => (cause as { readonly code?: unknown }).code === 'E605');
}

/** Removes parts that differ in each replay: the ids of masked errors, and feedback whose time has not come. */
function makeComparable(before: Outcome, after: Outcome): readonly [string, string] {
  const [was, is] = [before, after].map(({ outcome, text }) => (outcome === 'failed' ? hideErrorIds(text) : text));
  const isEarly = GUIDANCE.test(was ?? '') && !GUIDANCE.test(is ?? '');
  return [isEarly ? (was ?? '').replace(GUIDANCE, '') : (was ?? ''), is ?? ''];
}

/** Feedback at the end of a result. It may depend on the time, and on calls of earlier runs. */
const GUIDANCE = /(?:(?:^|\n\n)\[Guidance: [^]*\])$/;

function hideErrorIds(text: string): string {
  return text.replace(/\berror (?:in a rehearsal|[\w-]{8,})/g, 'error …');
}

/** The issues within the text that refuses arguments: `limit: must be at most 10, got 20`. */
function listIssues(text: string): string {
  const issues = text.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  return issues.length === 0 ? text : issues.join('; ');
}

function writeArguments({ arguments: given }: BundleEntry<'call'>): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}
