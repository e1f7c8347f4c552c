import type { Logger } from 'toolwright';
import { writeCheckedDeclarations, type DeclaredTool } from '../declare/writeDeclarations.js';
import type { ProgramFault } from '../ExecutionResult.js';
import { createFault, type ProgramPlace } from '../createFault.js';
import { MAX_CHECK_MS, MAX_PROGRAM_CHARS } from '../limits.js';
import { CheckPool } from './CheckPool.js';
import type { CheckMessage, CheckTask } from './checkTasks.js';
import { RETURN, type ReadProgram } from './readProgram.js';
import { mapToSource } from './mapToSource.js';
import type { CheckedDeclarations } from './types/TypeCheck.js';

export interface CheckOptions {
  /** By default `types` if the compiler is installed, else `syntax`. Forbidden constructs are refused at every level. */
  readonly check?: 'types' | 'syntax' | 'off' | undefined;
  /** The tools that the program may call; declarations are cached by the identity of the array. */
  readonly tools?: readonly DeclaredTool[] | undefined;
  /** Receives a warning, once, if `types` is set without a compiler. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
  /** The toolkit. Its programs share a queue, and toolkits take turns. */
  readonly owner?: object | undefined;
  /** Time limit of the program in milliseconds, check included; the check has its own limit as well. */
  readonly limitMs?: number | undefined;
  /** Cancels the check, or the wait for it. */
  readonly signal?: AbortSignal | undefined;
}

/** A check in progress: its limit and its duration so far. */
interface Progress extends Pick<CheckOptions, 'signal' | 'limitMs'> {
  readonly source: string;
  readonly owner: object;
  tookMs: number;
}

/** The owner of programs that are checked without a toolkit. */
const ANYONE = {};

/** Reads and checks programs in worker threads. */
export class ProgramChecker {
  readonly #pool: Pick<CheckPool, 'ask'>;
  readonly #declarations = new WeakMap<readonly DeclaredTool[], CheckedDeclarations>();
  #hasSaid = false;

  constructor(pool: Pick<CheckPool, 'ask'>) {
    this.#pool = pool;
  }

  async check(source: string, options: CheckOptions): Promise<ProgramCheck> {
    if (source.length > MAX_PROGRAM_CHARS) return { ok: false, fault: createLengthFault(source) };
    const { owner = ANYONE, signal, limitMs } = options;
    const progress: Progress = { source, owner, signal, limitMs, tookMs: 0 };
    const answer = await this.#runTask({ task: 'read', source }, progress);
    if ('fault' in answer) return { ok: false, fault: answer.fault };
    if (answer.message.kind !== 'read') return { ok: false, fault: createTimeFault(progress, true) };
    const { outcome } = answer.message;
    if (!outcome.ok) return outcome;
    const { read } = outcome;
    const wantsTypes = options.check === undefined || options.check === 'types';
    const fault = wantsTypes ? await this.#findTypeFault(read, options, progress) : null;
    return fault === null
      ? { ok: true, program: toPreparedProgram(read), tookMs: progress.tookMs }
      : { ok: false, fault };
  }

  async #findTypeFault({ map }: ReadProgram, options: CheckOptions, progress: Progress): Promise<ProgramFault | null> {
    const { check, tools = [], logger } = options;
    const { source } = progress;
    const declarations = this.#declarationsOf(tools);
    const answer = await this.#runTask({ task: 'types', source, declarations, isTyped: map !== null }, progress);
    if ('fault' in answer) return answer.fault;
    const { message } = answer;
    if (message.kind === 'types') return message.fault;
    if (message.kind === 'untyped' && check === 'types') this.#sayFallback(message.reason, logger);
    return null;
  }

  /** Runs one task within the remaining time, or returns the reason why the program does not run. */
  async #runTask(
    task: CheckTask,
    progress: Progress,
  ): Promise<{ readonly message: CheckMessage } | { readonly fault: ProgramFault }> {
    const { owner, signal, source } = progress;
    const limitMs = Math.max(1, Math.min(MAX_CHECK_MS, progress.limitMs ?? MAX_CHECK_MS) - progress.tookMs);
    const answer = await this.#pool.ask({ task, limitMs, owner, signal });
    if (answer.kind === 'aborted') return { fault: createCancelledFault(source) };
    if (answer.kind === 'exceeded') return { fault: createTimeFault(progress, task.task === 'read') };
    progress.tookMs += answer.tookMs;
    return { message: answer.message };
  }

  #sayFallback(reason: string, logger: CheckOptions['logger']): void {
    if (this.#hasSaid || logger === undefined) return;
    this.#hasSaid = true;
    logger.warn(`check: 'types' needs ${reason}. Until then, programs are checked for syntax only.`);
  }

  #declarationsOf(tools: readonly DeclaredTool[]): CheckedDeclarations {
    const known = this.#declarations.get(tools) ?? writeCheckedDeclarations(tools);
    this.#declarations.set(tools, known);
    return known;
  }
}

