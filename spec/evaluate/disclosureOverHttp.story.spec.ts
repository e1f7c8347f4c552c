import {
  type Application,
  type BoundPrompt,
  createApplication,
  type ModelAdapter,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolResult,
  VisibilityExpansionRequired,
} from 'toolwright';
import { VisibilityOverrides } from 'toolwright/conversations';
import { ReplayModel, ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { silent } from '../support/silent';
import { answer } from '../../packages/openai/spec/support/ProviderDouble';
import { provider, stopAll, toolMessages } from '../../packages/openai/spec/support/overHttp';

afterEach(stopAll);

class Noted {
  constructor(readonly text: string) {}
}

/** A shop that takes notes, and shows its refunds and their fees as summaries. */
async function shop(): Promise<{ readonly app: Application; readonly prompt: BoundPrompt; readonly session: Session }> {
  class NoteParams {
    @Param('What to note') text!: string;
  }
  class RefundParams {
    @Param({ description: 'Order id, with its leading #', name: 'order_id' }) orderId!: string;
  }
  @Section({ key: 'notes', title: 'Notes', template: 'Note what the customer wants.' })
  class Notes {
    @Tool('Note something.')
    note({ text }: NoteParams, { session }: ToolContext) {
      session.dispatch(new Noted(text));
      return `Noted ${text}.`;
    }
  }
  @Section({ key: 'fees', title: 'Fees', visibility: 'summary', summary: 'What it costs.', template: 'Nothing.' })
  class Fees {}
  @Section({
    key: 'refunds',
    title: 'Refunds',
    visibility: 'summary',
    summary: 'How money is paid back.',
    template: 'Pay back within 30 days.',
    children: [Fees],
  })
  class Refunds {
    @Tool('Pay an order back.')
    refund({ orderId }: RefundParams, { session }: ToolContext) {
      session.dispatch(new Noted(`refund of ${orderId}`));
      return ToolResult.ok(null, `Refunded ${orderId}.`);
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Notes, Refunds] })
  class Desk {}
  const app = await createApplication({ prompts: [Desk], logger: silent });
  return { app, prompt: app.prompt(Desk), session: new Session({ slices: [Noted] }) };
}

const ask = { section_keys: ['refunds'], reason: 'The customer wants the money back.' };
const asking = { id: 'open', name: 'open_sections', arguments: JSON.stringify(ask) };
const note = (id: string, text: string) => ({ id, name: 'note', arguments: JSON.stringify({ text }) });
const notesOf = (session: Session): readonly string[] =>
  session
    .slice(Noted)
    .all()
    .map(({ text }) => text);

test('the whole way over HTTP: asked for, opened, used; nothing is done twice, and the provider accepts every request', async () => {
  const { app, prompt, session } = await shop();
  const { double, adapter } = await provider(
    answer({ toolCalls: [note('before', 'wants a refund'), asking, note('after', 'too early')] }),
    answer({ toolCalls: [{ id: 'pay', name: 'refund', arguments: '{"order_id":"#W0000001"}' }] }),
    answer({ content: 'It is paid back.' }),
  );
  const events: ToolInvoked[] = [];
  const response = await app.evaluate(prompt, {
    adapter,
    session,
    messages: [{ role: 'user', content: 'I want my money back.' }],
    onEvent: (event) => {
      if (event instanceof ToolInvoked) events.push(event);
    },
  });
  expect(response).toMatchObject({ text: 'It is paid back.', turns: 3 });
  expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
  expect(double.left).toBe(0);

  const [first, second, third] = double.requests.map(({ body }) => body);
  const toolsOf = (body: typeof first): unknown =>
    (body?.tools as { function: { name: string } }[]).map((t) => t.function.name);
  // This API adds no tools on the way: a closed one is listed from the start, and refused until it is open.
  for (const body of [first, second, third]) expect(toolsOf(body)).toEqual(['note', 'open_sections', 'refund']);
  expect(first?.messages[0]?.content).toContain('How money is paid back.');
  expect(JSON.stringify(first)).not.toContain('within 30 days');
  // What was sent before stays as it was: an opened section is an answer, once.
  expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  expect(third?.messages.slice(0, second?.messages.length)).toEqual(second?.messages);
  expect(JSON.stringify(third?.messages).split('within 30 days')).toHaveLength(2);
  const answers = toolMessages(double, 1);
  expect(answers).toEqual({
    before: 'Noted wants a refund.',
    open: expect.stringMatching(
      /Refunds \(refunds\)\n\nPay back within 30 days\.[^]*Fees[^]*What it costs\./,
    ) as string,
    after: expect.stringContaining('note was not started') as string,
  });
  expect(toolMessages(double, 2)['pay']).toBe('Refunded #W0000001.');

  expect(notesOf(session)).toEqual(['wants a refund', 'refund of #W0000001']);
  expect(session.slice(VisibilityOverrides).latest()?.overrides).toEqual({ refunds: 'full' });
  expect(events.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'note succeeded',
    'open_sections expanded',
    'refund succeeded',
  ]);
});

