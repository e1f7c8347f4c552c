import { setTimeout as sleep } from 'node:timers/promises';
import { InjectedFailure } from 'toolwright/testing';
import type { Approver } from 'toolwright/policies';
import type { RenderedTool } from 'toolwright/internal';
import { MAX_THROWN_WRITES, SHORT_TIMEOUT_MS } from '../limits.js';
import type { Bench, Made, World } from './Bench.js';
import { failResources, failSession, isInjected } from './countWrites.js';
import { stopCall } from './holdHandler.js';
import { compareWorlds, isUntouched, judgeFailure, judgeUntouched, listTrace, skip, type Judged } from './judge.js';
import type { Fault } from './ProofSheet.js';
import { isEmpty } from './Snapshot.js';

/** One tool under test, with arguments of a call that succeeds. */
export interface Subject {
  readonly tool: RenderedTool;
  readonly args: string;
  /** Hostile arguments, as JSON. */
  readonly hostile: readonly string[];
  readonly timeoutMs: number;
  /** Opens an application of its own. It is closed after the fault. */
  readonly open: (approver?: Approver) => Promise<Bench>;
}

/** Each fault needs a call that would succeed, in an application that has not seen it. */
const NOT_AGAIN =
  'The call did not succeed again. Export a function that creates the application and its data anew each time.';

type Apply = (subject: Subject) => Promise<Judged>;

/** Applies each fault that needs no other process. */
export const faults: Readonly<Record<Exclude<Fault, 'kill'>, Apply>> = {
  call: judgeCall,
  throw: throwAfterWrites,
  timeout: (subject) => stopHandler(subject, 'timeout'),
  cancel: (subject) => stopHandler(subject, 'cancel'),
  double: deliverTwice,
  conflict: causeConflict,
  denied: denyApproval,
  hostile: sendHostile,
};

async function judgeCall({ tool: { name, hints }, args, open }: Subject): Promise<Judged> {
  const bench = await open();
  const before = await bench.look();
  const { outcome } = await bench.call(name, args);
  if (outcome?.kind !== 'succeeded') return skip(NOT_AGAIN);
  const left = compareWorlds(before, await bench.look());
  const trace = listTrace(left);
  if (hints.readOnly === true)
    return judgeUntouched(left, 'The call succeeded.', 'readOnly: true: a call changes nothing');
  // Filling an empty list or object removes nothing.
  const removed = [...left.inside, ...left.outside].filter(
    ({ before: was, after }) => after === undefined && !isEmpty(was),
  );
  if (hints.destructive === false && removed.length > 0)
    return {
      mark: 'trace',
      note: 'The call removed something.',
      trace,
      broken: 'destructive: false: a call only adds',
    };
  return isUntouched(left)
    ? { mark: 'none', note: 'The call succeeded, and no change can be seen.', trace }
    : { mark: 'trace', note: 'The call succeeded. These changes are its work.', trace };
}

async function throwAfterWrites(subject: Subject): Promise<Judged> {
  const { tool, args, open } = subject;
  const { name, hints } = tool;
  const results: Judged[] = [];
  let thrown = 0;
  for (const kind of ['session', 'resources'] as const)
    for (let n = 1; n <= MAX_THROWN_WRITES; n++) {
      const bench = await open();
      if (kind === 'session') failSession(bench, n);
      const resources = kind === 'session' ? [] : await failResources(bench, n);
      const before = await bench.look();
      const { outcome } = await bench.call(name, args, { resources });
      if (outcome === undefined || outcome.kind === 'succeeded' || !isInjected(outcome.error)) break;
      thrown++;
      results.push(judgeFailure(compareWorlds(before, await bench.look()), hints, outcome));
    }
  const bench = await open();
  bench.intercept(async (_call, next) => {
    await next();
    throw new InjectedFailure('injected after the handler');
  });
  const before = await bench.look();
  const { outcome } = await bench.call(name, args);
  if (outcome !== undefined && (outcome.kind === 'succeeded' || !isInjected(outcome.error))) return skip(NOT_AGAIN);
  results.push(judgeFailure(compareWorlds(before, await bench.look()), hints, outcome));
  const worst = chooseWorst(results);
  return { ...worst, note: `${worst.note} Thrown at ${String(thrown)} writes, and after the handler.` };
}

