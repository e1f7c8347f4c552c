import { nextTick } from 'node:process';
import { messageOf } from '../../common/text.js';
import type { BridgeAnswer, BridgeCall, HoldClock, SandboxBridge, SandboxEnd, SandboxLimits } from '../Sandbox.js';
import type { EngineWorker } from './EngineWorker.js';
import { GuestClock } from './GuestClock.js';
import type { FromWorker, GuestAnswer, GuestEnd, ProgramOrder, GuestMessage } from './protocol.js';
import { Watchdog } from './Watchdog.js';

/** So long a guest may take to notice that it has to stop; large native operations do not notice. */
const HARD_STOP_MS = 75;
/** Answers are sent together up to so many characters. */
const FULL_ANSWERS = 4_000_000;
/** So long the host listens to one program in one turn of its event loop; a flood of calls would take all of it. */
const LISTEN_MS = 10;

/** A controller with its signal, which a controller makes when it is first asked for. */
interface Cancellation {
  readonly abort: AbortController;
  readonly signal: AbortSignal;
}

/** One program on the host: runs its calls, watches its time, and decides how it ended. */
export class ProgramRun {
  /** Settles when nothing of the program runs any more. */
  readonly ended: Promise<SandboxEnd>;
  private finalise!: (end: SandboxEnd) => void;
  private readonly clock = new GuestClock();
  private readonly pending = new Map<number, { readonly abort: AbortController; readonly line: number | undefined }>();
  private readonly hold: HoldClock = () => this.watch?.hold() ?? (() => undefined);
  private answers: GuestAnswer[] = [];
  /** What the worker sent and the host has not looked at, in order. */
  private unheard: FromWorker[] = [];
  /** When the host stops to listen in this turn of its event loop; undefined before it has begun to. */
  private listensUntil: number | undefined;
  /** For the next call: made while the worker computes, since it takes longer than all else that a call needs here. */
  private spare: Cancellation | undefined;
  private watch: Watchdog | undefined;
  private hardStop: NodeJS.Timeout | undefined;
  /** How the host ended the program; whatever the worker says after that does not count. */
  private verdict: SandboxEnd | undefined;

  constructor(
    private readonly worker: EngineWorker,
    private readonly bridge: SandboxBridge,
    private readonly limits: SandboxLimits,
  ) {
    this.ended = new Promise((resolve) => (this.finalise = resolve));
  }

  start(order: Omit<ProgramOrder, 'clock' | 'limits'>): void {
    this.worker.start({ ...order, limits: this.limits, clock: this.clock.memory }, (message) => {
      this.unheard.push(message);
      this.listen();
    });
  }

  /** Ends the program, whatever it is doing. */
  stop(verdict: SandboxEnd): void {
    if (this.verdict !== undefined) return;
    this.settle(verdict);
    this.clock.stop();
    this.worker.stop();
    this.hardStop = setTimeout(() => void this.worker.terminate(), HARD_STOP_MS);
  }

  /** Looks at what came, as far as the time of this turn reaches; the event loop takes many messages in one turn. */
  private listen(): void {
    if (this.listensUntil === undefined) {
      this.listensUntil = performance.now() + LISTEN_MS;
      setImmediate(() => {
        this.listensUntil = undefined;
        if (this.unheard.length > 0) this.listen();
      });
    }
    while (this.unheard.length > 0 && performance.now() < this.listensUntil) {
      const message = this.unheard.shift();
      if (message !== undefined) this.hear(message);
    }
  }

  private hear(message: FromWorker): void {
    switch (message.kind) {
      case 'began':
        if (this.verdict === undefined)
          this.watch = new Watchdog(this.limits, this.clock, (limit) => this.stop({ kind: 'exceeded', limit }));
        break;
      case 'said':
        for (const utterance of message.said) this.heard(utterance);
        break;
      case 'ended':
        clearTimeout(this.hardStop);
        this.finalise(this.verdict ?? this.settle(endOf(message.end)));
    }
  }

  private heard(utterance: GuestMessage): void {
    if (this.verdict !== undefined) return;
    if (utterance.kind === 'call') void this.call(utterance.call);
    else this.bridge.write(utterance.stream, utterance.text);
  }

  private async call(call: BridgeCall): Promise<void> {
    const { abort, signal } = this.spare ?? cancellation();
    this.spare = undefined;
    this.pending.set(call.id, { abort, line: call.line });
    try {
      const answer = await this.bridge.call(call, signal, this.hold);
      if (this.pending.delete(call.id)) this.answer(call, answer);
    } catch (error) {
      // It promised not to: what it did for the program is not known.
      this.stop({ kind: 'crashed', message: `the bridge failed in ${call.name}: ${messageOf(error)}` });
    }
  }

  private answer({ id, line }: BridgeCall, answer: BridgeAnswer): void {
    const { maxResultBytes } = this.limits;
    if (answer.ok && answer.json !== undefined && Buffer.byteLength(answer.json) > maxResultBytes)
      return this.stop({ kind: 'exceeded', limit: 'result', line });
    // Answers that come in the same turn of the event loop cross together.
    if (this.answers.push({ ...answer, id }) === 1) nextTick(() => this.sendAnswers());
  }

  private sendAnswers(): void {
    const { answers } = this;
    this.answers = [];
    if (this.verdict !== undefined) return;
    let [from, size] = [0, 0];
    for (const [index, answer] of answers.entries()) {
      size += (answer.ok ? answer.json : answer.message)?.length ?? 0;
      if (size < FULL_ANSWERS && index < answers.length - 1) continue;
      this.worker.answer(answers.slice(from, index + 1));
      [from, size] = [index + 1, 0];
    }
    this.spare ??= cancellation();
  }

  /** From here on the bridge is not called any more. */
  private settle(verdict: SandboxEnd): SandboxEnd {
    this.verdict = verdict;
    this.watch?.stop();
    for (const { abort } of this.pending.values()) abort.abort();
    this.pending.clear();
    return verdict;
  }
}

function cancellation(): Cancellation {
  const abort = new AbortController();
  return { abort, signal: abort.signal };
}

/** `stopped` without a wish of the host's is not to be expected. */
function endOf(end: GuestEnd): SandboxEnd {
  if (end.kind === 'idle') return { kind: 'exceeded', limit: 'wall', idle: true };
  return end.kind === 'stopped' ? { kind: 'crashed', message: 'the guest stopped by itself' } : end;
}
