import type { RenderedTool, ToolOutcome } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import type { FailureKind, ToolMetadata } from 'toolwright/types';
import {
  ApprovalMissing,
  type SecretRedaction,
  describePart,
  isInstance,
  needsType,
  NO_MESSAGE,
  createSerialiser,
  Turns,
} from 'toolwright/internal';
import type { ProgramEvent } from '../ExecutionResult.js';
import type { BridgeAnswer, BridgeCall, HoldClock, SandboxBridge, ToolErrorKind } from '../Sandbox.js';
import { ProgramLog, type ProgramLogEntry } from './ProgramLog.js';
import { nameArguments, type NamedArguments } from './nameArguments.js';
import type { ProgramContext } from './ProgramContext.js';

/**
 * Why the host ended a program: a missing approval, too many denied calls, or an error of a call that concerns the whole run.
 */
export type Stop =
  | { readonly kind: 'denied'; readonly count: number }
  | { readonly kind: 'paused'; readonly isComing: boolean }
  | { readonly kind: 'left'; readonly error: unknown };

/** A call in progress. */
interface PendingEntry {
  /** Aborted when the program ends. */
  readonly signal: AbortSignal;
  readonly hold: HoldClock;
  readonly logged: ProgramLogEntry;
  /** Undefined if the call contains nothing to redact. */
  readonly redaction: SecretRedaction | undefined;
}

/** The answer to a call of a program that has ended. */
const OVER: BridgeAnswer = { ok: false, kind: 'tool_error', message: 'The program has ended.' };

/** The host's side of one attempt at a program: dispatches its calls, and collects its output and its calls. */
export class ProgramBridge implements SandboxBridge {
  readonly log: ProgramLog;
  /** Aborted when the program must not continue. */
  readonly stopping = new AbortController();
  readonly #programContext: ProgramContext;
  readonly #running = new Set<Promise<unknown>>();
  readonly #written = { output: [] as string[], error: [] as string[] };
  /** Spreads calls that arrive or end together over several turns: each of them may bring a megabyte. */
  readonly #turns = new Turns();
  #stop: Stop | undefined;
  #denials = 0;

  constructor(programContext: ProgramContext) {
    this.#programContext = programContext;
    this.log = new ProgramLog(programContext.services.clock);
  }

