// Starts processes that work on runs, and kills or suspends them at random moments, one at a time or all at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The most milliseconds that a worker may take to start. */
const START_MS = 60_000;

/** A place for one process at a time: when its process ends, the next one can start. */
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

  /** Starts a process; `begun` resolves when the process reports that it is working. */
  start() {
    this.#isEnding = false;
    const child = spawn(this.#node, this.#args, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A killed process does not read its input.
    child.stdin.on('error', () => undefined);
    this.#process = child;
    // A suspended process would not notice that its parent has ended.
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

  /** Kills the process; returns false if it has ended or is being killed already. */
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
  /** Workers that ended without being killed, which is a fault. */
  crashes = 0;
  #slots;
  #random;

  #pace;

  /**
   * @param pace `lifeMs`: the longest life of a worker; `frozenMs`: the longest time that it is suspended
   * @param random returns numbers from 0 to 1, the same ones for the same seed
   */
  constructor(node, args, count, pace, random) {
    this.#pace = pace;
    this.#random = random;
    this.#slots = Array.from({ length: count }, () => new Slot(node, args));
    for (const slot of this.#slots) slot.start();
  }

  /** Kills workers, and starts another one for each, until the given number was killed or the time is over. */
  async killUntil(total, isOver) {
    const done = () => this.kills >= total || isOver();
    await Promise.all(
      this.#slots.map(async (slot) => {
        while (!done()) {
          // Some workers are killed while they start, before they have done anything.
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

  /** Kills all workers at the same moment, so that no run is worked on until they are started again. */
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

  /** Kills the workers without counting them. */
  async stop() {
    await Promise.all(this.#slots.map((slot) => slot.end('SIGKILL')));
  }
}

/** Creates a function that returns numbers from 0 to 1, the same ones for the same seed. */
export function randoms(seed) {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
