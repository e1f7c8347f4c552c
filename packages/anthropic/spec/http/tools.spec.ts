import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { createApplication, Param, Prompt, Section, Session, Tool } from 'toolwright';
import type { AnthropicOptions } from '@toolwright/anthropic';
import { messagesDoor } from '../support/messagesKit';
import { requestOf, toolNamed } from '../../../openai/spec/support/client';
import { objects, type Json } from '../../../openai/spec/support/json';
import { ProviderDouble, raw } from '../../../openai/spec/support/ProviderDouble';
import { rejectionOf } from '../../../openai/spec/support/thrownBy';

const running: ProviderDouble[] = [];
afterEach(() => Promise.all(running.splice(0).map((double) => double.stop())));

class Filter {
  @Param('City') city!: string;
  @Param({ description: 'Stars', integer: true, min: 1, optional: true }) stars?: number;
}
class FindParams {
  @Param({ description: 'Note', optional: true, type: String }) note?: string;
  @Param('Filter') filter!: Filter;
}
class CountParams {
  @Param({ description: 'Counts', record: Number }) counts!: Record<string, number>;
}

/** The requests to the provider and the params of the handlers, when the model calls both tools. */
async function callBothTools(options: Partial<AnthropicOptions>) {
  const seen: object[] = [];
  const input = { filter: { city: 'Rome' } };
  @Section({ title: 'Hotels', template: 'Find hotels.' })
  class Hotels {
    @Tool({ description: 'Find hotels.', examples: [{ description: 'Any in Rome', input, output: null }] })
    find(params: FindParams) {
      seen.push(params);
    }
    @Tool('Count.') count(params: CountParams) {
      seen.push(params);
    }
  }
  @Prompt({ ns: 'a', key: 'hotels', sections: [Hotels] })
  class HotelsPrompt {}
  const app = await createApplication({ prompts: [HotelsPrompt] });
  const door = messagesDoor(options);
  const calls = [
    { id: 'a', name: 'find', arguments: '{"filter":{"city":"Rome","stars":4}}' },
    { id: 'b', name: 'count', arguments: '{"counts":{"one":1}}' },
  ];
  const double = await ProviderDouble.speaking(
    door.wire,
    raw(200, JSON.stringify(door.whole({ kind: 'answer', calls }))),
    raw(200, JSON.stringify(door.whole({ kind: 'answer', text: 'Done.' }))),
  );
  running.push(double);
  await app.evaluate(app.prompt(HotelsPrompt), { adapter: door.adapter(double.baseURL), session: new Session() });
  expect(double.requests.map(({ problems }) => problems)).toEqual([[], []]);
  const body = double.requests[0]!.body;
  return { seen, body, tools: objects(body.tools).map(([, tool]): Json => tool) };
}

describe('Anthropic: tools over HTTP', () => {
  test('ADPT-09: the client of the provider would change no strict schema; what strict mode cannot say goes without', async () => {
    const { seen, tools } = await callBothTools({ strict: true });
    expect(tools.map(({ name, strict }) => [name, strict])).toEqual([
      ['find', true],
      ['count', undefined],
    ]);
    const schema = tools[0]?.['input_schema'] as Parameters<typeof transformJSONSchema>[0];
    expect(transformJSONSchema(structuredClone(schema))).toEqual(schema);
    expect(seen).toEqual([{ filter: { city: 'Rome', stars: 4 } }, { counts: { one: 1 } }]);
  });

  test('examples are in the prompt alone, unless the host wants them in the tools as well', async () => {
    const example = 'Any in Rome: `find({\\"filter\\":{\\"city\\":\\"Rome\\"}})`';
    const { body, tools } = await callBothTools({});
    expect(JSON.stringify(body['system'])).toContain(example);
    expect(tools.filter((tool) => 'input_examples' in tool)).toEqual([]);
    const both = await callBothTools({ inputExamples: true, deferTools: ({ name }) => name === 'find' });
    expect(JSON.stringify(both.body['system'])).toContain(example);
    expect(both.tools).toMatchObject([
      { type: 'tool_search_tool_bm25_20251119' },
      { name: 'find', defer_loading: true, input_examples: [{ filter: { city: 'Rome' } }] },
      { name: 'count' },
    ]);
    expect(both.tools[2]).not.toHaveProperty('input_examples');
  });

  test('ADPT-10: the documented limits of the provider are kept, and no others are invented', async () => {
    const door = messagesDoor();
    const double = await ProviderDouble.speaking(
      door.wire,
      raw(200, JSON.stringify(door.whole({ kind: 'answer', text: 'Hi.' }))),
    );
    running.push(double);
    const adapter = door.adapter(double.baseURL);
    const hello = [{ role: 'user', content: 'Hi' }] as const;
    const parameters = { type: 'object', properties: { ['x'.repeat(65)]: { type: 'string' } } };
    const wrong = [toolNamed('x'.repeat(65)), { ...toolNamed('find'), parameters }];
    const error = await rejectionOf(adapter.complete(requestOf(hello, wrong)));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toMatch(/has 65 characters, at most 64 are allowed.*is not made of 1 to 64 of/);
    expect(double.requests).toEqual([]);
    const many = Array.from({ length: 129 }, (_, at) => ({
      ...toolNamed(`t${String(at)}`),
      strict: false,
      description: 'x'.repeat(1_025),
    }));
    expect(await adapter.complete(requestOf(hello, many))).toMatchObject({ text: 'Hi.' });
    expect(double.requests[0]?.problems).toEqual([]);
  });
});
