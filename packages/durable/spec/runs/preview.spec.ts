import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Application,
  ApprovalPendingError,
  createApplication,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { rehearse } from 'toolwright/own-loop';
import { ScriptedModel } from 'toolwright/testing';
import { digestChanges } from 'toolwright/internal';
import { openRuns } from '@toolwright/durable';
import { silent } from '../../../../spec/support/silent';
import { sqliteRuns } from '../support/sqliteRuns';

function fail(problem: string): never {
  throw new TypeError(problem);
}

/** What the preview of a question of this conversation would return as `seen`. */
async function previewOf(app: Application, conversation: Conversation, call: string, id: string) {
  const session = new Session({ slices: [Paid] });
  Conversation.fromJSON(JSON.parse(JSON.stringify(conversation))).link(session);
  const rendered = await app.prompt(Shop).render({ session });
  const { arguments: given, name } = conversation.questions[0] ?? fail('no question');
  const options = { session, runMetadata: { run: 'r', conversation: id } };
  return digestChanges(await rehearse(app, rendered, { id: call, name, arguments: given }, options));
}

class Payment {
  @Param({ description: 'Amount', type: Number }) amount!: number;
  @Param({ description: 'Card', type: String }) card!: string;
}

class Paid {
  @Param({ description: 'Amount', type: Number }) readonly amount: number;

  constructor(amount: number) {
    this.amount = amount;
  }
}

/** What one unit costs, which others may change. */
let price = 1;

@Section({ title: 'Till' })
class Till {
  @Tool({ description: 'Buys.', params: Payment, hints: { openWorld: false }, requiresApproval: true })
  buy({ amount }: Payment, { session }: ToolContext): string {
    session.dispatch(new Paid(amount * price));
    return `paid ${String(amount * price)}`;
  }

  @Tool({ description: 'Notes.', params: Payment, hints: { openWorld: false } })
  note({ amount }: Payment, { session }: ToolContext): string {
    session.dispatch(new Paid(amount));
    return 'noted';
  }

  @Tool({ description: 'Pays.', params: Payment, hints: { openWorld: false }, requiresApproval: true })
  pay({ amount }: Payment, { session }: ToolContext): string {
    session.dispatch(new Paid(amount));
    return `paid ${String(amount)}`;
  }

  @Tool({ description: 'Pays elsewhere.', params: Payment, requiresApproval: true })
  wire(): string {
    return 'sent';
  }
}

@Prompt({ ns: 'shop', key: 'till', sections: [Till] })
class Shop {}

