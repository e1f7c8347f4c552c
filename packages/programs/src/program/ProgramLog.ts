import type { Clock } from 'toolwright';
import { TimeSlice } from 'toolwright/internal';
import type { ProgramCall, BegunCall } from '../ExecutionResult.js';

/** The log entry of a call that begins. Values are JSON text, so that every reader gets a copy. */
export interface LoggedStart {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly line: number | undefined;
}

/** The end of a call: its value as JSON text, or its error. */
export type LoggedEnd =
  | { readonly status: 'ok'; readonly json: string | undefined }
  | { readonly status: Exclude<ProgramCall['status'], 'ok'>; readonly error?: string };

/** The log of one call of a program. */
export class ProgramLogEntry {
  readonly #start: LoggedStart;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #began: number;
  #end: (LoggedEnd & { readonly durationMs: number }) | undefined;

  constructor(start: LoggedStart, clock: Clock) {
    this.#start = start;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#began = clock.monotonic();
  }

  end(end: LoggedEnd): void {
    this.#end ??= { ...end, durationMs: this.#clock.monotonic() - this.#began };
  }

  get begun(): BegunCall {
    const { id, name, args, line } = this.#start;
    return {
      id,
      name,
      args: JSON.parse(args) as BegunCall['args'],
      startedAt: this.#startedAt,
      ...(line === undefined ? {} : { line }),
    };
  }

  get name(): string {
    return this.#start.name;
  }

  get hasSucceeded(): boolean {
    return this.#end?.status === 'ok';
  }

  /** Returns a copy of the result; undefined if there is none. */
  get result(): unknown {
    return this.#end?.status === 'ok' ? parseResult(this.#end.json) : undefined;
  }

  /** Returns the call in its present state; a call that has not ended was cancelled with its program. */
  call(isRolledBack = false): ProgramCall {
    const { status, durationMs, ...rest } = this.#end ?? {
      status: 'cancelled' as const,
      durationMs: this.#clock.monotonic() - this.#began,
    };
    const { error } = rest as { readonly error?: string };
    return {
      ...this.begun,
      status,
      ...(status === 'ok' ? { result: this.result } : {}),
      ...(error === undefined ? {} : { error }),
      durationMs,
      ...(isRolledBack ? { rolledBack: true } : {}),
    };
  }
}

function parseResult(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

/** Logs the calls of one attempt, in the order in which they began. */
export class ProgramLog {
  readonly #clock: Clock;
  readonly #calls: ProgramLogEntry[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(start: LoggedStart): ProgramLogEntry {
    const call = new ProgramLogEntry(start, this.#clock);
    this.#calls.push(call);
    return call;
  }

  /** Copies all calls, spread over several turns: each may hold megabytes, which have to be parsed. */
  async calls(isRolledBack: boolean): Promise<readonly ProgramCall[]> {
    const slice = new TimeSlice();
    const copies: ProgramCall[] = [];
    for (const call of this.#calls) {
      if (slice.isOver) await slice.next();
      copies.push(call.call(isRolledBack));
    }
    return copies;
  }

  /** Returns a copy of the last result of these tools; undefined without one. */
  lastResult(isOfTool: (name: string) => boolean): unknown {
    return this.#calls.filter(({ name, hasSucceeded }) => hasSucceeded && isOfTool(name)).at(-1)?.result;
  }
}
