import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { ToolwrightError } from 'toolwright';
import { Conversation, type QuestionReply } from 'toolwright/conversations';
import { type DurableStore, MemoryRuns } from '@toolwright/durable';
import { call, deskOf, freshSession, user } from '../../../../spec/evaluate/conversation/desk';
import { sqliteRuns } from '../support/sqliteRuns';

const approved: QuestionReply = { kind: 'approved' };
const folder = mkdtempSync(join(tmpdir(), 'toolwright-two-replies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const ask = [{ toolCalls: [call('note')] }];
const goOn = [{ toolCalls: [call('keep'), call('look')] }, { toolCalls: [call('keep')] }, { text: 'Done.' }];

describe.each<[string, () => DurableStore]>([
  ['SqliteRuns', () => sqliteRuns(join(folder, `${++files}.db`))],
  ['a store in memory', () => new MemoryRuns()],
])('two clients of one conversation in %s', (_name, open) => {
  async function park(started: () => Promise<void> | void = () => undefined) {
    const store = open();
    const conversation = await Conversation.open(store, 'c-1');
    const session = freshSession();
    const { run } = await deskOf({
      needsApproval: true,
      started,
      app: { approver: { approve: async () => ({ kind: 'later' as const }) } },
    });
    const options = { conversation, session };
    await expect(run(ask, { ...options, messages: user('Note a.') })).rejects.toThrow(/approval/i);
    const [question] = conversation.questions;
    return {
      store,
      conversation,
      question: question!.id,
      run: () => run(goOn, options),
      begin: (script: Parameters<typeof run>[0], content: string) =>
        run(script, { ...options, messages: user(content) }),
    };
  }

  test.each([0, 1, 2, 3, 5, 8, 13, 21, 34])(
    'a reply that comes %i turns after the run has gone on is late, and the run ends',
    async (turns) => {
      let notes = 0;
      const { store, conversation, question, run } = await park(async () => {
        notes++;
        await turn();
      });
      expect(await conversation.reply(question, approved)).toBe('taken');
      const running = run();
      for (let done = 0; done < turns; done++) await turn();
      expect(await conversation.reply(question, approved)).toBe('late');
      expect((await running).response.text).toBe('Done.');
      expect(notes).toBe(3);
      expect((await Conversation.open(store, 'c-1')).toJSON()).toEqual(conversation.toJSON());
    },
  );

  test('of two clients that reply and go on at once, one runs, and the other reads late and that a run goes on (E728)', async () => {
    let notes = 0;
    const { store, conversation, question, run } = await park(() => {
      notes++;
    });
    const client = async () => {
      const taken = await conversation.reply(question, approved);
      return {
        taken,
        text: await run().then(
          ({ response }) => response.text,
          (error: unknown) => (error as ToolwrightError).code,
        ),
      };
    };
    const clients = await Promise.all([client(), client()]);
    expect(clients).toEqual([
      { taken: 'taken', text: 'Done.' },
      { taken: 'late', text: 'E728' },
    ]);
    expect(notes).toBe(3);
    expect((await Conversation.open(store, 'c-1')).toJSON()).toEqual(conversation.toJSON());
  });

  test('a reply that is taken while another message begins a run stands before that run', async () => {
    const { store, conversation, question, begin } = await park();
    const replying = conversation.reply(question, approved);
    const { response } = await begin([{ text: 'Good morning.' }], 'Good morning.');
    expect([await replying, response.text]).toEqual(['taken', 'Good morning.']);
    const stored = await Conversation.open(store, 'c-1');
    expect(conversation.messages).toEqual(stored.messages);
    const { entries } = stored.toJSON();
    expect(conversation.toJSON().entries).toEqual(entries);
    expect(entries.map(({ kind }) => kind).slice(4)).toEqual(['question', 'reply', 'end', 'run', 'answer', 'end']);
  });
});