/** A run that noted one payment and waits for the approval of another. */
async function waiting(tool: string) {
  const folder = mkdtempSync(join(tmpdir(), 'preview-'));
  const app = await createApplication({
    prompts: [Shop],
    logger: silent,
    redact: (text) => text.replaceAll('4111', '****'),
    approver: { approve: () => ({ kind: 'later' }) },
  });
  const call = (name: string, amount: number) => ({
    toolCalls: [{ name, arguments: { amount, card: '4111-1111' } }],
  });
  const adapter = new ScriptedModel([call('note', 1), call(tool, 2), { text: 'Done.' }]);
  const store = sqliteRuns(join(folder, 'runs.db'));
  const runs = await openRuns(app, {
    store,
    pollMs: 20,
    prepare: () => ({ prompt: Shop, adapter, slices: [Paid] }),
  });
  await runs.start({ id: 'r', messages: [{ role: 'user', content: 'Pay.' }] });
  const until = Date.now() + 60_000;
  while ((await runs.questions()).length === 0 && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const [question] = await runs.questions();
  const close = async (): Promise<void> => {
    await runs.drain(500);
    await app.close();
    // Its thread has files of the folder open until then.
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { runs, app, adapter, store, conversation: question?.conversation ?? '', question: question?.id ?? '', close };
}

describe('runs.preview', () => {
  test('runs.preview shows what the call would change of the recorded session, redacted, and keeps nothing', async () => {
    const { runs, question, close } = await waiting('pay');
    const entries = JSON.stringify(await runs.questions());
    for (let times = 0; times < 2; times++) {
      const { arguments: given, rehearsal, problem } = await runs.preview('r', question);
      expect(given).toEqual({ amount: 2, card: '****-1111' });
      expect([rehearsal?.outcome.text, problem]).toEqual(['paid 2', undefined]);
      expect(rehearsal?.changed).toEqual([
        { part: 'session', name: 'Paid', changes: [{ what: '1', before: undefined, after: { amount: 2 } }] },
      ]);
    }
    expect(JSON.stringify(await runs.questions())).toBe(entries);
    await close();
  });

  test('runs.preview says why a call cannot be rehearsed, and rehearses nothing unless it is asked to', async () => {
    const { runs, question, close } = await waiting('wire');
    const preview = await runs.preview('r', question);
    expect(preview).toMatchObject({
      rehearsal: undefined,
      problem: expect.stringContaining('may act outside') as unknown,
    });
    expect(await runs.preview('r', question, { rehearses: false })).toMatchObject({ problem: undefined });
    await close();
  });
});

describe('an approval of what a preview has shown', () => {
  afterEach(() => {
    price = 1;
  });
  const waitFor = async (holds: () => Promise<boolean>): Promise<void> => {
    for (let left = 500; left > 0 && !(await holds()); left--) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  test('an approval of what a preview has shown holds while the call would do the same', async () => {
    const { runs, question, close } = await waiting('buy');
    const { seen } = await runs.preview('r', question);
    expect(await runs.reply('r', question, { kind: 'approved', seen })).toBe('taken');
    expect((await runs.result('r')).text).toBe('Done.');
    await close();
  });

  test('an approval of what a preview has shown is asked for again, under another id, when the call would do something else', async () => {
    const { runs, question, close } = await waiting('buy');
    const { seen } = await runs.preview('r', question);
    price = 1_000;
    expect(await runs.reply('r', question, { kind: 'approved', seen })).toBe('taken');
    await waitFor(async () => (await runs.questions()).length > 0);
    const [again] = await runs.questions();
    expect(again).toMatchObject({ call: '2.0', name: 'buy', about: 'approval' });
    expect(again?.id).not.toBe(question);
    const now = await runs.preview('r', again?.id ?? '');
    expect(now.rehearsal?.outcome.text).toBe('paid 2000');
    expect(now.seen).not.toBe(seen);
    expect(await runs.reply('r', again?.id ?? '', { kind: 'approved', seen: now.seen })).toBe('taken');
    expect((await runs.result('r')).text).toBe('Done.');
    await close();
  });

  type Waiting = Awaited<ReturnType<typeof waiting>>;
  const doors: readonly (readonly [string, (desk: Waiting, seen: string | undefined) => Promise<'taken' | 'late'>])[] =
    [
      [
        'store.reply',
        ({ store, conversation, question }, seen) => store.reply(conversation, question, { kind: 'approved', seen }),
      ],
      [
        'conversation.reply',
        async ({ store, conversation, question }, seen) =>
          (await Conversation.open(store, conversation)).reply(question, { kind: 'approved', seen }),
      ],
    ];
  test.each(doors)('an approval of a preview binds a reply through %s as well', async (_name, reply) => {
    const desk = await waiting('buy');
    const { runs, question } = desk;
    const { seen } = await runs.preview('r', question);
    price = 1_000;
    expect(await reply(desk, seen)).toBe('taken');
    await waitFor(async () => (await runs.questions()).length > 0);
    const [again] = await runs.questions();
    expect(again?.id).not.toBe(question);
    const now = await runs.preview('r', again?.id ?? '');
    expect(await reply({ ...desk, question: again?.id ?? '' }, now.seen)).toBe('taken');
    expect((await runs.result('r')).text).toBe('Done.');
    await desk.close();
  });

  test.each([
    ['what is not what was shown', () => 'not what is now'],
    ['what was shown, and has changed', (seen: string | undefined) => seen],
  ])(
    'an approval of a preview binds the call that app.evaluate runs: %s is asked about again',
    async (_what, given) => {
      const { runs, app, adapter, store, conversation: id, question, close } = await waiting('buy');
      const { seen } = await runs.preview('r', question);
      await runs.drain(500);
      price = 1_000;
      const conversation = await Conversation.open(store, id);
      expect(await conversation.reply(question, { kind: 'approved', seen: given(seen) })).toBe('taken');
      const session = new Session({ slices: [Paid] });
      const options = { adapter, session, conversation, runMetadata: { run: 'r', conversation: id } };
      await expect(app.evaluate(app.prompt(Shop), options)).rejects.toThrow(ApprovalPendingError);
      expect(session.slice(Paid).all()).toHaveLength(1);
      const [again] = conversation.questions;
      expect(again?.id).not.toBe(question);
      const now = await previewOf(app, conversation, again?.call ?? '', id);
      expect(await conversation.reply(again?.id ?? '', { kind: 'approved', seen: now })).toBe('taken');
      expect((await app.evaluate(app.prompt(Shop), options)).text).toBe('Done.');
      expect(session.slice(Paid).all()).toEqual([new Paid(1), new Paid(2_000)]);
      await close();
    },
  );

  test('a call that cannot be rehearsed never has been seen', async () => {
    const { app, adapter, store, runs, conversation: id, question, close } = await waiting('wire');
    await runs.drain(500);
    const conversation = await Conversation.open(store, id);
    expect(await conversation.reply(question, { kind: 'approved', seen: 'anything' })).toBe('taken');
    const session = new Session({ slices: [Paid] });
    await expect(app.evaluate(app.prompt(Shop), { adapter, session, conversation })).rejects.toThrow(
      ApprovalPendingError,
    );
    await close();
  });

  test('a call without a conversation takes no `seen`: nothing shows one for it', async () => {
    const { app, close } = await waiting('buy');
    const rendered = await app.prompt(Shop).render({ session: new Session({ slices: [Paid] }) });
    const pending = await app.invoke(rendered, 'pay', { amount: 5, card: '1' }).then(
      () => fail('it did not wait'),
      (error: unknown) => (error instanceof ApprovalPendingError ? error.pending : fail('another error')),
    );
    const answer = { kind: 'approved', seen: 'nope' } as const;
    await expect(app.continueCall(rendered, pending, answer)).rejects.toThrow(/E735.*reply\.seen/s);
    await close();
  });

  test('an approval without a preview’s mark holds for the call as it is', async () => {
    const { runs, question, close } = await waiting('buy');
    price = 1_000;
    expect(await runs.reply('r', question, { kind: 'approved' })).toBe('taken');
    expect((await runs.result('r')).text).toBe('Done.');
    await close();
  });
});
