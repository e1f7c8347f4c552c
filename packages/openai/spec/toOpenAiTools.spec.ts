import { Agent, Runner, Usage, type Model } from '@openai/agents';
import type { OpenAI } from 'openai';
import {
  createApplication,
  Param,
  Prompt,
  type RenderedPrompt,
  Section,
  Tool,
  VisibilityExpansionRequired,
} from 'toolwright';
import { toOpenAiAgentTools, toOpenAiTools } from '@toolwright/openai';
import { ToolInvoked } from 'toolwright/events';
import { rejectionOf, thrownBy } from './support/thrownBy';
import { silent } from '../../../spec/support/silent';

type ChatCall = OpenAI.Chat.Completions.ChatCompletionMessageToolCall;
type ResponseItem = OpenAI.Responses.ResponseOutputItem;

async function openDesk(names: readonly string[] = ['find']) {
  class FindParams {
    @Param('Words') words!: string;
    @Param('At most') limit = 5;
  }
  class Search {}
  const description = 'Find by words.';
  for (const name of names) {
    const handler = ({ words, limit }: FindParams): string => `${words}, ${String(limit)}`;
    Object.defineProperty(Search.prototype, name, { value: handler, configurable: true });
    Tool({ name, description, params: FindParams, result: String })(Search.prototype, name, {
      value: handler,
    } as never);
  }
  Section({ title: 'Search', template: 'Find things.' })(Search);
  @Section({ title: 'Manual', template: 'All of it.', summary: 'How it works.', visibility: 'summary' })
  class Manual {}
  @Prompt({ ns: 'openai', key: 'search', sections: [Search, Manual] })
  class SearchDesk {}
  const app = await createApplication({ prompts: [SearchDesk], logger: silent });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  return { app, rendered: await app.prompt(SearchDesk).render(), events };
}

const found = 'tea, 5';

describe('toOpenAiTools', () => {
  test('toOpenAiTools writes tools for Chat Completions, strict where they can be said so', async () => {
    const { app, rendered } = await openDesk();
    const [find] = toOpenAiTools(app, rendered, { api: 'chat' }).tools;
    expect(find).toMatchObject({
      type: 'function',
      function: { name: 'find', strict: true, parameters: { required: ['words', 'limit'] } },
    });
    const [plain] = toOpenAiTools(app, rendered, { api: 'chat', strict: false }).tools;
    expect(plain).toMatchObject({ function: { strict: false } });
  });

  test('toOpenAiTools writes tools for Responses', async () => {
    const { app, rendered } = await openDesk();
    const { tools } = toOpenAiTools(app, rendered, { api: 'responses' });
    expect(tools.map(({ type, name, strict }) => [type, name, strict])).toEqual([
      ['function', 'find', true],
      ['function', 'open_sections', true],
    ]);
  });

  test('toOpenAiTools answers single calls, and those of a turn; it ignores what is no call of a function', async () => {
    const { app, rendered } = await openDesk();
    const chat = toOpenAiTools(app, rendered, { api: 'chat' });
    const call: ChatCall = { id: 'c', type: 'function', function: { name: 'find', arguments: '{"words":"tea"}' } };
    const message = { role: 'tool', tool_call_id: 'c', content: found };
    expect(await chat.run(call)).toEqual(message);
    const custom: ChatCall = { id: 'd', type: 'custom', custom: { name: 'grep', input: 'x' } };
    expect(await chat.answer([custom, call])).toEqual([message]);
    expect(await chat.answer(undefined)).toEqual([]);
    expect(await chat.answer(null)).toEqual([]);
    const responses = toOpenAiTools(app, rendered, { api: 'responses' });
    const item = { type: 'function_call' as const, call_id: 'c', name: 'find', arguments: '{"words":"tea"}' };
    const output = { type: 'function_call_output', call_id: 'c', output: found };
    expect(await responses.run(item)).toEqual(output);
    expect(await responses.answer([{ type: 'reasoning', id: 'r', summary: [] }, item])).toEqual([output]);
  });

  test('strict mode makes the model write every property: null is absence', async () => {
    const { app, rendered } = await openDesk();
    const chat = toOpenAiTools(app, rendered, { api: 'chat' });
    const given = { name: 'find', arguments: '{"words":"tea","limit":null}' };
    expect(await chat.run({ id: 'c', type: 'function', function: given })).toMatchObject({ content: found });
  });

  test('a call that the provider sent twice runs once, and is answered twice', async () => {
    const { app, rendered, events } = await openDesk();
    const call: ChatCall = { id: 'c', type: 'function', function: { name: 'find', arguments: '{"words":"tea"}' } };
    const answers = await toOpenAiTools(app, rendered, { api: 'chat' }).answer([call, call]);
    expect(answers.map(({ content }) => content)).toEqual([found, found]);
    expect(events).toHaveLength(1);
  });

  test.each([
    [
      'malformed arguments',
      { id: 'c', type: 'function', function: { name: 'find', arguments: '{"words":' } },
      'rejected',
    ],
    ['an unknown tool', { id: 'c', type: 'function', function: { name: 'fnid', arguments: '{}' } }, 'unknown'],
    ['no function', { id: 'c', type: 'function' }, 'unknown'],
    ['no id', { type: 'function', function: { name: 'find', arguments: '{}' } }, 'rejected'],
    ['no name', { id: 'c', type: 'function', function: { arguments: '{}' } }, 'unknown'],
    ['nothing', {}, 'unknown'],
  ])('ADPT-03 a call with %s is reported to the model', async (_what, call, kind) => {
    const { app, rendered, events } = await openDesk();
    const { content, tool_call_id: id } = await toOpenAiTools(app, rendered, { api: 'chat' }).run(call as ChatCall);
    expect(content).toMatch(/./);
    expect(id).toMatch(/./);
    expect(events.map((event) => event.kind)).toEqual([kind]);
    const { type: _type, ...item } = call as { readonly type?: string };
    const sent = { ...item, type: 'function_call' } as unknown as ResponseItem;
    expect((await toOpenAiTools(app, rendered, { api: 'responses' }).answer([sent]))[0]?.output).toMatch(/./);
  });

  test('ADPT-10 more tools than the provider takes are refused', async () => {
    const { app, rendered } = await openDesk(Array.from({ length: 128 }, (_none, index) => `find_${String(index)}`));
    const refusal = thrownBy(() => toOpenAiTools(app, rendered, { api: 'responses' }));
    expect(refusal.message).toContain('toOpenAiTools would refuse the request: 129 tools are offered');
  });

  test('toOpenAiTools refuses what is no rendering with E722', async () => {
    const { app } = await openDesk();
    const refusal = thrownBy(() => toOpenAiTools(app, undefined as unknown as RenderedPrompt, { api: 'chat' }));
    expect(refusal.message).toMatch(/^E722 toOpenAiTools: /);
  });
});

