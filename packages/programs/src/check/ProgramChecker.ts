import type { Logger } from 'toolwright';
import { checkedDeclarationsOf, type DeclaredTool } from '../declare/declarationsOf.js';
import type { ProgramFault } from '../ExecutionResult.js';
import { faultAt, type ProgramPlace } from '../faultAt.js';
import type { CheckPool } from './CheckPool.js';
import type { CheckMessage, CheckTask } from './checkTasks.js';
import type { PreparedProgram, ProgramCheck } from './ProgramCheck.js';
import { RETURN, type ReadProgram } from './readProgram.js';
import { sourcePlace } from './sourcePlace.js';
import type { CheckedDeclarations } from './types/TypeCheck.js';

/** Longest program, in characters: far more than a model writes in one answer. */
const LONGEST = 1_000_000;
/** Time limit of a check in milliseconds; an ordinary one takes some, and waiting for a thread does not count. */
const CHECK_MS = 2_000;

export interface CheckOptions {
  /** By default `types` if the compiler is installed, else `syntax`. Forbidden constructs are refused at every level. */
  readonly check?: 'types' | 'syntax' | 'off' | undefined;
  /** The tools that the program may call; declarations are cached by the identity of the array. */
  readonly tools?: readonly DeclaredTool[] | undefined;
  /** Receives a warning, once, if `types` is set without a compiler. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
  /** The toolkit: its programs wait in one line, and toolkits take turns. */
  readonly owner?: object | undefined;
  /** Time limit of the program in milliseconds, in which its check counts; the check has one of its own as well. */
  readonly limitMs?: number | undefined;
  /** Cancels the check, or the wait for it. */
  readonly signal?: AbortSignal | undefined;
}

/** A check in progress: its limit, and the time that it has taken. */
interface Progress extends Pick<CheckOptions, 'signal' | 'limitMs'> {
  readonly source: string;
  readonly owner: object;
  tookMs: number;
}

/** The owner of programs that are checked for no toolkit. */
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
    if (source.length > LONGEST) return { ok: false, fault: tooLong(source) };
    const { owner = ANYONE, signal, limitMs } = options;
    const progress: Progress = { source, owner, signal, limitMs, tookMs: 0 };
    const answer = await this.#ask({ task: 'read', source }, progress);
    if ('fault' in answer) return { ok: false, fault: answer.fault };
    if (answer.message.kind !== 'read') return { ok: false, fault: tooMuch(progress, true) };
    const { outcome } = answer.message;
    if (!outcome.ok) return outcome;
    const { read } = outcome;
    const wantsTypes = options.check === undefined || options.check === 'types';
    const fault = wantsTypes ? await this.#typeFault(read, options, progress) : null;
    return fault === null ? { ok: true, program: prepared(read), tookMs: progress.tookMs } : { ok: false, fault };
  }

  async #typeFault({ map }: ReadProgram, options: CheckOptions, progress: Progress): Promise<ProgramFault | null> {
    const { check, tools = [], logger } = options;
    const { source } = progress;
    const declarations = this.#declarationsOf(tools);
    const answer = await this.#ask({ task: 'types', source, declarations, isTyped: map !== null }, progress);
    if ('fault' in answer) return answer.fault;
    const { message } = answer;
    if (message.kind === 'types') return message.fault;
    if (message.kind === 'untyped' && check === 'types') this.#sayFallback(message.reason, logger);
    return null;
  }

  /** Asks for one task within what is left of the time, or says why the program does not run. */
  async #ask(
    task: CheckTask,
    progress: Progress,
  ): Promise<{ readonly message: CheckMessage } | { readonly fault: ProgramFault }> {
    const { owner, signal, source } = progress;
    const limitMs = Math.max(1, Math.min(CHECK_MS, progress.limitMs ?? CHECK_MS) - progress.tookMs);
    const answer = await this.#pool.ask({ task, limitMs, owner, signal });
    if (answer.kind === 'aborted') return { fault: cancelled(source) };
    if (answer.kind === 'exceeded') return { fault: tooMuch(progress, task.task === 'read') };
    progress.tookMs += answer.tookMs;
    return { message: answer.message };
  }

  #sayFallback(reason: string, logger: CheckOptions['logger']): void {
    if (this.#hasSaid || logger === undefined) return;
    this.#hasSaid = true;
    logger.warn(`check: 'types' needs ${reason}. Until then, programs are checked for syntax only.`);
  }

  #declarationsOf(tools: readonly DeclaredTool[]): CheckedDeclarations {
    const known = this.#declarations.get(tools) ?? checkedDeclarationsOf(tools);
    this.#declarations.set(tools, known);
    return known;
  }
}

function prepared({ body, returned, map }: ReadProgram): PreparedProgram {
  return {
    body,
    locate: (place) => {
      const before = returned === null ? place : withoutReturn(place, returned);
      return map === null ? before : sourcePlace(map, before);
    },
  };
}

function withoutReturn({ line, column }: ProgramPlace, returned: ProgramPlace): ProgramPlace {
  if (line !== returned.line || column <= returned.column) return { line, column };
  return { line, column: Math.max(returned.column, column - RETURN.length) };
}

function tooLong(source: string): ProgramFault {
  return faultAt(source, null, {
    kind: 'refused',
    name: 'ProgramRefused',
    message: `The program has ${String(source.length)} characters; at most ${String(LONGEST)} are read`,
    hint: 'Write a shorter program: get long data from a tool instead of writing it down.',
    code: 'E665',
  });
}

function tooMuch({ source, limitMs = CHECK_MS }: Progress, isRead: boolean): ProgramFault {
  if (limitMs < CHECK_MS)
    return faultAt(source, null, {
      kind: 'timeout',
      name: 'LimitExceeded',
      message: `The program was still being checked after ${String(limitMs)} ms, its limit.`,
      hint: HINT,
      code: 'E665',
    });
  return faultAt(source, null, {
    kind: isRead ? 'syntax' : 'refused',
    name: isRead ? 'SyntaxError' : 'ProgramRefused',
    message: isRead
      ? 'The program takes too long to read'
      : `The check of the types of the program took more than ${String(CHECK_MS)} ms, or too much memory`,
    hint: HINT,
    code: 'E665',
  });
}

const HINT =
  'Write it shorter and flatter: no long chains of operators, no deep nesting, data from tools, simple types, and x as T instead of <T>x.';

function cancelled(source: string): ProgramFault {
  return faultAt(source, null, {
    kind: 'cancelled',
    name: 'Cancelled',
    message: 'The program was cancelled.',
    hint: null,
  });
}
