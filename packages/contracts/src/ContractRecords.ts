import assert from 'node:assert/strict';
import type { RunStore } from 'toolwright/conversations';
import type { NewRun, RunRecords } from '@toolwright/durable';
import { requireDurable, type ContractLogs } from './ContractLogs.js';

/** The records of two stores on one storage, and runs of a conversation for this check only. */
export class ContractRecords {
  readonly here: RunRecords;
  readonly there: RunRecords;
  readonly #conversation: string;

  constructor({ store, other, conversation }: ContractLogs) {
    this.here = recordsOf(store);
    this.there = recordsOf(other);
    this.#conversation = conversation;
  }

  /** Creates a run with an id that begins with the id of the conversation. */
  run(name: string, fields: Partial<NewRun> = {}): NewRun {
    const conversation = this.#conversation;
    const run = { id: `${conversation} ${name}`, conversation, input: null, messages: [], trace: null };
    return { ...run, ...fields };
  }

  /** Creates runs, one after the other, alternating between the two stores. */
  async createAll(...runs: readonly NewRun[]): Promise<void> {
    for (const [index, run] of runs.entries())
      assert.equal(await (index % 2 === 0 ? this.here : this.there).create(run), 'created');
  }

  async assertLists(filter: Parameters<RunRecords['list']>[0], names: readonly string[]): Promise<void> {
    for (const records of [this.here, this.there]) {
      const ids = (await records.list(filter)).map(({ id }) => id.slice(this.#conversation.length + 1));
      assert.deepEqual(ids, names);
    }
  }
}

function recordsOf(store: RunStore): RunRecords {
  return requireDurable(store).records;
}
