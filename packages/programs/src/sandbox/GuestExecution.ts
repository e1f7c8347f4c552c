import type { JSValueHandle } from 'quickjs-wasi';
import { isObject } from 'toolwright/internal/light';
import type { GuestError, ToolErrorKind } from '../Sandbox.js';
import type { HostSide } from './guest/HostSide.js';
import { GuestStopped, type Guest, type GuestHost } from './Guest.js';
import { GuestClock } from './GuestClock.js';
import { Outbox } from './Outbox.js';
import { packText } from './SentText.js';
import type { GuestAnswer, GuestEnd, ProgramOrder, GuestMessage } from './protocol.js';

/** The shortest delay of a timer, so that a loop of short sleeps does not keep the thread busy. */
const SHORTEST_SLEEP_MS = 1;
const LONGEST_NAME = 300;
const LONGEST_ERROR = 100_000;
const limits = ['memory', 'calls', 'concurrency', 'argument', 'result'] as const;

/** One program in its worker: enforces its limits, and detects its end, unless the host ends it. */
export class GuestExecution implements GuestHost {
  readonly clockShift: number;
  private readonly clock: GuestClock;
  private readonly outbox: Outbox;
  private readonly output: OutputCap;
  private readonly lines: number;
  /** Failed calls with the kind of their failure, as the host told the guest. */
  private readonly failed = new Map<number, ToolErrorKind>();
  /** Unanswered calls, with the size of their arguments in bytes. */
  private readonly inFlight = new Map<number, number>();
  /** Sleeps, the next to end first. */
  private readonly sleepers: { readonly id: number; readonly until: number }[] = [];
  private calls = 0;
  private bytesInFlight = 0;
  private end: GuestEnd | undefined;

  constructor(
    private readonly guest: Guest,
    private readonly order: ProgramOrder,
    private readonly outward: {
      send(messages: readonly GuestMessage[]): void;
      /** Returns the next answers of the host, if any have arrived. */
      takeAnswers(): readonly GuestAnswer[] | undefined;
    },
  ) {
    this.clockShift = order.now === undefined ? 0 : order.now - Date.now();
    this.clock = new GuestClock(order.clock);
    this.outbox = new Outbox((messages) => outward.send(messages));
    this.output = new OutputCap(order.limits.maxOutputBytes);
    this.lines = order.body.split('\n').length;
    guest.host = this;
  }

  /**
   * Runs the program to its end. The thread blocks while the program waits, because the host wakes it faster through shared memory
   * than through its event loop.
   */
  run(): GuestEnd {
    const { body, tools, seed, limits } = this.order;
    this.enter(() => this.guest.start(body, { tools, seed, ...limits }));
    while (this.end === undefined) {
      // Read before the checks: if the host stops or answers after them, the wait ends at once.
      const { wakes } = this.clock;
      if (this.clock.mustStop) return { kind: 'stopped' };
      const answers = this.outward.takeAnswers();
      if (answers !== undefined) this.answer(answers);
      if (!this.wakeSleeper() && answers === undefined) this.clock.wait(wakes, this.nextSleeperMs);
    }
    return this.end;
  }

  private answer(answers: readonly GuestAnswer[]): void {
    for (const [id, ok, , kind] of answers) {
      this.bytesInFlight -= this.inFlight.get(id) ?? 0;
      this.inFlight.delete(id);
      if (!ok) this.failed.set(id, kind);
    }
    this.enter(() => this.guest.settle(answers));
  }

  mustStop(): boolean {
    this.clock.memoryBytes = this.guest.memoryBytes;
    return this.end !== undefined || this.clock.mustStop;
  }

  handleCall(kind: keyof HostSide, details: readonly JSValueHandle[]): JSValueHandle | undefined {
    if (this.end !== undefined) return undefined;
    try {
      return this.dispatchCall(kind, details);
    } catch (error) {
      this.end = endBy(error);
      return undefined;
    }
  }

  /** Runs the guest until it waits or has ended. */
  private enter(work: () => void): void {
    if (this.end !== undefined) return;
    this.clock.enter();
    try {
      work();
    } catch (error) {
      this.end ??= endBy(error);
    } finally {
      this.clock.memoryBytes = this.guest.memoryBytes;
      this.clock.sleepers = this.sleepers.length;
      this.clock.leave();
    }
    this.outbox.flush();
    if (this.inFlight.size + this.sleepers.length === 0) this.end ??= { kind: 'idle' };
  }

  private dispatchCall(kind: keyof HostSide, details: readonly JSValueHandle[]): JSValueHandle | undefined {
    const { maxArgumentBytes, maxOutputBytes, maxResultBytes } = this.order.limits;
    const text = (index: number, longest: number): string | undefined => textOf(details[index], longest);
    const number = (index: number): number => (details[index]?.isNumber === true ? details[index].toNumber() : 0);
    switch (kind) {
      case 'call':
        this.call(this.order.tools[number(0)], text(1, maxArgumentBytes), this.lineOf(number(2)));
        break;
      case 'write':
        this.write(text(0, LONGEST_NAME), text(1, maxOutputBytes + 1) ?? '');
        break;
      case 'sleep':
        this.sleep(number(0), number(1));
        break;
      case 'unhandled':
        return this.guest.unhandled();
      case 'completed':
        this.complete(text(0, maxResultBytes));
        break;
      case 'unserializable':
        this.end = {
          kind: 'completed',
          value: {
            kind: 'not-serializable',
            type: text(0, LONGEST_NAME) ?? 'object',
            preview: text(1, LONGEST_NAME) ?? '',
          },
        };
        break;
      case 'threw':
        this.end = { kind: 'threw', error: this.errorOf(text(0, LONGEST_ERROR)) };
        break;
      case 'exceeded':
        this.exceed(limits.find((limit) => limit === text(0, LONGEST_NAME)) ?? 'memory', this.lineOf(number(1)));
        break;
    }
    return undefined;
  }

