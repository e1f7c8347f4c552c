// Processes that work on runs, and what happens to them: they are killed at any moment, all at once, or stopped for a while.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest that a worker may take to begin, in milliseconds. */
const START_MS = 60_000;

/** One process after the other in the same place. */
export class Slot {
  #process;
  #args;
  #begun = Promise.resolve();
  #isEnding = false;
  #node;

  constructor(node, args) {
    this.#node = node;
    this.#args = args;
  }

  /** Starts a process; `begun` resolves when it has begun to work. */
  start() {
    this.#isEnding = false;
    const child = spawn(this.#node, this.#args, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A process that was killed reads no more.
    child.stdin.on('error', () => undefined);
    this.#process = child;
    // One that is stopped would not see that its parent has ended.
    const killed = () => child.kill('SIGKILL');
    process.once('exit', killed);
    child.once('exit', () => process.off('exit', killed));
    this.#begun = Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit'),
      sleep(START_MS, 'late', { ref: false }),
    ]);
    child.stdout.resume();
  }

  get hasEnded() {
    return !this.#isEnding && (this.#process.exitCode !== null || this.#process.signalCode !== null);
  }

  get begun() {
    return this.#begun;
  }

  /** Ends the process; returns false if it has ended, or is being ended already. */
  async end(signal) {
    const child = this.#process;
    if (this.#isEnding || child.exitCode !== null || child.signalCode !== null) return false;
    this.#isEnding = true;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return true;
  }

  async freeze(ms) {
    const child = this.#process;
    child.kill('SIGSTOP');
    await sleep(ms);
    child.kill('SIGCONT');
  }
}

export class Workers {
  kills = 0;
  freezes = 0;
  /** Workers that ended by themselves, which none should. */
  crashes = 0;
  #slots;
  #random;

  #pace;

  /**
   * @param pace `lifeMs`: how long a worker lives at most; `frozenMs`: how long it is stopped at most
   * @param random numbers from 0 to 1 that are the same for the same seed
   */
  constructor(node, args, count, pace, random) {
    this.#pace = pace;
    this.#random = random;
    this.#slots = Array.from({ length: count }, () => new Slot(node, args));
    for (const slot of this.#slots) slot.start();
  }

  /** Kills workers until so many were killed or the time is over, each continued by another one. */
  async killUntil(total, isOver) {
    const done = () => this.kills >= total || isOver();
    await Promise.all(
      this.#slots.map(async (slot) => {
        while (!done()) {
          // Some are killed while they begin, before they have done anything.
          if (this.#random() > 0.1) await slot.begun;
          await sleep(this.#random() * this.#pace.lifeMs);
          if (done()) break;
          await this.#disturb(slot);
        }
      }),
    );
  }

  async #disturb(slot) {
    const chance = this.#random();
    if (chance < 0.08) {
      this.freezes += 1;
      await slot.freeze(300 + this.#random() * this.#pace.frozenMs);
    } else if (chance < 0.16) await this.killAll();
    else await this.#kill(slot);
  }

  /** All at the same moment: nobody is left until they start again. */
  async killAll() {
    const killed = await Promise.all(this.#slots.map((slot) => slot.end('SIGKILL')));
    this.#slots.forEach((slot, index) => killed[index] && this.#next(slot));
  }

  async #kill(slot) {
    if (await slot.end('SIGKILL')) this.#next(slot);
    else if (slot.hasEnded) {
      this.crashes += 1;
      slot.start();
    }
  }

  #next(slot) {
    this.kills += 1;
    slot.start();
  }

  /** Ends them; not counted. */
  async stop() {
    await Promise.all(this.#slots.map((slot) => slot.end('SIGKILL')));
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randoms(seed) {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
