import type { Logger } from '../../interface/Logger.js';
import { checkedDeclarationsOf, type DeclaredTool } from '../declare/declarationsOf.js';
import type { ProgramFault } from '../ExecutionResult.js';
import { faultAt, type ProgramPlace } from '../faultAt.js';
import type { CheckThread } from './CheckThread.js';
import type { PreparedProgram, ProgramCheck } from './ProgramCheck.js';
import { RETURN, type ReadProgram } from './readProgram.js';
import { sourcePlace } from './sourcePlace.js';
import type { CheckedDeclarations } from './types/TypeCheck.js';

/** Time limit for reading a program, in milliseconds; an ordinary one takes about 1 ms. */
const READ_MS = 2_000;
/** Time limit of the type check in milliseconds, including the loading of the compiler. */
const TYPES_MS = 20_000;

export interface CheckOptions {
  /** By default `types` if the compiler is installed, else `syntax`. Forbidden constructs are refused at every level. */
  readonly check?: 'types' | 'syntax' | 'off' | undefined;
  /** The tools that the program may call; declarations are cached by the identity of the array. */
  readonly tools?: readonly DeclaredTool[] | undefined;
  /** Receives a warning, once, if `types` is set without a compiler, and for each program that the type check cannot handle. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** Reads and checks programs in a worker thread. */
export class ProgramChecker {
  readonly #thread: Pick<CheckThread, 'ask'>;
  readonly #declarations = new WeakMap<readonly DeclaredTool[], CheckedDeclarations>();
  #hasSaid = false;

  constructor(thread: Pick<CheckThread, 'ask'>) {
    this.#thread = thread;
  }

  async check(source: string, options: CheckOptions): Promise<ProgramCheck> {
    const answer = await this.#thread.ask({ task: 'read', source }, READ_MS);
    if (answer?.kind !== 'read') return { ok: false, fault: tooMuch(source) };
    if (!answer.outcome.ok) return answer.outcome;
    const { read } = answer.outcome;
    const wantsTypes = options.check === undefined || options.check === 'types';
    const fault = wantsTypes ? await this.#typeFault(source, read, options) : null;
    return fault === null ? { ok: true, program: prepared(read) } : { ok: false, fault };
  }

  async #typeFault(source: string, { map }: ReadProgram, options: CheckOptions): Promise<ProgramFault | null> {
    const { check, tools = [], logger } = options;
    const declarations = this.#declarationsOf(tools);
    const answer = await this.#thread.ask({ task: 'types', source, declarations, isTyped: map !== null }, TYPES_MS);
    if (answer?.kind === 'types') return answer.fault;
    if (answer === undefined) logger?.warn('A program was too much for the type check, and runs unchecked.');
    else if (answer.kind === 'untyped' && check === 'types') this.#sayFallback(answer.reason, logger);
    return null;
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

function tooMuch(source: string): ProgramFault {
  return faultAt(source, null, {
    kind: 'syntax',
    name: 'SyntaxError',
    message: 'The program takes too long to read',
    hint: 'Write it shorter and flatter; write x as T instead of <T>x.',
  });
}
