// What the hook `redact` hides in logs is hidden wherever a run shows its calls: streams, questions, events of durable runs, errors.
import {
  ApprovalPendingError,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
} from 'toolwright';
import { Conversation, type ShownEntry } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { silent } from '../support/silent';

const CARD = '4111111111111111';

class Payment {
  @Param('The card') card!: string;
}

async function openDesk() {
  const paid: string[] = [];
  const tool = (name: string, requiresApproval: boolean) =>
    defineTool({
      name,
      description: 'Pays.',
      params: Payment,
      requiresApproval,
      handler: ({ card }: Payment) => {
        paid.push(card);
        return `paid with ${card}`;
      },
    });
  const prompt = definePrompt({
    ns: 'shop',
    key: 'desk',
    sections: [
      defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [tool('pay', false), tool('order', true)] }),
    ],
  });
  const app = await createApplication({
    prompts: [prompt],
    logger: silent,
    keys: ['k'.repeat(40)],
    approver: { approve: () => ({ kind: 'later' }) },
    redact: (text) => text.replaceAll(CARD, '[card]'),
  });
  const adapter = () =>
    new ScriptedModel([
      { toolCalls: [{ name: 'pay', arguments: { card: CARD } }] },
      { toolCalls: [{ name: 'order', arguments: { card: CARD } }] },
      { text: 'Done.' },
    ]);
  return { app, prompt, adapter, paid };
}

const messages = [{ role: 'user', content: 'Pay.' }] as const;

test('events of a stream, the error that ends it, and the questions of its conversation', async () => {
  const { app, prompt, adapter, paid } = await openDesk();
  const conversation = new Conversation();
  const session = new Session();
  const events: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const event of app.stream(app.prompt(prompt), { adapter: adapter(), session, conversation, messages }))
      events.push(event);
  };
  const error: unknown = await read().catch((thrown: unknown) => thrown);
  expect(error instanceof ApprovalPendingError).toBe(true);
  expect(JSON.stringify(events)).not.toContain(CARD);
  expect(JSON.stringify(events)).toContain('[card]');
  expect(JSON.stringify(error)).not.toContain(CARD);
  const [question] = conversation.questions;
  expect(question).toMatchObject({ name: 'order', arguments: { card: '[card]' } });
  // What was asked about is what runs.
  expect(await conversation.reply(question?.id ?? '', { kind: 'approved' })).toBe('taken');
  const last = new ScriptedModel([{ text: 'Done.' }]);
  await app.evaluate(app.prompt(prompt), { adapter: last, session, conversation });
  expect(paid).toEqual([CARD, CARD]);
});

test('the record of a logged call is still known as one of its conversation', async () => {
  const { app, prompt, adapter } = await openDesk();
  const session = new Session();
  const conversation = new Conversation();
  const options = { adapter: adapter(), session, conversation, messages };
  const error: unknown = await app.evaluate(app.prompt(prompt), options).catch((thrown: unknown) => thrown);
  const { pending } = error as ApprovalPendingError;
  expect(JSON.stringify(pending)).not.toContain(CARD);
  const rendered = await app.prompt(prompt).render({ session });
  await expect(app.continueCall(rendered, pending, { kind: 'approved' })).rejects.toThrow('conversation.reply');
});

test('events, questions and previews of durable runs', async () => {
  const { app, prompt, adapter, paid } = await openDesk();
  const shared = adapter();
  const runs = await openRuns(app, { store: new MemoryRuns(), prepare: () => ({ prompt, adapter: shared }) });
  const run = await runs.start({ id: 'r', messages: [...messages] });
  const events: ShownEntry[] = [];
  for await (const event of run.events()) {
    events.push(event);
    if (event.kind !== 'question') continue;
    const open = await runs.questions();
    const preview = await runs.preview('r', event.id);
    expect(JSON.stringify([open, preview, await runs.acrossTenants.questions()])).not.toContain(CARD);
    await runs.reply('r', event.id, { kind: 'approved' });
  }
  expect(JSON.stringify(events)).not.toContain(CARD);
  expect(events.map(({ kind }) => kind)).toContain('question');
  expect(paid).toEqual([CARD, CARD]);
  await runs.drain(100);
});