async function stopHandler({ tool, args, open, timeoutMs }: Subject, how: 'timeout' | 'cancel'): Promise<Judged> {
  const bench = await open();
  const before = await bench.look();
  const caller = new AbortController();
  const stop = (): void => {
    if (how === 'cancel') caller.abort(new DOMException('prove cancels the call.', 'AbortError'));
  };
  const { outcome, isReached } = await stopCall(bench, tool.name, args, {
    stop,
    waitMs: timeoutMs,
    signal: caller.signal,
    ...(how === 'timeout' ? { timeoutMs: SHORT_TIMEOUT_MS } : {}),
  });
  if (!isReached) return skip(NOT_AGAIN);
  return judgeFailure(compareWorlds(before, await bench.look()), tool.hints, outcome);
}

async function deliverTwice({ tool: { name, hints }, args, open }: Subject): Promise<Judged> {
  const bench = await open();
  // The same call of a run that is repeated: it has the key of the first.
  const { outcome: first } = await bench.call(name, args, { run: 'prove' });
  if (first?.kind !== 'succeeded') return skip(NOT_AGAIN);
  const once = await bench.look();
  const { outcome } = await bench.call(name, args, { run: 'prove' });
  const left = compareWorlds(once, await bench.look());
  const trace = listTrace(left);
  if (isUntouched(left)) {
    const note = outcome?.kind === 'succeeded' ? 'The second call changed nothing.' : 'The second call was refused.';
    return { mark: hints.idempotent === true ? 'keyed' : 'none', note, trace };
  }
  const note = 'The second call acted again.';
  if (hints.readOnly === true) return { mark: 'trace', note, trace, broken: 'readOnly: true: a call changes nothing' };
  if (hints.idempotent === true)
    return { mark: 'trace', note, trace, broken: 'idempotent: true: the same call acts once' };
  return { mark: 'trace', note: `${note} The tool does not claim otherwise.`, trace };
}

async function causeConflict(subject: Subject): Promise<Judged> {
  const { tool, args, open } = subject;
  const { name, hints } = tool;
  if (hints.readOnly === true) return skip('A read-only call writes nothing.');
  const serial = await callInTurn(subject);
  const { start, afterOne, afterTwo } = serial;
  if (compareWorlds(start, afterOne).inside.length === 0)
    return skip('The call changes neither session nor resources.');
  const again = await callInTurn(subject);
  const isSteady = isUntouched(compareWorlds(afterTwo, again.afterTwo));

  const bench = await open();
  let inner: Promise<Made> | undefined;
  bench.intercept(async (_call, next) => {
    await next();
    if (inner !== undefined) return;
    inner = bench.call(name, args, { id: 'prove-2' });
    // A resource with one writer at a time lets the other call wait for this one.
    await Promise.race([inner, sleep(500, undefined, { ref: false })]);
  });
  const outer = await bench.call(name, args, { id: 'prove-1' });
  const made = [outer, (await inner) ?? {}];
  const left = await bench.look();
  const successes = countSuccesses(made);
  const reference = successes === 2 ? afterTwo : successes === 1 ? afterOne : start;
  // Values such as ids and times differ from run to run; then only the number of changes is compared.
  const isLost = isSteady ? compareWorlds(reference, left).inside.length > 0 : differInSize(start, reference, left);
  const note = `${String(successes)} of two calls at once succeeded.`;
  if (successes > serial.successes && !isUntouched(compareWorlds(afterOne, left)))
    return {
      mark: 'trace',
      note,
      trace: listTrace(compareWorlds(afterOne, left)),
      broken: 'of two conflicting calls, one is refused or repeated',
    };
  if (successes <= serial.successes && isLost)
    return {
      mark: 'trace',
      note,
      trace: listTrace(compareWorlds(reference, left)),
      broken: 'two calls at once end as two calls in turn',
    };
  return { mark: 'none', note: `${note} The result is the same as of calls in turn.`, trace: [] };
}

