import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionResult, type Sandbox, Toolkit } from '@toolwright/programs';
import { unknownWord } from '../ConformanceFault';
import { silentLogger } from '../declare/silentLogger';
import type { Attack } from './format';
import { toolsOf, type HostSide } from './toolsOf';

/** Within this time after its limit, a program has ended. */
const GRACE_MS = 500;
/** Tolerance for a loaded machine, whose delays are not the engine's. */
const PATIENCE_MS = 3_000;
const MOST_MEMORY = 400 * 1_048_576;
const TICK_MS = 10;
const PWNED = /PWNED|EVIL|HACKED|HOSTPATH/;

/** Observations of an attack. */
interface Seen {
  readonly result: ExecutionResult;
  readonly host: HostSide;
  readonly ms: number;
  readonly canary: string;
  readonly memory: number;
  /** The longest delay of the host's event loop. */
  readonly stillMs: number;
  readonly before: string;
}

/** Runs an attack, and says which of the properties that it names do not hold. @throws ConformanceFault C3 */
export async function brokenProperties(attack: Attack, sandbox: Sandbox): Promise<readonly string[]> {
  const canary = join(tmpdir(), `canary-${String(process.pid)}-${attack.id}`);
  const host: HostSide = { shared: [], calls: 0, oddArguments: [] };
  const kit = await Toolkit.from(toolsOf(attack.tools, host), {
    sandbox,
    check: 'syntax',
    timeoutMs: attack.limit_ms,
    logger: silentLogger,
  });
  // The engine is warm, as it is for all but the first program of a process.
  await kit.execute('0');
  const before = hostFingerprint();
  const memory = process.memoryUsage().rss;
  const heart = heartbeat();
  const began = performance.now();
  const result = await kit.execute(attack.code_js.replaceAll('__CANARY__', canary));
  const ms = performance.now() - began;
  const stillMs = heart.stop();
  try {
    const seen = { result, host, ms, canary, stillMs, before, memory: process.memoryUsage().rss - memory };
    const broken = await Promise.all(attack.properties.map((name) => judge(name, seen, attack)));
    return [...broken.flat(), ...endDifferences(result, attack)];
  } finally {
    rmSync(canary, { force: true });
  }
}

async function judge(name: string, seen: Seen, attack: Attack): Promise<readonly string[]> {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined) throw unknownWord('property', name);
  const problem = await property(seen, attack);
  return problem === undefined ? [] : [`${name}: ${problem}`];
}

type Property = (seen: Seen, attack: Attack) => string | undefined | Promise<string | undefined>;

const properties: Readonly<Record<string, Property>> = {
  no_host_object: ({ result, canary }) => {
    if (existsSync(canary)) return 'the program wrote a file';
    const shown = JSON.stringify([result.returnValue, result.output, result.errorOutput]);
    return PWNED.test(shown) ? `the program says ${shown}` : undefined;
  },
  host_unchanged: ({ before }) => {
    const after = hostFingerprint();
    return after === before ? undefined : `the host was ${before}, and is ${after}`;
  },
  ends_in_limit: ({ ms }, { limit_ms: limit }) =>
    ms <= limit + GRACE_MS + PATIENCE_MS ? undefined : `it took ${String(ms)} ms`,
  memory_bounded: ({ memory }) => (memory <= MOST_MEMORY ? undefined : `the process grew by ${String(memory)} bytes`),
  host_responsive: ({ stillMs }, { limit_ms: limit }) =>
    stillMs < limit / 2 ? undefined : `the event loop stood still for ${String(stillMs)} ms`,
  args_plain: ({ host }) => (host.oddArguments.length === 0 ? undefined : 'a tool got what is no plain data'),
  no_code_after_end: async ({ host, result }) => {
    const { calls } = host;
    const shown = result.toModelText();
    await sleep(150);
    if (host.calls !== calls) return 'a tool was called after the end';
    if (shown.includes('LATE')) return 'the program wrote something after its end';
    return result.toModelText() === shown ? undefined : 'the result changed after the end';
  },
};

function endDifferences(
  { returnValue, error }: ExecutionResult,
  { expect_return, expect_error }: Attack,
): readonly string[] {
  const differences: string[] = [];
  if (expect_return !== undefined && returnValue !== expect_return)
    differences.push(`it gave ${JSON.stringify(returnValue)}: ${JSON.stringify(error)}`);
  if (expect_error !== undefined && !expect_error.split('|').includes(error?.kind ?? 'none'))
    differences.push(`it ended as ${JSON.stringify(error)}`);
  return differences;
}

/** The parts of the host that programs have tried to change. */
function hostFingerprint(): string {
  const builtIns = [Object, Array, Function, Promise, Error, String, JSON, Math];
  const counts = builtIns.map(
    (each) => Reflect.ownKeys(each).length + Reflect.ownKeys(Object(Reflect.get(each, 'prototype')) as object).length,
  );
  const polluted = Reflect.get({}, 'polluted') as unknown;
  return JSON.stringify([counts, Reflect.ownKeys(globalThis).length, polluted ?? null, JSON.parse('[1]')]);
}

/** Measures delays of the event loop. */
function heartbeat(): { stop: () => number } {
  let last = performance.now();
  let longest = 0;
  const beat = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
  };
  const timer = setInterval(beat, TICK_MS);
  return {
    stop: () => {
      beat();
      clearInterval(timer);
      return longest;
    },
  };
}
