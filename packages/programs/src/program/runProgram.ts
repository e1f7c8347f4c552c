import { AsyncLocalStorage } from 'node:async_hooks';
import { messageOf } from 'toolwright/internal/light';
import type { InterceptedProgram } from 'toolwright/policies';
import {
  formatCallId,
  runIntercepted,
  MAX_VALUES,
  relayAbort,
  describeReasonForModel,
  getThread,
} from 'toolwright/internal';
import { checkProgram, type PreparedProgram } from '../check/ProgramChecker.js';
import type { ExecutionStatus, ProgramErrorKind, ProgramFault } from '../ExecutionResult.js';
import type { ProgramSettings } from '../ProgramSettings.js';
import type { GuestValue, SandboxBridge, SandboxEnd, SandboxLimits } from '../Sandbox.js';
import { DeadlineTimer } from './DeadlineTimer.js';
import { toFault, createLimitFault } from './toFault.js';
import { addHint } from './addHint.js';
import { ProgramBridge } from './ProgramBridge.js';
import type { ProgramContext } from './ProgramContext.js';
import { createPlacelessFault, type ProgramEnd } from './ProgramEnd.js';
import { isTooWide, readValue } from './readValue.js';
import { placesOf } from './ProgramPlaces.js';

/**
 * Checks and runs a program once. When this settles, nothing of the program runs any more.
 *
 * @throws only for faults of the host, such as an engine that is not installed
 */
export async function runProgram(code: string, programContext: ProgramContext): Promise<ProgramEnd> {
  const { settings, run } = programContext;
  const owners = { toolkit: settings, session: run.session, principal: run.metadata['principal'] };
  const leave = placesOf(settings.sandbox()).take(owners, settings.quotas);
  const bridge = new ProgramBridge(programContext);
  if (typeof leave === 'string')
    return endProgram(programContext, bridge, { status: 'failed', error: createQuotaFault(leave) });
  try {
    return await runObservedProgram(code, programContext, bridge);
  } finally {
    leave();
  }
}

function createQuotaFault(problem: string): ProgramFault {
  const hint = 'Nothing of it ran. Run it again when another one has ended.';
  return { ...createPlacelessFault('limit', 'LimitExceeded', problem, hint), code: 'E667' };
}

/** Runs the attempt inside the interceptors. */
async function runObservedProgram(
  code: string,
  programContext: ProgramContext,
  bridge: ProgramBridge,
): Promise<ProgramEnd> {
  const { tools, services, run, attempt } = programContext;
  const layers = services.interceptors.of('aroundProgram');
  if (layers.length === 0) return attemptProgram(code, programContext, bridge);
  const names = tools.metadata.map(({ name }) => name);
  const seen: InterceptedProgram = Object.freeze({
    code,
    attempt,
    tools: names,
    metadata: run.metadata,
    thread: getThread(run),
  });
  let hostFault: { readonly error: unknown } | undefined;
  const core = (): Promise<ProgramEnd> =>
    attemptProgram(code, programContext, bridge).catch((error: unknown) => {
      hostFault = { error };
      throw error;
    });
  try {
    return await runIntercepted(layers, seen, core, 'a program');
  } catch (thrown) {
    if (hostFault !== undefined) throw hostFault.error;
    // An interceptor that throws denies the program; output and calls up to then are reported all the same.
    const masked = services.errorMask.of(thrown);
    if (masked !== undefined)
      services.logger.warn(`A program was denied${formatCallId(masked)}: ${messageOf(thrown)}`, { error: thrown });
    const error = createPlacelessFault('denied', 'Denied', describeReasonForModel(thrown, masked));
    return endProgram(programContext, bridge, { status: 'failed', error });
  }
}

async function attemptProgram(
  code: string,
  programContext: ProgramContext,
  bridge: ProgramBridge,
): Promise<ProgramEnd> {
  const { settings, tools, services, run } = programContext;
  const { stopping } = bridge;
  const relays = [run.signal, programContext.signal].map((signal) => relayAbort(signal, stopping));
  const deadline = new DeadlineTimer(run.deadline, stopping);
  try {
    const checked = await checkProgram(code, {
      check: settings.check,
      tools: tools.metadata,
      logger: services.logger,
      owner: settings,
      limitMs: settings.limits.wallMs,
      signal: stopping.signal,
    });
    const limits = limitToDeadline(run, settings, checked.ok ? checked.tookMs : 0);
    if (!checked.ok)
      return await refuseProgram(code, checked.fault, deadline.hasPassed ? limits : undefined, programContext, bridge);
    const { body } = checked.program;
    const program = { body, tools: tools.names, seed: settings.seed, now: services.clock.now(), owner: settings };
    const end = await settings.sandbox().run(program, bindContext(bridge), limits, stopping.signal);
    await bridge.waitUntilSettled();
    const timed = end.kind === 'cancelled' && deadline.hasPassed ? OVERDUE : end;
    return await concludeProgram({ code, program: checked.program, limits }, timed, programContext, bridge);
  } finally {
    deadline.stop();
    for (const stopRelaying of relays) stopRelaying();
  }
}