  private call(name: string | undefined, json: string | undefined, line: number | undefined): void {
    const { maxCalls, maxConcurrency, maxArgumentBytes, memoryBytes } = this.order.limits;
    if (name === undefined) return;
    const bytes = Buffer.byteLength(json ?? '');
    if (json === undefined || bytes > maxArgumentBytes) return this.exceed('argument', line);
    if (this.calls === maxCalls) return this.exceed('calls', line);
    if (this.inFlight.size === maxConcurrency) return this.exceed('concurrency', line);
    // Arguments in flight are outside the guest's memory, so the engine does not count them.
    if (this.bytesInFlight + bytes > memoryBytes) return this.exceed('memory', line);
    const id = ++this.calls;
    this.bytesInFlight += bytes;
    this.inFlight.set(id, bytes);
    this.outbox.put(['call', id, name, packText(json, bytes), line]);
  }

  private write(stream: string | undefined, text: string): void {
    const kept = this.output.take(text);
    if (kept !== undefined) this.outbox.put(['write', stream === 'error' ? 'error' : 'output', kept]);
  }

  private sleep(id: number, ms: number): void {
    if (this.sleepers.length === this.order.limits.maxConcurrency) return this.exceed('concurrency');
    const until = performance.now() + Math.max(ms, SHORTEST_SLEEP_MS);
    const next = this.sleepers.findIndex((sleeper) => sleeper.until > until);
    this.sleepers.splice(next === -1 ? this.sleepers.length : next, 0, { id, until });
  }

  private get nextSleeperMs(): number {
    return (this.sleepers[0]?.until ?? Infinity) - performance.now();
  }

  /** Ends the next sleep if its time has come. */
  private wakeSleeper(): boolean {
    if (this.nextSleeperMs > 0) return false;
    const sleeper = this.sleepers.shift();
    if (sleeper !== undefined) this.enter(() => this.guest.wake(sleeper.id));
    return true;
  }

  private complete(json: string | undefined): void {
    const bytes = Buffer.byteLength(json ?? '');
    if (json === undefined || bytes > this.order.limits.maxResultBytes) this.exceed('result');
    else {
      const sent = json === '' ? undefined : packText(json, bytes);
      this.end = { kind: 'completed', value: { kind: 'json', json: sent } };
    }
  }

  private exceed(limit: (typeof limits)[number], line?: number): void {
    this.end = { kind: 'exceeded', limit, line };
  }

  /** Reads the error that the guest reports. Its text is untrusted: only a call that the host saw fail becomes the error of a call. */
  private errorOf(text: string | undefined): GuestError {
    const { name, message, line, column, call } = recordIn(text);
    const known = this.lineOf(typeof line === 'number' ? line : 0);
    return {
      name: typeof name === 'string' ? name : 'Error',
      message: typeof message === 'string' ? message : '',
      line: known,
      column: known === undefined || !Number.isInteger(column) ? undefined : (column as number),
      call: this.findFailedCall(call),
    };
  }

  private findFailedCall(call: unknown): GuestError['call'] {
    const { id } = (isObject(call) ? call : {}) as { readonly id?: unknown };
    const kind = typeof id === 'number' ? this.failed.get(id) : undefined;
    return kind === undefined ? undefined : { id: id as number, kind };
  }

  /** Normalises a line: a fault at the end of the text is reported after its last line. */
  private lineOf(line: number): number | undefined {
    return Number.isInteger(line) && line > 0 ? Math.min(line, this.lines) : undefined;
  }
}

/** Returns the text; undefined if the value is not a string, or exceeds the limit that the guest's side enforces. */
function textOf(handle: JSValueHandle | undefined, longest: number): string | undefined {
  const text = handle?.isString === true ? handle.toString() : undefined;
  return text === undefined || text.length > longest ? undefined : text;
}

/** Parses the object in a JSON text; returns an empty object for anything else. */
function recordIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Converts an exception of the engine to an end of the program. */
export function endBy(error: unknown): GuestEnd {
  if (error instanceof GuestStopped) return { kind: 'stopped' };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return /out of memory|malloc/.test(message) ? { kind: 'exceeded', limit: 'memory' } : { kind: 'crashed', message };
}

/** Limits the output of a program to a number of bytes, line breaks included, and marks the cut once. */
export class OutputCap {
  private left: number;
  private isCut = false;

  constructor(private readonly maxBytes: number) {
    this.left = maxBytes;
  }

  /** Returns the part of the text within the limit, with the mark if it is cut; undefined after the cut. */
  take(text: string): string | undefined {
    if (this.isCut) return undefined;
    const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(Math.min(this.left, 3 * text.length)));
    this.left -= written + 1;
    if (read === text.length && this.left >= 0) return text;
    this.isCut = true;
    return `${text.slice(0, read)}… [output cut here: the limit is ${String(this.maxBytes)} bytes]`;
  }
}
