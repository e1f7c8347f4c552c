import assert from 'node:assert/strict';
import type { LogPosition, RunEntry, SteeringMessage } from 'toolwright/conversations';
import type { DurableStore, NewRun } from '@toolwright/durable';
import { assertRefused, ended, requireDurable, type ContractLogs } from './ContractLogs.js';
import { ContractRecords } from './ContractRecords.js';
import { defineRequirement, NO_IDS, type StoreRequirement } from './storeChecks.js';

/** A text that breaks keys and statements that are concatenated from texts. */
const ODD = 'ä💡\u2028\0\ud800\'"; DROP TABLE inbox; --';

function makeMessage(id: string, content = `Text of ${id}.`): SteeringMessage {
  return { id, message: { role: 'user', content } };
}

const hearing = ({ id, message }: SteeringMessage): RunEntry => ({ kind: 'steering', turn: 1, id, message });
const endOf = ({ id }: NewRun): RunEntry => ({ ...ended, run: id, how: 'answered' });

/** A run that is worked on, through two stores on one storage. */
class SteeredConversation {
  readonly here: DurableStore;
  readonly there: DurableStore;
  readonly run: NewRun;
  readonly conversation: string;
  readonly runs: ContractRecords;
  #epoch = 0;
  /** The number of entries in the log. */
  count = 0;

  private constructor(logs: ContractLogs) {
    this.here = requireDurable(logs.store);
    this.there = requireDurable(logs.other);
    this.runs = new ContractRecords(logs);
    this.run = this.runs.run('r');
    this.conversation = logs.conversation;
  }

  static async create(logs: ContractLogs): Promise<SteeredConversation> {
    const steered = new SteeredConversation(logs);
    await steered.runs.createAll(steered.run);
    return steered;
  }

  /** Takes the run as a worker does. Returns whether messages wait. */
  async begin(...entries: readonly RunEntry[]): Promise<boolean> {
    await this.here.records.change(this.run.id, { status: ['queued'] }, { status: 'running', owner: 'a' });
    const { epoch, isSteered = false, entries: read } = await this.here.open(this.conversation);
    this.#epoch = epoch;
    this.count = read.length;
    await this.append([{ kind: 'run', run: this.run.id, messages: [] }, ...entries]);
    return isSteered;
  }

  /** Appends entries. Returns whether the store says that messages wait. */
  async append(entries: readonly RunEntry[], options: Partial<LogPosition> = {}): Promise<boolean> {
    let isSteered = false;
    const onSteered = (): void => {
      isSteered = true;
    };
    const { conversation } = this;
    await this.here.append({ conversation, epoch: this.#epoch, after: this.count, onSteered, ...options }, entries);
    this.count = (await this.here.entries(conversation)).length;
    return isSteered;
  }

  steer(message: SteeringMessage, run: Pick<NewRun, 'id' | 'conversation'> = this.run): Promise<'taken' | 'late'> {
    return this.there.steer(run, message);
  }

  async assertWaiting(messages: readonly SteeringMessage[], run = this.run): Promise<void> {
    for (const store of [this.here, this.there]) {
      const waiting = await store.inbox(this.conversation, run.id);
      assert.deepEqual(
        waiting.map(({ id, message }) => ({ id, message })),
        messages,
      );
    }
  }
}

const hearingChecks: readonly StoreRequirement[] = [
  defineRequirement('a message waits for its run until an entry names it, and comes once', async (logs) => {
    const run = await SteeredConversation.create(logs);
    await run.begin();
    const messages = [makeMessage('b'), makeMessage(ODD, ODD), makeMessage('a')] as const;
    for (const message of messages) assert.equal(await run.steer(message), 'taken');
    assert.equal(await run.here.steer(run.run, makeMessage('a', 'again')), 'late', 'a message that waits');
    await run.assertWaiting(messages);
    assert.equal(await run.append(messages.slice(0, 2).map(hearing)), true, 'one of them still waits');
    await run.assertWaiting(messages.slice(2));
    assert.equal(await run.steer(makeMessage(ODD)), 'late', 'a message that was heard');
    assert.equal(await run.append(messages.slice(2).map(hearing)), false);
    // An acknowledgement may have been lost: what was heard once does not count twice.
    const [, , last] = messages;
    await run.append([hearing(last)], { after: run.count - 1 });
    assert.equal(await run.steer(makeMessage('c')), 'taken');
    assert.equal(await run.append([]), true);
    await run.assertWaiting([makeMessage('c')]);
  }),
  defineRequirement('every append and the opening of a log say whether messages wait', async (logs) => {
    const run = await SteeredConversation.create(logs);
    assert.equal(await run.begin(), false);
    assert.equal(await run.append([hearing(makeMessage('of this process'))]), false);
    await run.steer(makeMessage('a'));
    assert.equal(await run.append([logs.question('1.0')]), true);
    assert.equal((await run.there.open(run.conversation)).isSteered, true);
  }),
  defineRequirement('a run is not answered while messages wait for it', async (logs) => {
    const run = await SteeredConversation.create(logs);
    await run.begin();
    await run.steer(makeMessage('a'));
    const before = run.count;
    assert.equal(await run.append([endOf(run.run)], { unlessSteered: true }), true);
    assert.equal(run.count, before, 'an end that was refused was appended');
    assert.equal((await run.there.records.get(run.run.id))?.status, 'running');
    assert.equal(await run.append([hearing(makeMessage('a'))]), false);
    assert.equal(await run.append([endOf(run.run)], { unlessSteered: true }), false);
    assert.equal(run.count, before + 2);
    assert.equal(await run.steer(makeMessage('b')), 'late', 'a message after the end');
  }),
  defineRequirement(
    'of a message and the answer that come at once, the message is late or the run hears it',
    async (logs) => {
      const run = await SteeredConversation.create(logs);
      await run.begin();
      for (let round = 0; round < 10; round++) {
        const message = makeMessage(String(round));
        const [taken, isSteered] = await Promise.all([
          run.steer(message),
          run.append([endOf(run.run)], { unlessSteered: true }),
        ]);
        const isAnswered = (await run.there.records.get(run.run.id))?.status !== 'running';
        assert.deepEqual([isAnswered, isSteered], taken === 'taken' ? [false, true] : [true, false]);
        if (isAnswered) return;
        await run.append([hearing(message)]);
      }
    },
  ),
  defineRequirement('of messages that come at once under one id, one is taken', async (logs) => {
    const run = await SteeredConversation.create(logs);
    await run.begin();
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        (index % 2 === 0 ? run.here : run.there).steer(run.run, makeMessage('a', String(index))),
      ),
    );
    assert.deepEqual(taken.sort(), [...Array.from({ length: 7 }, () => 'late'), 'taken']);
    assert.equal((await run.here.inbox(run.conversation, run.run.id)).length, 1);
  }),
];

