import { nextTick } from 'node:process';
import { messageOf } from 'toolwright/internal/light';
import type {
  BridgeAnswer,
  BridgeCall,
  GuestValue,
  HoldClock,
  SandboxBridge,
  SandboxEnd,
  SandboxLimits,
} from '../Sandbox.js';
import { HARD_STOP_MS, MAX_ANSWERS_CHARS, MAX_HANDLING_MS, SETTLE_MS } from '../limits.js';
import type { EngineWorker } from './EngineWorker.js';
import type { HeldPlace } from './HeldPlace.js';
import { GuestClock } from './GuestClock.js';
import type { FromWorker, GuestAnswer, GuestEnd, ProgramOrder, GuestMessage, SentValue } from './protocol.js';
import { readText } from './SentText.js';
import { Watchdog } from './Watchdog.js';

/** A controller with its signal, which a controller creates lazily. */
interface Cancellation {
  readonly abort: AbortController;
  readonly signal: AbortSignal;
}

/** One program on the host: runs its calls, watches its time, and determines its outcome. */
export class ProgramExecution {
  /** Settles when nothing of the program runs any more. */
  readonly ended: Promise<SandboxEnd>;
  private finalise!: (end: SandboxEnd) => void;
  private readonly clock = new GuestClock();
  private readonly pending = new Map<number, { readonly abort: AbortController; readonly line: number | undefined }>();
  /** Number of calls that wait for a person. */
  private held = 0;
  private readonly hold: HoldClock = () => {
    const resume = this.watch?.hold() ?? (() => undefined);
    this.held++;
    setTimeout(() => this.leavePlace(), SETTLE_MS).unref();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held--;
      // Waiting for a place does not count as time of the program either.
      void this.place.reclaim().then(resume);
    };
  };
  private answers: GuestAnswer[] = [];
  /** Messages of the worker and its guest that have not been handled yet, in order. */
  private queued: (Exclude<FromWorker, readonly GuestMessage[]> | GuestMessage)[] = [];
  /** The time at which handling stops in this turn of the event loop; undefined before the first message of the turn. */
  private handlesUntil: number | undefined;
  /** For the next call; created while the worker computes, since it is the most expensive part of a call here. */
  private spare: Cancellation | undefined;
  private watch: Watchdog | undefined;
  private hardStop: NodeJS.Timeout | undefined;
  /** The outcome, once the host has ended the program; later messages of the worker are ignored. */
  private verdict: SandboxEnd | undefined;

  constructor(
    private readonly worker: EngineWorker,
    private readonly bridge: SandboxBridge,
    private readonly limits: SandboxLimits,
    private readonly place: Pick<HeldPlace, 'leave' | 'reclaim'>,
  ) {
    this.ended = new Promise((resolve) => (this.finalise = resolve));
  }

  start(order: Omit<ProgramOrder, 'clock' | 'limits'>): void {
    this.worker.start({ ...order, limits: this.limits, clock: this.clock.memory }, (message) => {
      if ('kind' in message) this.queued.push(message);
      else this.queued.push(...message);
      this.handleQueued();
    });
  }

  /** Ends the program in any state. */
  stop(verdict: SandboxEnd): void {
    if (this.verdict !== undefined) return;
    this.settle(verdict);
    this.clock.stop();
    this.hardStop = setTimeout(() => void this.worker.terminate(), HARD_STOP_MS);
  }

  /** Ends a program that reached a time limit. If its memory is full, that is reported as the limit instead. */
  private exceed(limit: 'wall' | 'cpu'): void {
    const isFull = this.clock.memoryBytes >= this.limits.memoryBytes;
    this.stop({ kind: 'exceeded', limit: isFull ? 'memory' : limit });
  }

  /** Handles messages within the time of this turn; the event loop delivers many messages in one turn. */
  private handleQueued(): void {
    if (this.handlesUntil === undefined) {
      this.handlesUntil = performance.now() + MAX_HANDLING_MS;
      setImmediate(() => {
        this.handlesUntil = undefined;
        if (this.queued.length > 0) this.handleQueued();
      });
    }
    while (this.queued.length > 0 && performance.now() < this.handlesUntil) {
      const message = this.queued.shift();
      if (message !== undefined) this.handle(message);
    }
  }

  private handle(message: (typeof this.queued)[number]): void {
    if ('end' in message) {
      clearTimeout(this.hardStop);
      this.finalise(this.verdict ?? this.settle(endOf(message.end)));
    } else if (this.verdict !== undefined) return;
    else if ('kind' in message) this.watch = new Watchdog(this.limits, this.clock, (limit) => this.exceed(limit));
    else if (message[0] === 'write') this.bridge.write(message[1], message[2]);
    else {
      const [, id, name, json, line] = message;
      void this.call({ id, name, json: readText(json), line });
    }
  }

  private async call(call: BridgeCall): Promise<void> {
    const { abort, signal } = this.spare ?? createCancellation();
    this.spare = undefined;
    this.pending.set(call.id, { abort, line: call.line });
    try {
      const answer = await this.bridge.call(call, signal, this.hold);
      // The program needs its place again before anything wakes it.
      await this.place.reclaim();
      if (this.pending.delete(call.id)) this.answer(call, answer);
    } catch (error) {
      // The bridge must not reject; the effect of the call is unknown.
      this.stop({ kind: 'crashed', message: `the bridge failed in ${call.name}: ${messageOf(error)}` });
    }
  }

  /** Gives the place up if the program can only wait: every call waits for a person, and the guest neither computes nor sleeps. */
  private leavePlace(): void {
    if (this.held === 0 || this.verdict !== undefined) return;
    if (this.held === this.pending.size && !this.clock.isComputing && this.clock.sleepers === 0) this.place.leave();
    else setTimeout(() => this.leavePlace(), SETTLE_MS).unref();
  }

  private answer({ id, line }: BridgeCall, answer: BridgeAnswer): void {
    const { maxResultBytes } = this.limits;
    const json = answer.ok ? answer.json : answer.value;
    if (Buffer.byteLength(json ?? '') > maxResultBytes) return this.stop({ kind: 'exceeded', limit: 'result', line });
    const sent: GuestAnswer = answer.ok ? [id, true, json] : [id, false, json, answer.kind, answer.message];
    // Batches the answers of one turn of the event loop.
    if (this.answers.push(sent) === 1) nextTick(() => this.sendAnswers());
  }

  private sendAnswers(): void {
    const { answers } = this;
    this.answers = [];
    if (this.verdict !== undefined) return;
    let [from, size] = [0, 0];
    for (const [index, [, , json = '', , message = '']] of answers.entries()) {
      size += json.length + message.length;
      if (size < MAX_ANSWERS_CHARS && index < answers.length - 1) continue;
      this.worker.answer(answers.slice(from, index + 1));
      [from, size] = [index + 1, 0];
    }
    this.clock.wake();
    this.spare ??= createCancellation();
  }

  /** Sets the outcome and aborts pending calls; the bridge is not called after that. */
  private settle(verdict: SandboxEnd): SandboxEnd {
    this.verdict = verdict;
    this.watch?.stop();
    for (const { abort } of this.pending.values()) abort.abort();
    this.pending.clear();
    return verdict;
  }
}

function valueOf(value: SentValue): GuestValue {
  if (value.kind !== 'json') return value;
  return { kind: 'json', json: value.json === undefined ? undefined : readText(value.json) };
}

function createCancellation(): Cancellation {
  const abort = new AbortController();
  return { abort, signal: abort.signal };
}

/** Converts the end of a guest to an outcome. `stopped` without a request of the host is a crash. */
function endOf(end: GuestEnd): SandboxEnd {
  if (end.kind === 'idle') return { kind: 'exceeded', limit: 'wall', idle: true };
  if (end.kind === 'completed') return { kind: 'completed', value: valueOf(end.value) };
  return end.kind === 'stopped' ? { kind: 'crashed', message: 'the guest stopped by itself' } : end;
}
