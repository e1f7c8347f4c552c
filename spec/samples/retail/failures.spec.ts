import 'reflect-metadata';
import { join } from 'node:path';
import { type Application, type RenderedPrompt, Session, type ToolOutcome } from 'toolwright';
import { failAfter, failAtWrite, InjectedFailure } from 'toolwright/testing';
import { createRetailApplication, quietLogger } from '../../../samples/20-retail-desk/application.js';
import { everyChapter } from '../../../samples/20-retail-desk/everyChapter.js';
import { hashOf, hashOfResult } from '../../../samples/20-retail-desk/comparison/canonicalJson.js';
import {
  readData,
  readTasks,
  type ExpectedCall,
  type RetailTask,
} from '../../../samples/20-retail-desk/comparison/readInput.js';
import { RetailDesk } from '../../../samples/20-retail-desk/RetailDesk.js';
import { unsupervised } from '../../../samples/20-retail-desk/services/Supervisor.js';
import { RetailStore } from '../../../samples/20-retail-desk/store/RetailStore.js';
import { tableNames } from '../../../samples/20-retail-desk/store/rows.js';
import { describeWithData } from '../../support/absent.js';

/** Makes the desk that fails, over the store of the one that does not. */
type Saboteur = (store: RetailStore) => Promise<Application>;

interface Count {
  /** Failures that were injected. */
  readonly injected: number;
  /** Those among them whose call changed records when it was made again. */
  readonly undone: number;
}

describeWithData('retail', 'failures injected into the public retail tasks', (dir) => {
  const base = RetailStore.of(readData(dir));
  const tasks = readTasks(join(dir, 'tasks.jsonl'));

  test.each<[when: string, saboteur: Saboteur, count: Count]>([
    [
      'after each call',
      (store) =>
        createRetailApplication(store, {
          logger: quietLogger,
          approver: unsupervised,
          interceptors: [failAfter('*')],
        }),
      { injected: 773, undone: 773 },
    ],
    ['at the first write of each call', (store) => deskFailingAtWrite(store, 1), { injected: 773, undone: 773 }],
    ['at the second write of each call', (store) => deskFailingAtWrite(store, 2), { injected: 295, undone: 295 }],
  ])('%s leave every record as it was, and the call can be made again', async (_when, saboteur, count) => {
    expect(await new Sabotage(base, base.begin()).play(tasks, saboteur)).toEqual(count);
  });
});

/** Every record of a store, table by table, in the order of a scan. */
type Snapshot = readonly (readonly (readonly [id: string, row: object])[])[];

const frozen = new WeakSet();

/** True if no part of a value can change. */
function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return true;
  if (!Object.isFrozen(value) || !Object.values(value).every(isFrozen)) return false;
  frozen.add(value);
  return true;
}

class Sabotage {
  #injected = 0;
  #undone = 0;
  // Rows are deeply frozen, so the same object has the same hash.
  readonly #hashes = new WeakMap<object, string>();

  constructor(
    private readonly base: RetailStore,
    private readonly store: RetailStore,
  ) {}

  async play(tasks: readonly RetailTask[], saboteur: Saboteur): Promise<Count> {
    const desks = [await Desk.of(await saboteur(this.store)), await Desk.of(await openDesk(this.store))] as const;
    for (const task of tasks) {
      const session = new Session();
      for (const [index, call] of task.calls.entries()) {
        await this.#sabotage(call, `${task.label}, call ${index + 1}, ${call.name}`, session, desks);
      }
      this.#expectChanges(task);
      this.store.reset();
    }
    return { injected: this.#injected, undone: this.#undone };
  }

  /** The call with the failure, and then, unless nothing was there to fail, the same call without. */
  async #sabotage(call: ExpectedCall, place: string, session: Session, [failing, sound]: readonly [Desk, Desk]) {
    const before = this.#snapshot();
    const failed = await failing.call(call, session);
    if (failed.kind === 'succeeded' || !(failed.error instanceof InjectedFailure)) {
      expectRecorded(failed, call, place);
      return;
    }
    this.#injected += 1;
    expect({ place, success: failed.result.success, value: failed.result.value }).toEqual({
      place,
      success: false,
      value: null,
    });
    expect({ place, changed: this.#changedSince(before) }).toEqual({ place, changed: [] });
    expectRecorded(await sound.call(call, session), call, place);
    if (this.#changedSince(before).length > 0) this.#undone += 1;
  }

  #snapshot(): Snapshot {
    return tableNames.map((table) => [...this.store[table].entries()]);
  }

  /** The places of records that are new, missing or changed. */
  #changedSince(before: Snapshot): readonly string[] {
    return this.#snapshot().flatMap((now, table) => {
      const then = before[table] ?? [];
      const longer = now.length < then.length ? then : now;
      return longer.filter((_, at) => !this.#isSame(then[at], now[at])).map(([id]) => `${tableNames[table]} ${id}`);
    });
  }

  #isSame(then: Snapshot[number][number] | undefined, now: Snapshot[number][number] | undefined): boolean {
    return then?.[0] === now?.[0] && then !== undefined && now !== undefined && this.#isSameRow(then[1], now[1]);
  }

  /** The same object counts as unchanged only if it cannot have been changed in place. */
  #isSameRow(one: object, other: object): boolean {
    return one === other ? isFrozen(one) : this.#hash(one) === this.#hash(other);
  }

  #hash(row: object): string {
    const known = this.#hashes.get(row);
    if (known !== undefined) return known;
    const hash = hashOf(row);
    this.#hashes.set(row, hash);
    return hash;
  }

  /** Expects exactly the changes of the task. */
  #expectChanges({ label, changed }: RetailTask): void {
    const found: string[] = [];
    for (const table of tableNames) {
      for (const [id, row] of this.store[table].entries()) {
        const before: object | undefined = this.base[table].get(id);
        if (before === undefined || !this.#isSameRow(row, before)) found.push(`${table} ${id} ${this.#hash(row)}`);
      }
    }
    const wanted = tableNames.flatMap((table) =>
      Object.entries(changed[table] ?? {}).map(([id, sha]) => `${table} ${id} ${sha}`),
    );
    expect({ label, records: found.sort() }).toEqual({ label, records: wanted.sort() });
  }
}

class Desk {
  #calls = 0;

  private constructor(
    private readonly app: Application,
    private readonly rendered: RenderedPrompt,
  ) {}

  static async of(app: Application): Promise<Desk> {
    const prompt = app.prompt(RetailDesk);
    return new Desk(app, await prompt.render(everyChapter(prompt)));
  }

  call({ name, args }: ExpectedCall, session: Session): Promise<ToolOutcome> {
    this.#calls += 1;
    const call = { id: `c${this.#calls}`, name, arguments: JSON.stringify(args) };
    return this.app.callTool(this.rendered, call, { session });
  }
}

/** A desk whose n-th write in each call fails, whichever table it goes to. */
function deskFailingAtWrite(store: RetailStore, n: number): Promise<Application> {
  return openDesk(failAtWrite(store, n, { fewerWrites: 'kept' }));
}

function openDesk(store: RetailStore): Promise<Application> {
  return createRetailApplication(store, { logger: quietLogger, approver: unsupervised });
}

function expectRecorded({ result }: ToolOutcome, call: ExpectedCall, place: string): void {
  expect({ place, success: result.success }).toEqual({ place, success: !call.error });
  if (!call.error && call.sha !== undefined)
    expect({ place, sha: hashOfResult(result.value) }).toEqual({ place, sha: call.sha });
}