/** Makes two equal calls in turn, in an application of their own. */
async function callInTurn({ tool: { name }, args, open }: Subject) {
  const bench = await open();
  const start = await bench.look();
  const first = await bench.call(name, args, { id: 'prove-1' });
  const afterOne = await bench.look();
  const second = await bench.call(name, args, { id: 'prove-2' });
  return { start, afterOne, afterTwo: await bench.look(), successes: countSuccesses([first, second]) };
}

function differInSize(start: World, reference: World, left: World): boolean {
  return compareWorlds(start, reference).inside.length !== compareWorlds(start, left).inside.length;
}

function countSuccesses(made: readonly Made[]): number {
  return made.filter(({ outcome }) => outcome?.kind === 'succeeded').length;
}

const deniesAll: Approver = { approve: () => ({ kind: 'denied', reason: 'prove denies it.' }) };

async function denyApproval({ tool, args, open }: Subject): Promise<Judged> {
  if (tool.metadata.guardrails.approvals.length === 0) return skip('The tool needs no approval.');
  const bench = await open(deniesAll);
  const before = await bench.look();
  const { outcome } = await bench.call(tool.name, args);
  if (outcome?.kind !== 'denied') return skip('These arguments need no approval.');
  const left = compareWorlds(before, await bench.look());
  return judgeUntouched(left, 'The call was denied.', 'requiresApproval: a denied call changes nothing');
}

async function sendHostile({ tool, hostile, open }: Subject): Promise<Judged> {
  const { name, hints } = tool;
  const bench = await open();
  const results: Judged[] = [];
  let refused = 0;
  let before = await bench.look();
  for (const args of hostile) {
    const { outcome } = await bench.call(name, args);
    const after = await bench.look();
    const left = compareWorlds(before, after);
    before = after;
    const kind = outcome?.kind ?? 'failed';
    if (kind !== 'succeeded') refused++;
    const example = `Arguments: ${args.length > 120 ? `${args.slice(0, 120)}…` : args}`;
    const judged =
      kind === 'rejected' || kind === 'denied'
        ? judgeUntouched(left, 'Refused arguments.', 'refused arguments leave no trace')
        : kind === 'succeeded'
          ? hints.readOnly === true
            ? judgeUntouched(left, 'The call succeeded.', 'readOnly: true: a call changes nothing')
            : { mark: 'none' as const, note: '', trace: [] }
          : judgeFailure(left, hints, outcome);
    results.push(judged.broken === undefined ? judged : { ...judged, note: `${judged.note} ${example}` });
  }
  if (Object.hasOwn(Object.prototype, 'polluted')) {
    Reflect.deleteProperty(Object.prototype, 'polluted');
    results.push({
      mark: 'trace',
      note: 'A key of the arguments reached Object.prototype.',
      trace: [],
      broken: 'arguments do not change prototypes',
    });
  }
  const worst = chooseWorst(results);
  const counts = `${String(refused)} of ${String(hostile.length)} were refused.`;
  return worst.broken === undefined ? { ...worst, note: counts } : { ...worst, note: `${worst.note} ${counts}` };
}

const ORDER = ['skipped', 'none', 'keyed', 'unknown', 'trace'] as const;

function chooseWorst(results: readonly Judged[]): Judged {
  const rank = ({ broken, mark }: Judged): number => (broken === undefined ? 0 : 10) + ORDER.indexOf(mark);
  return results.reduce(
    (worst, each) => (rank(each) > rank(worst) ? each : worst),
    results[0] ?? skip('Nothing was applied.'),
  );
}