function toPreparedProgram({ body, returned, map }: ReadProgram): PreparedProgram {
  return {
    body,
    locate: (place) => {
      const before = returned === null ? place : subtractReturn(place, returned);
      return map === null ? before : mapToSource(map, before);
    },
  };
}

function subtractReturn({ line, column }: ProgramPlace, returned: ProgramPlace): ProgramPlace {
  if (line !== returned.line || column <= returned.column) return { line, column };
  return { line, column: Math.max(returned.column, column - RETURN.length) };
}

function createLengthFault(source: string): ProgramFault {
  return createFault(source, null, {
    kind: 'refused',
    name: 'ProgramRefused',
    message: `The program has ${String(source.length)} characters; at most ${String(MAX_PROGRAM_CHARS)} are read`,
    hint: 'Write a shorter program: get long data from a tool instead of writing it down.',
    code: 'E665',
  });
}

function createTimeFault({ source, limitMs = MAX_CHECK_MS }: Progress, isRead: boolean): ProgramFault {
  if (limitMs < MAX_CHECK_MS)
    return createFault(source, null, {
      kind: 'timeout',
      name: 'LimitExceeded',
      message: `The program was still being checked after ${String(limitMs)} ms, its limit.`,
      hint: HINT,
      code: 'E665',
    });
  return createFault(source, null, {
    kind: isRead ? 'syntax' : 'refused',
    name: isRead ? 'SyntaxError' : 'ProgramRefused',
    message: isRead
      ? 'The program takes too long to read'
      : `The check of the types of the program took more than ${String(MAX_CHECK_MS)} ms, or too much memory`,
    hint: HINT,
    code: 'E665',
  });
}

const HINT =
  'Write it shorter and flatter: no long chains of operators, no deep nesting, data from tools, simple types, and x as T instead of <T>x.';

function createCancelledFault(source: string): ProgramFault {
  return createFault(source, null, {
    kind: 'cancelled',
    name: 'Cancelled',
    message: 'The program was cancelled.',
    hint: null,
  });
}

/** A program that may run. */
export interface PreparedProgram {
  /** The `SandboxProgram.body`: without types, its last expression returned, with the lines of the source. */
  readonly body: string;
  /** Maps a place in the body to the source. */
  locate(place: ProgramPlace): ProgramPlace;
}

/** The result of a check: the prepared program and the duration of the check, or the fault that refuses the program. */
export type ProgramCheck =
  | { readonly ok: true; readonly program: PreparedProgram; readonly tookMs: number }
  | { readonly ok: false; readonly fault: ProgramFault };

/** One pool for the whole process, since its threads cost memory and a check takes milliseconds. */
const sharedPool = new CheckPool();
const shared = new ProgramChecker(sharedPool);

/** Starts a thread and loads the compiler in it, which takes half a second, before the first program has to wait for it. */
export function warmUpTypeCheck(): void {
  sharedPool.warmUp();
}

/**
 * Reads and checks a program before any of it runs (docs/contract.md, 24). This happens in worker threads, so that no source can
 * block the host. A program that takes too long to check is refused (E665).
 *
 * @param source as the model wrote it
 * @returns the prepared program, or the fault for which it is refused
 * @throws ProgramError E663 if acorn or sucrase is not installed, E664 if a thread does not start
 */
export function checkProgram(source: string, options: CheckOptions = {}): Promise<ProgramCheck> {
  return shared.check(source, options);
}
