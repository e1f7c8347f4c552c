import { CommitRefusal, ToolRefusal, ToolValidationError } from '../../error/toolErrors.js';
import type { IdSource } from '../../interface/ports.js';

/** Replaces the message of an error for the model; undefined for the default text. */
export type MaskHook = (error: unknown) => string | undefined;

/** What the model reads in place of the message of an error. */
export interface MaskedError {
  /** The id of the error, which the log has too. */
  readonly id: string;
  /** The text of the host in place of the message; undefined if it gave none. */
  readonly text: string | undefined;
}

/**
 * Keeps the messages of unexpected errors, such as those of drivers, from models, MCP clients and programs (`maskErrors`). Log and events
 * keep the error itself.
 */
export class ErrorMask {
  readonly #hook: MaskHook | undefined;
  readonly #ids: IdSource;

  /** @param hook undefined to mask nothing */
  constructor(hook: MaskHook | undefined, ids: IdSource) {
    this.#hook = hook;
    this.#ids = ids;
  }

  /** Returns what replaces the message; undefined for an error whose message the model may read. */
  of(error: unknown): MaskedError | undefined {
    if (this.#hook === undefined || isForModel(error)) return undefined;
    return { id: this.#ids(), text: this.#hook(error) };
  }

  /** Returns the same mask with an id that never differs, so that two rehearsals of a call have the same text. */
  ofRehearsals(): ErrorMask {
    return new ErrorMask(this.#hook, () => 'in a rehearsal');
  }
}

/** True for an error whose message was written for the caller. */
function isForModel(error: unknown): boolean {
  if (error instanceof CommitRefusal) return false;
  return error instanceof ToolRefusal || error instanceof ToolValidationError || isHttpFailure(error);
}

/** An HTTP exception of Nest; recognised by its methods, since several copies of Nest may be loaded. */
export interface HttpFailure extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** True for an HTTP exception; never throws, not even for a revoked proxy. */
export function isHttpFailure(value: unknown): value is HttpFailure {
  try {
    if (!(value instanceof Error)) return false;
    const { getStatus, getResponse } = value as Partial<HttpFailure>;
    return typeof getStatus === 'function' && typeof getResponse === 'function';
  } catch {
    return false;
  }
}