describe("with expansions: 'throw', the request propagates unwrapped", () => {
  const scripted = (): ModelAdapter => new ScriptedModel([{ toolCalls: [{ name: 'open_sections', arguments: ask }] }]);
  const overHttp = async (): Promise<ModelAdapter> => (await provider(answer({ toolCalls: [asking] }))).adapter;

  test.each<[string, () => ModelAdapter | Promise<ModelAdapter>]>([
    ['ScriptedModel', scripted],
    ['OpenAIChatAdapter', overHttp],
    [
      'an adapter of the host',
      () => ({
        name: 'own',
        complete: (request) => Promise.resolve(scripted()).then((model) => model.complete(request)),
      }),
    ],
  ])('the request for an expansion propagates unwrapped through %s', async (_name, adapterOf) => {
    const { app, prompt, session } = await shop();
    const error: unknown = await app
      .evaluate(prompt, { adapter: await adapterOf(), session, expansions: 'throw' })
      .catch((thrown: unknown) => thrown);
    expect(error instanceof VisibilityExpansionRequired).toBe(true);
    expect(error).toMatchObject({
      requestedOverrides: { refunds: 'full' },
      reason: ask.reason,
      sectionKeys: ['refunds'],
    });
    expect(session.slice(VisibilityOverrides).latest()).toBeUndefined();
  });

  test('the thrown request passes through ReplayModel, which plays the run up to there', async () => {
    const { app, prompt, session } = await shop();
    const text = (await prompt.render({ session })).text;
    const adapter = new ReplayModel([
      { role: 'system', content: text },
      { role: 'assistant', content: null, toolCalls: [{ id: 'open', name: 'open_sections', arguments: ask }] },
    ]);
    await expect(app.evaluate(prompt, { adapter, session, expansions: 'throw' })).rejects.toMatchObject({
      name: 'VisibilityExpansionRequired',
    });
  });

  test('the thrown request passes through every interceptor, each of which sees the very same error', async () => {
    const seen: unknown[] = [];
    const { prompt } = await shop();
    const watch = async <T>(next: () => Promise<T>): Promise<T> =>
      next().catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    const app = await createApplication({
      prompts: [prompt.metadata.type],
      logger: silent,
      interceptors: [{ aroundRun: (_run, next) => watch(next), aroundTool: (_call, next) => watch(next) }],
    });
    const running = app.evaluate(app.prompt(prompt.metadata.type), { adapter: scripted(), expansions: 'throw' });
    const error: unknown = await running.catch((thrown: unknown) => thrown);
    expect(seen).toEqual([error, error]);
    expect(seen[0]).toBe(error);
  });
});

describe('a loop of the caller', () => {
  test('around evaluate: merge what was asked for, render again, evaluate again', async () => {
    const { app, prompt, session } = await shop();
    const { double, adapter } = await provider(answer({ toolCalls: [asking] }), answer({ content: 'Within 30 days.' }));
    let visibilityOverrides = {};
    let text: string | null = null;
    while (text === null) {
      try {
        const rendered = await prompt.render({ session, visibilityOverrides });
        ({ text } = await app.evaluate(rendered, { adapter, session, expansions: 'throw' }));
      } catch (error) {
        if (!(error instanceof VisibilityExpansionRequired)) throw error;
        visibilityOverrides = { ...visibilityOverrides, ...error.requestedOverrides };
      }
    }
    expect(text).toBe('Within 30 days.');
    expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(double.requests[1]?.body.messages).toHaveLength(1);
    expect(double.requests[1]?.body.messages[0]?.content).toContain('Pay back within 30 days.');
  });

  test('around callTools: earlier calls of the turn stay, later ones do not start', async () => {
    const { app, prompt, session } = await shop();
    const call = ({ id, name, arguments: args }: ReturnType<typeof note>) => ({ id, name, arguments: args });
    const turn = [call(note('1', 'first')), call(asking), call(note('3', 'third'))];
    const rendered = await prompt.render({ session });
    const error: unknown = await app.callTools(rendered, turn, { session }).catch((thrown: unknown) => thrown);
    expect(error instanceof VisibilityExpansionRequired).toBe(true);
    expect(notesOf(session)).toEqual(['first']);
    const { requestedOverrides } = error as VisibilityExpansionRequired;
    const opened = await prompt.render({ session, visibilityOverrides: requestedOverrides });
    const paid = { id: '4', name: 'refund', arguments: { order_id: '#1' } };
    expect((await app.callTool(rendered, paid, { session })).kind).toBe('unknown');
    expect((await app.callTool(opened, paid, { session })).kind).toBe('succeeded');
  });
});