const runChecks: readonly StoreRequirement[] = [
  defineRequirement('a message waits for a run that has not begun, and the run begins with it', async (logs) => {
    const run = await SteeredConversation.create(logs);
    assert.equal(await run.steer(makeMessage('a')), 'taken');
    await run.assertWaiting([makeMessage('a')]);
    const { epoch, isSteered } = await run.here.open(run.conversation);
    assert.equal(isSteered, true);
    const begun: RunEntry = { kind: 'run', run: run.run.id, messages: [], steered: ['a'] };
    await run.here.append({ conversation: run.conversation, epoch, after: 0 }, [begun]);
    await run.assertWaiting([]);
    assert.equal(await run.steer(makeMessage('a')), 'late');
  }),
  defineRequirement('a message reaches its own run, or the next one if that ended without hearing it', async (logs) => {
    const run = await SteeredConversation.create(logs);
    const next = run.runs.run('next');
    await run.runs.createAll(next);
    await run.begin();
    assert.equal(await run.steer(makeMessage('late')), 'taken');
    assert.equal(await run.steer(makeMessage('early'), next), 'taken');
    await run.assertWaiting([makeMessage('late')]);
    await run.assertWaiting([makeMessage('early')], next);
    await run.append([{ ...ended, run: run.run.id }]);
    await run.assertWaiting([makeMessage('late'), makeMessage('early')], next);
  }),
  defineRequirement('a message to a run that has ended, or does not exist, is late', async (logs) => {
    const run = await SteeredConversation.create(logs);
    await run.begin(endOf(run.run));
    for (const each of [run.run, { ...run.run, id: 'never' }, { ...run.run, conversation: logs.second }])
      assert.equal(await run.steer(makeMessage('a'), each), 'late');
    assert.equal((await run.there.open(run.conversation)).isSteered ?? false, false);
    const waiting = run.runs.run('waits');
    await run.runs.createAll(waiting);
    for (const status of ['waiting', 'paused'] as const) {
      await run.here.records.change(waiting.id, { status: ['queued', 'waiting'] }, { status });
      assert.equal(await run.steer(makeMessage(status), waiting), 'taken');
    }
  }),
  defineRequirement('messages are deleted with their conversation', async (logs) => {
    const run = await SteeredConversation.create(logs);
    await run.begin();
    await run.steer(makeMessage('a'));
    await run.append([{ ...ended, run: run.run.id }]);
    await run.there.delete(run.conversation);
    await run.assertWaiting([]);
    await run.runs.createAll(run.run);
    assert.equal(await run.begin(), false);
    assert.equal(await run.steer(makeMessage('a')), 'taken');
  }),
  defineRequirement('tenants have messages of their own under the same ids', async (logs) => {
    const { conversation } = logs;
    const tenants = [null, `${conversation} a`, ODD];
    for (const tenant of tenants) {
      const store = logs.ofTenant(tenant);
      await store.records.create({ id: 'r', conversation, input: null, messages: [], trace: null });
      assert.equal(await store.steer({ id: 'r', conversation }, makeMessage('a', String(tenant))), 'taken');
    }
    for (const tenant of tenants) {
      const [waiting, ...others] = await requireDurable(logs.other).forTenant(tenant).inbox(conversation, 'r');
      assert.deepEqual([waiting?.message.content, others], [String(tenant), []]);
    }
  }),
  defineRequirement('ids of messages, runs and conversations that are not texts are refused (E709)', async (logs) => {
    const run = await SteeredConversation.create(logs);
    const { id, conversation } = run.run;
    for (const odd of NO_IDS) {
      const none = odd as string;
      for (const call of [
        () => run.steer(makeMessage(none, 'x')),
        () => run.steer(makeMessage('a'), { id: none, conversation }),
        () => run.steer(makeMessage('a'), { id, conversation: none }),
        () => run.here.inbox(none, id),
      ])
        await assertRefused((async () => call())(), `an id that is ${typeof odd}`);
    }
    await run.assertWaiting([]);
  }),
];

/** Requirements for messages that wait for a run. */
export const inboxChecks: readonly StoreRequirement[] = [...hearingChecks, ...runChecks];
