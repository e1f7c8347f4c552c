import { AsyncLocalStorage } from 'node:async_hooks';
import { messageOf } from '../../common/text.js';
import { arounds, intercepted } from '../../dispatch/intercept.js';
import { relayAbort } from '../../dispatch/relayAbort.js';
import type { InterceptedProgram } from '../../interface/Interceptor.js';
import { checkProgram } from '../check/checkProgram.js';
import type { PreparedProgram } from '../check/ProgramCheck.js';
import type { ExecutionStatus, ProgramFault } from '../ExecutionResult.js';
import type { ProgramSettings } from '../ProgramSettings.js';
import type { GuestValue, SandboxBridge, SandboxEnd, SandboxLimits } from '../Sandbox.js';
import { faultOf } from './faultOf.js';
import { withHint } from './hints.js';
import { ProgramBridge } from './ProgramBridge.js';
import type { ProgramContext } from './ProgramContext.js';
import { placelessFault, type ProgramEnd } from './ProgramEnd.js';

/**
 * Makes one attempt at a program: checks and runs it. Nothing of it runs any more when this settles.
 *
 * @throws only for faults of the host, such as an engine that is not installed
 */
export async function runProgram(code: string, programContext: ProgramContext): Promise<ProgramEnd> {
  const { tools, services, run, attempt } = programContext;
  const bridge = new ProgramBridge(programContext);
  const layers = arounds(services.interceptors, 'aroundProgram');
  if (layers.length === 0) return attempted(code, programContext, bridge);
  const names = tools.metadata.map(({ name }) => name);
  const seen: InterceptedProgram = Object.freeze({ code, attempt, tools: names, metadata: run.metadata });
  let hostFault: { readonly error: unknown } | undefined;
  const core = (): Promise<ProgramEnd> =>
    attempted(code, programContext, bridge).catch((error: unknown) => {
      hostFault = { error };
      throw error;
    });
  try {
    return await intercepted(layers, seen, core, 'a program');
  } catch (thrown) {
    if (hostFault !== undefined) throw hostFault.error;
    // An interceptor that throws denies the program; its output and calls until then are reported all the same.
    return ended(programContext, bridge, {
      status: 'failed',
      error: placelessFault('denied', 'Denied', messageOf(thrown)),
    });
  }
}

async function attempted(code: string, programContext: ProgramContext, bridge: ProgramBridge): Promise<ProgramEnd> {
  const { settings, tools, services, run } = programContext;
  const { check } = settings;
  const checked = await checkProgram(code, { check, tools: tools.metadata, logger: services.logger });
  if (!checked.ok) return ended(programContext, bridge, { status: 'failed', error: checked.fault });
  const relays = [run.signal, programContext.signal].map((signal) => relayAbort(signal, bridge.stopping));
  try {
    const { body } = checked.program;
    const program = { body, tools: tools.names, seed: settings.seed, now: services.clock.now() };
    const limits = boundedLimits(run, settings);
    const end = await settings.sandbox().run(program, inThisContext(bridge), limits, bridge.stopping.signal);
    await bridge.settled();
    return outcome({ code, program: checked.program, limits }, end, programContext, bridge);
  } finally {
    for (const stopRelaying of relays) stopRelaying();
  }
}

/**
 * Binds a bridge to the present asynchronous context. An engine calls it in the context that started the engine, which may
 * belong to another run, but a handler must find its own request and trace.
 */
function inThisContext(bridge: SandboxBridge): SandboxBridge {
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

/** Limits the time of a program to the run's deadline, which also ends a program that makes no calls. */
function boundedLimits({ deadline }: ProgramContext['run'], { limits }: ProgramSettings): SandboxLimits {
  if (deadline === undefined) return limits;
  return { ...limits, wallMs: Math.min(limits.wallMs, Math.max(1, Math.floor(deadline.remaining))) };
}

/** A checked program and its limits. */
interface RunningProgram {
  readonly code: string;
  readonly program: PreparedProgram;
  readonly limits: SandboxLimits;
}

function outcome(
  { code, program, limits }: RunningProgram,
  end: SandboxEnd,
  programContext: ProgramContext,
  bridge: ProgramBridge,
): ProgramEnd {
  const { stop } = bridge;
  if (stop?.kind === 'paused') return ended(programContext, bridge, { status: 'paused', error: null });
  if (stop !== undefined) {
    const error = placelessFault('tool_error', 'Error', messageOf(stop.error));
    return ended(programContext, bridge, { status: 'failed', error });
  }
  if (end.kind === 'completed') return ended(programContext, bridge, { status: 'completed', error: null }, end.value);
  const { status, fault } = faultOf(end, code, program, limits);
  const hinted = withHint(fault, {
    code,
    tools: programContext.tools,
    calls: bridge.log.calls(false),
    errorHint: programContext.settings.errorHint,
  });
  return ended(programContext, bridge, { status, error: hinted });
}

function ended(
  { isAtomic }: ProgramContext,
  bridge: ProgramBridge,
  { status, error }: { readonly status: ExecutionStatus; readonly error: ProgramFault | null },
  value?: GuestValue,
): ProgramEnd {
  const { output, errorOutput, log, stop } = bridge;
  const calls = log.calls(isAtomic && status !== 'completed');
  return { status, output, errorOutput, returnValue: valueOf(value), calls, error, stop };
}

function valueOf(value: GuestValue | undefined): unknown {
  if (value?.kind === 'json') return value.json === undefined ? undefined : (JSON.parse(value.json) as unknown);
  return value;
}