describe('toOpenAiAgentTools', () => {
  test('an error that propagates from a call ends the run of the runner, which holds it', async () => {
    const { app, rendered } = await openDesk();
    const heard: unknown[] = [];
    const call = { callId: 'c', name: 'open_sections', arguments: '{"section_keys":["manual"],"reason":"x"}' };
    const model: Model = {
      getResponse: () =>
        Promise.resolve({ usage: new Usage(), output: [{ type: 'function_call', status: 'completed', ...call }] }),
      getStreamedResponse: () => {
        throw new TypeError('nobody streams here');
      },
    };
    const tools = toOpenAiAgentTools(app, rendered, { onLeave: (error) => heard.push(error) });
    const runner = new Runner({ tracingDisabled: true });
    const thrown = await rejectionOf(runner.run(new Agent({ name: 'Desk', model, tools }), 'Go.'));
    expect(heard[0] instanceof VisibilityExpansionRequired).toBe(true);
    expect([thrown, (thrown as { error?: unknown }).error]).toContain(heard[0]);
  });

  test('toOpenAiAgentTools needs no approval of the runner, and is enabled: both are up to the application', async () => {
    const { app, rendered } = await openDesk();
    const [find] = toOpenAiAgentTools(app, rendered);
    expect(await find?.needsApproval()).toBe(false);
    expect(await find?.isEnabled()).toBe(true);
    expect(find).toMatchObject({ name: 'find', description: 'Find by words.', strict: true });
    expect(toOpenAiAgentTools(app, rendered, { strict: false })[0]?.strict).toBe(false);
  });

  test('a call without details gets an id, and runs', async () => {
    const { app, rendered, events } = await openDesk();
    const [find] = toOpenAiAgentTools(app, rendered);
    expect(await find?.invoke(undefined, '{"words":"tea"}')).toBe(found);
    expect(events[0]?.callId).toMatch(/./);
  });
});
