import { describeValue, memoize, copyOwnOptions } from 'toolwright/internal/light';
import type { Approver } from 'toolwright/policies';
import { ProgramError, requireOptionNames } from 'toolwright/internal';
import {
  quotaNames,
  type CheckLevel,
  type ErrorHint,
  type ProgramOptions,
  type ProgramQuotas,
} from './ProgramOptions.js';
import type { Sandbox, SandboxLimits } from './Sandbox.js';
import { DEFAULT_QUOTAS, MAX_STACK_BYTES } from './limits.js';
import { QuickJsSandbox } from './sandbox/QuickJsSandbox.js';

/** `ProgramOptions` with their defaults applied. */
export interface ProgramSettings {
  readonly limits: SandboxLimits;
  /** Denied calls after which a program ends. */
  readonly maxDenials: number;
  readonly quotas: Readonly<Required<Record<keyof ProgramQuotas, number>>>;
  /** Undefined: `types` if the compiler is installed, else `syntax`. */
  readonly check: CheckLevel | undefined;
  readonly seed: number | undefined;
  /** Returns the engine, which is created on the first call. */
  readonly sandbox: () => Sandbox;
  readonly approver: Approver | undefined;
  readonly errorHint: ErrorHint | undefined;
  /** True if the model sees the types of results. */
  readonly showsResults: boolean;
  readonly preamble: string;
  readonly postamble: string;
}

const MIB = 1_048_576;
const levels: readonly unknown[] = ['types', 'syntax', 'off', undefined];

/** One engine for the whole process, since its workers are expensive. */
const sharedSandbox = memoize(() => new QuickJsSandbox());

/** @throws ProgramError E672 for a limit that is not a positive integer, or an unknown check; PromptError E413 for an unknown quota */
export function readSettings(all: ProgramOptions): ProgramSettings {
  const options = copyOwnOptions(all);
  const { timeoutMs = 30_000, memoryMb = 64, maxCalls = 1_000, maxOutputBytes = 65_536, check, sandbox } = options;
  const { maxConcurrency = maxCalls, maxDenials = 10, quotas: given = {} } = options;
  requireOptionNames('quotas', given, quotaNames);
  const quotas = quotasOf(given);
  const counts = { timeoutMs, memoryMb, maxCalls, maxConcurrency, maxOutputBytes, maxDenials, ...quotas };
  for (const [name, value] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value <= 0)
      throw createOptionError(`${name} is ${describeValue(value)}; a whole number above 0 is expected`);
  }
  if (!levels.includes(check))
    throw createOptionError(`check is ${describeValue(check)}; 'types', 'syntax' or 'off' is expected`);
  return Object.freeze({
    limits: Object.freeze({
      wallMs: timeoutMs,
      cpuMs: timeoutMs,
      memoryBytes: memoryMb * MIB,
      stackBytes: MAX_STACK_BYTES,
      maxCalls,
      maxConcurrency,
      maxArgumentBytes: MIB,
      maxResultBytes: 8 * MIB,
      maxOutputBytes,
    }),
    maxDenials,
    quotas,
    check,
    seed: options.seed,
    sandbox: sandbox === undefined ? sharedSandbox : () => sandbox,
    approver: options.approver,
    errorHint: options.errorHint,
    showsResults: options.assistToolChaining === true,
    preamble: options.preamble ?? '',
    postamble: options.postamble ?? '',
  });
}

function quotasOf(given: ProgramQuotas): ProgramSettings['quotas'] {
  const { total, perToolkit, perSession, perPrincipal } = DEFAULT_QUOTAS;
  return Object.freeze({
    total: given.total ?? total,
    perToolkit: given.perToolkit ?? perToolkit,
    perSession: given.perSession ?? perSession,
    perPrincipal: given.perPrincipal ?? perPrincipal,
  });
}

function createOptionError(problem: string): ProgramError {
  return new ProgramError(problem, { code: 'E672', place: 'programs' });
}
