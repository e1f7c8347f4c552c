import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { openRuns } from 'toolwright/runs';
import { ScriptedModel } from 'toolwright/testing';
import { silent } from '../support/silent';
import { sqliteRuns } from '../support/sqliteRuns';

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
  const runs = await openRuns(app, {
    store: sqliteRuns(join(folder, 'runs.db')),
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
    rmSync(folder, { recursive: true });
  };
  return { runs, question: question?.id ?? '', close };
}

describe('runs.preview', () => {
  test('shows what the call would change of the recorded session, redacted, and keeps nothing', async () => {
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

  test('says why a call cannot be rehearsed, and rehearses nothing unless it is asked to', async () => {
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

  test('holds while the call would do the same', async () => {
    const { runs, question, close } = await waiting('buy');
    const { seen } = await runs.preview('r', question);
    expect(await runs.reply('r', question, { kind: 'approved', seen })).toBe('taken');
    expect((await runs.result('r')).text).toBe('Done.');
    await close();
  });

  test('is asked for again, under another id, when the call would do something else', async () => {
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

  test('without what was shown, it holds for the call as it is', async () => {
    const { runs, question, close } = await waiting('buy');
    price = 1_000;
    expect(await runs.reply('r', question, { kind: 'approved' })).toBe('taken');
    expect((await runs.result('r')).text).toBe('Done.');
    await close();
  });
});
