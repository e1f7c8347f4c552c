import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getEffect } from 'toolwright/internal';
import { childProcess, host } from 'toolwright/internal/light';
import type { World } from './Bench.js';
import type { Subject } from './faults.js';
import { compareWorlds, isUntouched, listTrace, nameNoEffectHint, skip, type Judged } from './judge.js';

/** Where the process of a call is killed. */
type KillPoint = 'handler' | 'outcome';

/** The work of a process that is killed, or that continues the run of a killed one. Passed as JSON. */
export interface PartOrder {
  readonly app: string | undefined;
  readonly prompt: string | undefined;
  readonly metadata: readonly string[];
  readonly tool: string;
  readonly args: string;
  readonly folder: string;
  readonly timeoutMs: number;
  /** Undefined for the process that continues. */
  readonly killAt?: KillPoint | undefined;
}

/** The answer of the process that continues. */
export interface PartAnswer {
  /** The recorded kind of the call's outcome. */
  readonly outcome: string;
  readonly inside: readonly (readonly [string, string])[];
  readonly outside: readonly (readonly [string, string])[];
}

/** Kills the process of a call after its handler, and before its outcome is recorded; then continues its run in another process. */
export async function killTool(
  subject: Subject,
  order: Omit<PartOrder, 'killAt' | 'folder' | 'tool' | 'args'>,
  signal: AbortSignal,
): Promise<Judged> {
  const { tool, args, open } = subject;
  if (tool.hints.readOnly === true) return skip('A read-only call writes nothing that a kill could cut in two.');
  const bench = await open();
  const before = await bench.look();
  await bench.call(tool.name, args);
  const once = await bench.look();
  const again = await open();
  await again.call(tool.name, args);
  const reference = { before, once, isSteady: isUntouched(compareWorlds(once, await again.look())) };
  const results: Judged[] = [];
  for (const killAt of ['handler', 'outcome'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-prove-'));
    mkdirSync(join(folder, 'data'));
    try {
      const part = { ...order, tool: tool.name, args, folder };
      const killed = await runPart({ ...part, killAt }, signal);
      if (killed.ended !== 'SIGKILL') return skipUnable(`No process could be killed: ${killed.said}`);
      const continued = await runPart(part, signal);
      if (continued.ended !== 0) return skipUnable(`The run of a killed process did not go on: ${continued.said}`);
      results.push(judgeKill(JSON.parse(continued.out) as PartAnswer, reference, subject));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return (
    results.find(({ broken }) => broken !== undefined) ??
    results.find(({ mark }) => mark === 'unknown') ??
    results[0] ??
    skip('')
  );
}

function skipUnable(note: string): Judged {
  return { ...skip(note), isUnable: true };
}

/** One call that nothing interrupts. */
interface Reference {
  readonly before: World;
  readonly once: World;
  /** True if another application ends with the same values. Otherwise, as with ids and times, only the number of changes is compared. */
  readonly isSteady: boolean;
}

function judgeKill(answer: PartAnswer, { before, once, isSteady }: Reference, { tool }: Subject): Judged {
  const after = { inside: new Map(answer.inside), outside: new Map(answer.outside) };
  const left = compareWorlds(before, after);
  const trace = listTrace(left);
  const sizes = countChanges(before, after);
  const wanted = countChanges(before, once);
  const isOnce = isSteady ? isUntouched(compareWorlds(once, after)) : sizes.every((size, at) => size === wanted[at]);
  const { hints } = tool;
  if (getEffect(hints) === 'unknown' && answer.outcome !== 'succeeded') {
    const note = 'Killed. The next process does not repeat the call, and the model reads to check first.';
    return { mark: 'unknown', note, trace };
  }
  const mark = hints.idempotent === true ? 'keyed' : 'none';
  if (isOnce)
    return {
      mark,
      note: 'Killed. The next process repeated the call, and the result is the same as of one call.',
      trace: [],
    };
  const isNever = sizes.every((size) => size === 0);
  if (isNever)
    return { mark: 'none', note: `Killed. The call ended as ${answer.outcome}, and left nothing.`, trace: [] };
  const broken = `${hints.idempotent === true ? 'idempotent: true' : nameNoEffectHint(hints)}: a call that is repeated after a kill acts once`;
  return { mark: 'trace', note: 'Killed. The next process repeated the call, and it acted twice.', trace, broken };
}

function countChanges(before: World, after: World): readonly number[] {
  const { inside, outside } = compareWorlds(before, after);
  return [inside.length, outside.length];
}

interface Ended {
  /** The exit code, or the signal that ended the process. */
  readonly ended: number | string | null;
  readonly out: string;
  /** The first line of standard error. */
  readonly said: string;
}

async function runPart(order: PartOrder, signal: AbortSignal): Promise<Ended> {
  const [, script = ''] = host.argv;
  const args = [...host.execArgv, script, 'prove-part', JSON.stringify(order)];
  const child = childProcess().spawn(host.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => {
      resolve(by ?? code);
    });
  });
  const [out, err, how] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { ended: how, out, said: err.trim().split('\n', 1)[0] ?? '' };
}