const OVERDUE: SandboxEnd = { kind: 'exceeded', limit: 'wall' };
const statuses: Readonly<Partial<Record<ProgramErrorKind, ExecutionStatus>>> = {
  cancelled: 'cancelled',
  timeout: 'timed_out',
};

/**
 * Ends a program that was not run.
 *
 * @param limits set if the deadline of the run ended the check
 */
function refuseProgram(
  code: string,
  fault: ProgramFault,
  limits: SandboxLimits | undefined,
  programContext: ProgramContext,
  bridge: ProgramBridge,
): Promise<ProgramEnd> {
  if (fault.kind !== 'cancelled' || limits === undefined)
    return endProgram(programContext, bridge, { status: statuses[fault.kind] ?? 'failed', error: fault });
  const { fault: error } = createLimitFault(code, null, 'wall', limits);
  return endProgram(programContext, bridge, { status: 'timed_out', error });
}

/**
 * Binds a bridge to the current asynchronous context. An engine calls the bridge in the context that started the engine, which may
 * belong to another run; a handler must find its own request and trace.
 */
function bindContext(bridge: SandboxBridge): SandboxBridge {
  const here = AsyncLocalStorage.snapshot();
  return {
    call: (call, signal, hold) => here(() => bridge.call(call, signal, hold)),
    write: (stream, text) => {
      here(() => {
        bridge.write(stream, text);
      });
    },
  };
}

/**
 * Subtracts the duration of the check from the time of a program, and limits the rest to the run's deadline, which also ends a
 * program without calls.
 */
function limitToDeadline(
  { deadline }: ProgramContext['run'],
  { limits }: ProgramSettings,
  checkedMs: number,
): SandboxLimits {
  const left = Math.max(1, Math.floor(limits.wallMs - checkedMs));
  if (deadline === undefined) return { ...limits, wallMs: left };
  return { ...limits, wallMs: Math.min(left, Math.max(1, Math.floor(deadline.remaining))) };
}

/** A checked program and its limits. */
interface ReadyProgram {
  readonly code: string;
  readonly program: PreparedProgram;
  readonly limits: SandboxLimits;
}

async function concludeProgram(
  { code, program, limits }: ReadyProgram,
  end: SandboxEnd,
  programContext: ProgramContext,
  bridge: ProgramBridge,
): Promise<ProgramEnd> {
  const { stop } = bridge;
  if (stop?.kind === 'paused') return endProgram(programContext, bridge, { status: 'paused', error: null });
  if (stop?.kind === 'denied')
    return endProgram(programContext, bridge, { status: 'failed', error: createDenialsFault(stop.count) });
  if (stop !== undefined) {
    const error = createPlacelessFault('tool_error', 'Error', messageOf(stop.error));
    return endProgram(programContext, bridge, { status: 'failed', error });
  }
  if (end.kind === 'completed' && (await isTooWide(end.value)))
    return endProgram(programContext, bridge, { status: 'failed', error: tooManyValues });
  if (end.kind === 'completed')
    return endProgram(programContext, bridge, { status: 'completed', error: null }, end.value);
  const { status, fault } = toFault(end, code, program, limits);
  const hinted = addHint(fault, {
    code,
    tools: programContext.tools,
    lastResult: (isOfTool) => bridge.log.lastResult(isOfTool),
    errorHint: programContext.settings.errorHint,
  });
  return endProgram(programContext, bridge, { status, error: hinted });
}

const tooManyValues = createPlacelessFault(
  'limit',
  'LimitExceeded',
  `The value of the program holds more than ${String(MAX_VALUES)} values.`,
  'Return only what is needed, such as a count, or the first few entries.',
);

function createDenialsFault(count: number): ProgramFault {
  const message = `${String(count)} calls of the program were denied, which is the most that one may ask for in vain.`;
  const hint = 'Do not repeat what was denied. Say what it was for, or do without it.';
  return { ...createPlacelessFault('limit', 'LimitExceeded', message, hint), code: 'E666' };
}

async function endProgram(
  { isAtomic }: ProgramContext,
  bridge: ProgramBridge,
  { status, error }: { readonly status: ExecutionStatus; readonly error: ProgramFault | null },
  value?: GuestValue,
): Promise<ProgramEnd> {
  const { output, errorOutput, log, stop } = bridge;
  const calls = await log.calls(isAtomic && status !== 'completed');
  return { status, output, errorOutput, returnValue: await readValue(value), calls, error, stop };
}
