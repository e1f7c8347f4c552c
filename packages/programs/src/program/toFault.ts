import type { PreparedProgram } from '../check/ProgramChecker.js';
import type { ExecutionStatus, ProgramErrorKind, ProgramFault } from '../ExecutionResult.js';
import { createFault, type ProgramPlace } from '../createFault.js';
import type { ExceededLimit, GuestError, SandboxEnd, SandboxLimits } from '../Sandbox.js';

/** The status and the fault of a program that did not complete. */
export interface Failure {
  readonly status: ExecutionStatus;
  readonly fault: ProgramFault;
}

interface LimitMessage {
  readonly kind: ProgramErrorKind;
  readonly message: (limits: SandboxLimits) => string;
  readonly hint: string;
}

const formatBytes = (count: number): string => `${String(count)} bytes`;

const limitMessages: Readonly<Record<ExceededLimit, LimitMessage>> = {
  wall: {
    kind: 'timeout',
    message: ({ wallMs }) => `The program was not done after ${String(wallMs)} ms.`,
    hint: 'Do less in one program, call independent tools together with Promise.all, and make sure that every loop and every promise comes to an end.',
  },
  cpu: {
    kind: 'timeout',
    message: ({ cpuMs }) => `The program computed for more than ${String(cpuMs)} ms.`,
    hint: 'Do less in one program, and make sure that every loop comes to an end.',
  },
  memory: {
    kind: 'memory',
    message: ({ memoryBytes }) => `The program needed more than ${formatBytes(memoryBytes)} of memory.`,
    hint: 'Keep only what is needed of each result, and work through long lists part by part.',
  },
  calls: {
    kind: 'limit',
    message: ({ maxCalls }) => `The program made more than ${String(maxCalls)} tool calls.`,
    hint: 'Call tools only for what is needed, and ask for more at a time where a tool lets you.',
  },
  concurrency: {
    kind: 'limit',
    message: ({ maxConcurrency }) => `More than ${String(maxConcurrency)} tool calls were waiting at the same time.`,
    hint: 'Use parallel(list, { limit }), which makes a few calls at a time.',
  },
  argument: {
    kind: 'limit',
    message: ({ maxArgumentBytes }) =>
      `The arguments of a tool call were larger than ${formatBytes(maxArgumentBytes)}.`,
    hint: 'Pass only what the tool needs.',
  },
  result: {
    kind: 'limit',
    message: ({ maxResultBytes }) =>
      `A result, or the value of the program, was larger than ${formatBytes(maxResultBytes)}.`,
    hint: 'Return only what is needed, such as a count, or the first few entries.',
  },
};

/** Converts the outcome of an engine to a status and a fault. */
export function toFault(
  end: Exclude<SandboxEnd, { readonly kind: 'completed' }>,
  source: string,
  program: PreparedProgram,
  limits: SandboxLimits,
): Failure {
  switch (end.kind) {
    case 'threw':
      return { status: 'failed', fault: createThrownFault(end.error, source, program) };
    case 'exceeded':
      return createLimitFault(source, placeOf(program, end.line, undefined), end.limit, limits);
    case 'cancelled':
      return {
        status: 'cancelled',
        fault: createFault(source, null, {
          kind: 'cancelled',
          name: 'Cancelled',
          message: 'The program was cancelled.',
          hint: null,
        }),
      };
    case 'crashed':
      return {
        status: 'failed',
        fault: createFault(source, null, { kind: 'thrown', name: 'EngineError', message: end.message, hint: null }),
      };
  }
}

/** Creates the fault of a program that a limit ended. */
export function createLimitFault(
  source: string,
  place: ProgramPlace | null,
  limit: ExceededLimit,
  limits: SandboxLimits,
): Failure {
  const { kind, message, hint } = limitMessages[limit];
  const fault = createFault(source, place, { kind, name: 'LimitExceeded', message: message(limits), hint });
  return { status: kind === 'timeout' ? 'timed_out' : 'failed', fault };
}

const kindsByName: Readonly<Record<string, ProgramErrorKind>> = { ReferenceError: 'reference', TypeError: 'type' };

function createThrownFault(
  { name, message, line, column, call }: GuestError,
  source: string,
  program: PreparedProgram,
): ProgramFault {
  const kind = call?.kind ?? (Object.hasOwn(kindsByName, name) ? kindsByName[name] : undefined) ?? 'thrown';
  return createFault(source, placeOf(program, line, column), { kind, name, message, hint: null });
}

function placeOf(program: PreparedProgram, line: number | undefined, column: number | undefined): ProgramPlace | null {
  return line === undefined ? null : program.locate({ line, column: column ?? 1 });
}
