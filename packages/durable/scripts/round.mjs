// One round: workers handle orders and are killed meanwhile; then effects and runs are counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { randoms, Workers } from './Workers.mjs';

const IN_FLIGHT = 10;
const CONVERSATIONS = 6;
const WORKERS = 3;

/**
 * @param sample the modules of samples/38-durable
 * @param place the store of the runs: `args`, which start a worker on it, and `open()`
 * @param pace the one of `Workers`, and `patienceMs`: the time in which all runs must end after the last kill
 * @returns the counts, and a line for each fault
 */
export async function round({ sample, services, place, pace, kills, seed, isOver }) {
  const random = randoms(seed);
  const runs = await place.open();
  const workers = new Workers(process.execPath, place.args, WORKERS, pace, random);
  const orders = new Orders(runs, random);
  try {
    const killing = workers.killUntil(kills, isOver);
    const answering = orders.answer();
    let isKilling = true;
    killing.finally(() => (isKilling = false)).catch(() => undefined);
    while (isKilling) {
      if ((await orders.open()) < IN_FLIGHT) await orders.start();
      else await sleep(100);
    }
    await killing;
    const stuck = await orders.ended(pace.patienceMs);
    orders.stop();
    await answering;
    if (workers.crashes > 0) stuck.push(`${workers.crashes} workers ended by themselves`);
    return { ...(await orders.count(sample, services, stuck)), kills: workers.kills, freezes: workers.freezes };
  } finally {
    orders.stop();
    await workers.stop();
    await runs.drain(0);
  }
}

class Orders {
  #runs;
  #random;
  #started = [];
  #isStopped = false;

  constructor(runs, random) {
    this.#runs = runs;
    this.#random = random;
  }

  async start() {
    const orderId = `W${this.#started.length + 1}`;
    const conversation = `c-${this.#started.length % CONVERSATIONS}`;
    this.#started.push(orderId);
    const messages = [{ role: 'user', content: `Handle ${orderId}.` }];
    await this.#runs.start({ id: orderId, conversation, input: { orderId }, messages });
  }

  /** Counts the runs that have not ended. */
  async open() {
    return (await this.#runs.list({ status: ['queued', 'running', 'waiting', 'paused'], limit: 1_000 })).length;
  }

  /** Answers questions after a while, like a supervisor. Sometimes all workers have been killed by then. */
  async answer() {
    const due = new Map();
    while (!this.#isStopped) {
      for (const { run, id } of await this.#runs.questions({ limit: 1_000 })) {
        if (!due.has(run)) due.set(run, Date.now() + this.#random() * 1_500);
        if (due.get(run) <= Date.now()) await this.#runs.reply(run, id, { kind: 'approved', by: 'kim' });
      }
      await sleep(100);
    }
  }

  stop() {
    this.#isStopped = true;
  }

  /** Waits until all runs have ended; returns the ids of those that have not. */
  async ended(ms) {
    const end = Date.now() + ms;
    while (Date.now() < end && (await this.open()) > 0) await sleep(200);
    const left = await this.#runs.list({ status: ['queued', 'running', 'waiting', 'paused'], limit: 1_000 });
    return left.map(({ id, status, owner, problem }) => `${id} is ${status}, ${owner}: ${problem}`);
  }

  /** Compares the effects in the services and the ends of the runs with the expectation of each order. */
  async count({ effects, ending }, services, stuck) {
    const faults = [];
    const fault = (kind, text) => faults.push({ kind, text });
    for (const text of stuck) fault('stuck', text);
    const byOrder = new Map(this.#started.map((orderId) => [orderId, []]));
    for (const effect of services.effects) byOrder.get(effect.orderId)?.push(effect);
    for (const orderId of this.#started) {
      const record = await this.#runs.get(orderId).catch(() => undefined);
      if (record === undefined) fault('lost', `${orderId} has no record`);
      if (record === undefined || stuck.some((text) => text.startsWith(`${orderId} `))) continue;
      const done = byOrder.get(orderId) ?? [];
      for (const [service, what] of effects) {
        const times = done.filter((one) => one.service === service && one.what === what).length;
        if (times === 0) fault('lost', `${orderId}: ${what} was not done`);
        if (times > 1) fault('twice', `${orderId}: ${what} was done ${times} times`);
      }
      const text = await this.#runs.result(orderId).then((response) => response.text, String);
      if (record.status !== 'answered' || text !== ending) fault('lost', `${orderId} is ${record.status}: ${text}`);
    }
    return { runs: this.#started.length, effects: services.effects.length, repeated: services.repeated, faults };
  }
}