  /** Returns the first reason for which the host ended the program; undefined if it did not. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  get output(): string {
    return this.#written.output.join('');
  }

  get errorOutput(): string {
    return this.#written.error.join('');
  }

  write(stream: 'output' | 'error', text: string): void {
    const line = `${text}\n`;
    this.#written[stream].push(line);
    this.#emit(() => ({ kind: 'output', stream, text: line }));
  }

  async call(given: BridgeCall, signal: AbortSignal, hold: HoldClock): Promise<BridgeAnswer> {
    const answered = this.#turns.next().then(() => this.#callTool(given, signal, hold));
    this.#running.add(answered);
    return answered.finally(() => this.#running.delete(answered));
  }

  async #callTool(given: BridgeCall, signal: AbortSignal, hold: HoldClock): Promise<BridgeAnswer> {
    const tool = this.#programContext.tools.find(given.name);
    if (tool === undefined) return { ok: false, kind: 'tool_error', message: `There is no tool ${given.name}.` };
    const named = nameArguments(given.json, tool.metadata.schema);
    const redaction = this.#programContext.services.redaction.ofCall(tool, named.args);
    const shown = redaction === undefined ? named.args : redaction.redactArguments(named.args);
    const name = this.#programContext.tools.loggedName(tool, given.name);
    const start = { id: this.#idOf(given.id), name, args: JSON.stringify(shown), line: given.line };
    const logged = this.log.begin(start);
    this.#emit(() => ({ kind: 'tool_start', call: logged.begun }));
    // The call arrived when the program ended: it is recorded, but does not start.
    const answer = signal.aborted
      ? this.#cancelCall(logged)
      : await this.#answer(given, tool, named, { signal, hold, logged, redaction });
    this.#emit(() => ({ kind: 'tool_end', call: logged.call() }));
    return answer;
  }

  /** Waits until all running calls have settled; their signals have been aborted. */
  async waitUntilSettled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #idOf(id: number): string {
    return `${this.#programContext.id}.${String(id)}`;
  }

  async #answer(
    { id }: BridgeCall,
    tool: RenderedTool,
    { args, problem }: NamedArguments,
    { signal, hold, logged, redaction }: PendingEntry,
  ): Promise<BridgeAnswer> {
    if (problem !== undefined) {
      const error = `The arguments of ${tool.name} were not accepted: ${problem}`;
      logged.end({ status: 'error', error });
      return { ok: false, kind: 'type', message: error };
    }
    const recorded = this.#programContext.recorded?.take(logged.begun.name, tool.hints, args);
    if (recorded !== undefined) {
      logged.end({ status: 'ok', ...recorded });
      return { ok: true, ...recorded };
    }
    const asking = (): (() => void) => {
      this.#emit(() => ({ kind: 'approval', call: logged.begun }));
      return hold();
    };
    const { settings, approver = settings.approver } = this.#programContext;
    const call = { id: this.#idOf(id), name: tool.name, arguments: args };
    const programCaller = { approver, asking, turns: this.#turns };
    try {
      const outcome = await this.#programContext.dispatch(call, { tool, signal, programCaller });
      // Writing a result of megabytes as JSON takes a whole turn.
      if (isLongText(outcome.result.value)) await this.#turns.next();
      return this.#answerOf(tool, outcome, logged, redaction);
    } catch (thrown) {
      this.#endForError(thrown, signal, logged);
      return OVER;
    }
  }

  #answerOf(
    tool: RenderedTool,
    outcome: ToolOutcome,
    logged: ProgramLogEntry,
    redaction: SecretRedaction | undefined,
  ): BridgeAnswer {
    if (outcome.kind === 'succeeded') {
      const json = writeValueJson(outcome, tool.metadata);
      const shown =
        redaction === undefined || json === undefined ? json : JSON.stringify(redaction.redact(JSON.parse(json)));
      logged.end({ status: 'ok', json: shown });
      return { ok: true, json };
    }
    const message = outcome.reason ?? outcome.result.message;
    const kind = errorKinds[outcome.kind] ?? 'tool_error';
    logged.end({ status: kind === 'denied' ? 'denied' : 'error', error: message });
    if (kind === 'denied' && ++this.#denials >= this.#programContext.settings.maxDenials)
      this.#end({ kind: 'denied', count: this.#denials });
    return { ok: false, kind, message, value: jsonOf(outcome.result.value, tool.metadata, null) };
  }

  #cancelCall(logged: ProgramLogEntry): BridgeAnswer {
    logged.end({ status: 'cancelled' });
    return OVER;
  }

  /** Ends the program for an error that a call threw: such errors concern the whole run, not the program. */
  #endForError(thrown: unknown, signal: AbortSignal, logged: ProgramLogEntry): void {
    if (isInstance(thrown, ApprovalMissing)) {
      logged.end({ status: 'pending' });
      this.#end({ kind: 'paused', isComing: thrown.isComing });
    } else if (signal.aborted) this.#cancelCall(logged);
    else {
      logged.end({ status: 'error', error: messageOf(thrown) });
      this.#end({ kind: 'left', error: thrown });
    }
  }

  #end(stop: Stop): void {
    this.#stop ??= stop;
    this.stopping.abort(stop);
  }

  #emit(make: () => ProgramEvent): void {
    const { emit, services } = this.#programContext;
    if (emit === undefined) return;
    try {
      emit(make());
    } catch (error) {
      services.logger.error(`A listener to a program failed: ${messageOf(error)}`, { error });
    }
  }
}

/** Length in characters from which writing a text as JSON takes some milliseconds. */
const LONG_CHARS = 500_000;

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > LONG_CHARS;
}

/** The kinds of a program's error; everything else is a failure of the tool. */
const errorKinds: Readonly<Partial<Record<FailureKind, ToolErrorKind>>> = {
  denied: 'denied',
  rejected: 'type',
  conflicted: 'conflicted',
};

/**
 * Writes a result as JSON for the program: the value, by the names on the wire. Without a value, a tool with a declared result
 * returns `null`; any other tool returns its message and a line for each part, or `undefined` without a message. Bytes never reach
 * a program.
 */
function writeValueJson(
  { result: { value, message }, parts = [] }: Extract<ToolOutcome, { readonly kind: 'succeeded' }>,
  metadata: DeclaredResult,
): string | undefined {
  if (value !== null && value !== undefined) return jsonOf(value, metadata, metadata.result);
  if (metadata.result !== null || metadata.returnSchema !== null) return 'null';
  const said = message === NO_MESSAGE ? '' : message;
  const text = [said, ...parts.map(describePart)].filter((line) => line !== '').join('\n');
  return text === '' ? undefined : JSON.stringify(text);
}

/** The metadata that decides how results are written. */
type DeclaredResult = Pick<ToolMetadata, 'fieldNames' | 'result' | 'returnSchema'>;

function jsonOf(value: unknown, { fieldNames }: DeclaredResult, declared: ToolMetadata['result']): string | undefined {
  const type = declared !== null && needsType(declared) ? declared : undefined;
  return JSON.stringify(createSerialiser(fieldNames).toPlain(value, { type }));
}
