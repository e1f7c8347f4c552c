import { inspect } from 'node:util';
import { createApplication, Field, type Message, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import type { AnthropicOptions } from '@toolwright/anthropic';
import { adapterOver, KEY, message } from './support/client';
import { requestProblems } from './support/requestRules';
import { json, requestOf, toolNamed } from '../../openai/spec/support/client';
import type { Json } from '../../openai/spec/support/json';
import { rejectionOf } from '../../openai/spec/support/thrownBy';
import { reopened } from '../../../spec/support/reopened';
import { silent } from '../../../spec/support/silent';

const text = (words: string) => ({ type: 'text', text: words });
const hello: Message = { role: 'user', content: 'Hello' };
const system: Message = { role: 'system', content: 'You help.' };

/** An adapter whose provider answers these messages in turn, and the bodies that it was sent. */
function talking(options: Partial<AnthropicOptions>, ...answers: readonly unknown[]) {
  const bodies: Json[] = [];
  const adapter = adapterOver((body) => {
    bodies.push(body as Json);
    return json(answers[bodies.length - 1] ?? message([text('Hi.')]));
  }, options);
  return { adapter, bodies };
}

async function bodyOf(options: Partial<AnthropicOptions>, ...request: Parameters<typeof requestOf>) {
  const { adapter, bodies } = talking(options);
  await adapter.complete(requestOf(...request));
  expect(requestProblems(bodies[0])).toEqual([]);
  return bodies[0];
}

describe('AnthropicAdapter: the request', () => {
  test('model, limit, prompt, conversation, and no field more', async () => {
    expect(await bodyOf({ cache: false }, [system, hello])).toEqual({
      model: 'm',
      max_tokens: 8_192,
      system: [text('You help.')],
      messages: [{ role: 'user', content: [text('Hello')] }],
    });
  });

  test('tools are offered as they are, and strict where their schema says so', async () => {
    const tools = [toolNamed('find'), { ...toolNamed('open'), strict: false }];
    const { parameters } = toolNamed('find');
    expect((await bodyOf({ cache: false, strict: true }, [hello], tools))?.['tools']).toEqual([
      { name: 'find', description: 'The find tool.', input_schema: parameters, strict: true },
      { name: 'open', description: 'The open tool.', input_schema: parameters },
    ]);
  });

  test('parameters are sent, except the adapter’s own fields; a choice is sent only beside tools', async () => {
    const parameters = { stop_sequences: ['END'], tool_choice: { type: 'any' }, model: 'other', stream: true } as never;
    expect(await bodyOf({ parameters }, [hello])).toMatchObject({ model: 'm', stop_sequences: ['END'] });
    expect(await bodyOf({ parameters }, [hello])).not.toHaveProperty('tool_choice');
    expect(await bodyOf({ parameters }, [hello])).not.toHaveProperty('stream');
    expect(await bodyOf({ parameters }, [hello], [toolNamed('find')])).toMatchObject({ tool_choice: { type: 'any' } });
  });

  test('the ends of the prompt and of the conversation are marked for the cache', async () => {
    const body = await bodyOf({}, [system, hello], [toolNamed('find')]);
    expect(body).toMatchObject({
      system: [{ cache_control: { type: 'ephemeral' } }],
      messages: [{ content: [{ ...text('Hello'), cache_control: { type: 'ephemeral' } }] }],
    });
    expect(body?.['tools']).toEqual([expect.not.objectContaining({ cache_control: expect.anything() as unknown })]);
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    expect(await bodyOf({ cache: '1h' }, [hello], [toolNamed('a'), toolNamed('b')])).toMatchObject({
      tools: [{}, hour],
    });
  });

  test('tools are deferred on demand: the provider searches them, and the mark is before them', async () => {
    const tools = ['find', 'open', 'pay'].map(toolNamed);
    const body = await bodyOf({ deferTools: ({ name }) => name !== 'find' }, [hello], tools);
    expect(body?.['tools']).toMatchObject([
      { type: 'tool_search_tool_bm25_20251119' },
      { name: 'find', cache_control: { type: 'ephemeral' } },
      { name: 'open', defer_loading: true },
      { name: 'pay', defer_loading: true },
    ]);
    expect(await bodyOf({ cache: false, deferTools: () => false }, [hello], tools)).toEqual(
      await bodyOf({ cache: false }, [hello], tools),
    );
  });

  test('a later request repeats the earlier one unchanged, except for the mark at its end', async () => {
    const { adapter, bodies } = talking({});
    const conversation: Message[] = [system, hello];
    await adapter.complete(requestOf(conversation));
    await adapter.complete(requestOf([...conversation, { role: 'assistant', content: 'Hi.' }, hello]));
    const unmarked = (body: unknown) =>
      JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value))) as Json;
    const [first, second] = bodies.map(unmarked);
    expect(second?.['system']).toEqual(first?.['system']);
    expect((second?.['messages'] as unknown[])[0]).toEqual((first?.['messages'] as unknown[])[0]);
  });

  test('ARG-24: a parameter that the provider takes no tool with is refused before the request, by name', async () => {
    const { adapter, bodies } = talking({});
    const parameters = { type: 'object', properties: { $filter: { type: 'string' }, fine: {} } };
    const error = await rejectionOf(adapter.complete(requestOf([hello], [{ ...toolNamed('find'), parameters }])));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toContain('the parameter "$filter" of "find" is not made of 1 to 64 of');
    expect(bodies).toEqual([]);
  });

  test('an answer longer than the client waits for in one piece is streamed', async () => {
    const asked: unknown[] = [];
    const adapter = adapterOver(
      (body) => {
        asked.push((body as Json)['stream']);
        return json(message([text('Hi.')]));
      },
      { maxTokens: 8_193 },
    );
    expect(await rejectionOf(adapter.complete(requestOf([hello])))).toMatchObject({ kind: 'connection' });
    expect(asked).toEqual([true]);
  });
});

describe('AnthropicAdapter: strict tools', () => {
  class Wide {
    @Param({ description: 'One', optional: true, type: String }) one?: string;
    @Param({ description: 'Two', optional: true, type: String }) two?: string;
    @Param({ description: 'Three', nullable: true, type: String }) three!: string | null;
  }

  test('strict tools: as many as the provider compiles in one request, the rest as they are; it accepts every request', async () => {
    @Section({ title: 'Desk', template: 'Work.' })
    class Desk {
      @Tool('A.') a(_params: Wide) {}
      @Tool('B.') b(_params: Wide) {}
    }
    // Twelve copies of two tools: twice 24 optional properties.
    const sections = Array.from({ length: 12 }, (_, index) => {
      @Section({ key: `s${String(index)}`, title: 'Desk', template: 'Work.' })
      class Copy extends Desk {
        @Tool({ name: `a${String(index)}`, description: 'A.' }) override a(_params: Wide) {}
        @Tool({ name: `b${String(index)}`, description: 'B.' }) override b(_params: Wide) {}
      }
      return Copy;
    });
    @Prompt({ ns: 'a', key: 'wide', sections })
    class WidePrompt {}
    const app = await createApplication({ prompts: [WidePrompt] });
    const { adapter, bodies } = talking({ strict: true });
    await app.evaluate(app.prompt(WidePrompt), { adapter });
    expect(requestProblems(bodies[0])).toEqual([]);
    const tools = bodies[0]?.['tools'] as readonly Json[];
    expect(tools.map(({ strict }) => strict === true)).toEqual(tools.map((_, index) => index < 12));
  });
});

describe('AnthropicAdapter: the form of the answer', () => {
  class Review {
    @Field('Stars') stars!: number;
    @Field({ description: 'Note', optional: true, type: String }) note?: string;
  }
  class Counts {
    @Field({ description: 'Counts', record: Number }) counts!: Record<string, number>;
  }
  async function evaluateJudge(
    output: typeof Review | typeof Counts,
    options: Partial<AnthropicOptions>,
    answer: string,
  ) {
    @Section({ title: 'Desk', template: 'Judge.' })
    class Desk {}
    @Prompt({ ns: 'a', key: 'judge', sections: [Desk] })
    class Judge {}
    const app = await createApplication({ prompts: [Judge] });
    const { adapter, bodies } = talking(options, message([text(answer)]));
    const response = await app.evaluate(app.prompt(Judge), { adapter, output });
    expect(requestProblems(bodies[0])).toEqual([]);
    return { output: response.output as unknown, body: bodies[0] };
  }

  test('the schema of the answer is sent beside other settings of the output', async () => {
    const { output, body } = await evaluateJudge(
      Review,
      { parameters: { output_config: { effort: 'low' } } },
      '{"stars":4}',
    );
    expect(output).toBeInstanceOf(Review);
    expect(body?.['output_config']).toMatchObject({
      effort: 'low',
      format: { type: 'json_schema', schema: { type: 'object', required: ['stars'], additionalProperties: false } },
    });
  });

  test.each([
    ['what the provider cannot be told', Counts, {}, '{"counts":{"a":1}}'],
    ['a model that takes no forms', Review, { outputSchema: false }, '{"stars":4}'],
  ] as const)('the prompt describes the form of the answer for %s', async (_name, output, options, answer) => {
    const { output: read, body } = await evaluateJudge(output, options, answer);
    expect(read).toBeInstanceOf(output);
    expect(body).not.toHaveProperty('output_config');
    expect(JSON.stringify(body?.['system'])).toContain('It must fit this JSON Schema:');
  });
});

describe('AnthropicAdapter: content that only the provider understands', () => {
  const thinking = { type: 'thinking', thinking: 'Card k4111 it is.', signature: 'signed' };
  const use = { type: 'tool_use', id: 'one', name: 'pay', input: { card: 'k4111-1111' } };

  async function shop(redact?: (words: string) => string) {
    @Section({ title: 'Shop', template: 'Sell.' })
    class Shop {
      @Tool('Pay.') pay(
        @Param('card', { description: 'Card', secret: redact === undefined }) _card: string,
        _context: ToolContext,
      ) {
        return 'Paid.';
      }
    }
    @Prompt({ ns: 'a', key: 'shop', sections: [Shop] })
    class ShopPrompt {}
    const app = await createApplication({
      prompts: [ShopPrompt],
      logger: silent,
      ...(redact === undefined ? {} : { redact }),
    });
    return { app, prompt: app.prompt(ShopPrompt) };
  }

  test('content that only the provider understands goes back in the next request, before the call that it belongs to', async () => {
    const { app, prompt } = await shop((words) => words);
    const { adapter, bodies } = talking({ cache: false }, message([thinking, use], { stop_reason: 'tool_use' }));
    const { transcript } = await app.evaluate(prompt, { adapter, session: new Session() });
    expect((bodies[1]?.['messages'] as readonly Json[])[1]).toEqual({ role: 'assistant', content: [thinking, use] });
    expect(transcript[1]).toMatchObject({
      native: { provider: 'anthropic', content: [thinking, { type: 'tool_use' }] },
    });
  });

  test.each([
    ['a secret param', undefined],
    ['the hook', (words: string) => words.replaceAll('k4111', '****')],
  ])("the provider's own content is left out of a transcript in which %s hides something", async (_name, redact) => {
    const { app, prompt } = await shop(redact);
    const { adapter } = talking({}, message([thinking, use], { stop_reason: 'tool_use' }));
    const { transcript } = await app.evaluate(prompt, { adapter, session: new Session() });
    expect(transcript[1]).not.toHaveProperty('native');
    expect(inspect(transcript, { depth: null })).not.toContain('k4111');
  });

  test('a run that is continued from its record sends it again', async () => {
    const { app, prompt } = await shop((words) => words);
    const conversation = new Conversation();
    const dying = talking({}, message([thinking, use], { stop_reason: 'tool_use' }), { type: 'error' });
    await rejectionOf(app.evaluate(prompt, { adapter: dying.adapter, conversation }));
    const { adapter, bodies } = talking({ cache: false });
    await app.evaluate(prompt, { adapter, conversation: reopened(conversation) });
    expect((bodies[0]?.['messages'] as readonly Json[])[1]).toEqual({ role: 'assistant', content: [thinking, use] });
  });

  test('an answer that the provider pauses is asked to go on, and is one answer', async () => {
    const search = { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: {} };
    const usage = { input_tokens: 10, output_tokens: 2 };
    const { adapter, bodies } = talking(
      {},
      message([text('Let me see'), search], { stop_reason: 'pause_turn', usage }),
      message([text(': done.')], { usage }),
    );
    expect(await adapter.complete(requestOf([hello]))).toMatchObject({
      text: 'Let me see: done.',
      finishReason: 'stop',
      usage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 },
      native: { content: [text('Let me see'), search, text(': done.')] },
    });
    expect((bodies[1]?.['messages'] as readonly Json[])[1]).toEqual({
      role: 'assistant',
      content: [text('Let me see'), search],
    });
  });

  test('a paused answer is continued, but not without end', async () => {
    const paused = Array.from({ length: 20 }, () => message([text('.')], { stop_reason: 'pause_turn' }));
    const { adapter, bodies } = talking({}, ...paused);
    expect(await adapter.complete(requestOf([hello]))).toMatchObject({ text: '..........', finishReason: 'other' });
    expect(bodies).toHaveLength(10);
  });
});

describe('AnthropicAdapter: failures', () => {
  const failing = (status: number, error: object, headers = {}) =>
    rejectionOf(
      adapterOver(() => json({ type: 'error', error, request_id: 'req_1' }, status, headers)).complete(
        requestOf([hello]),
      ),
    );

  test('ADPT-11: 401 says what the provider said, and the key nowhere', async () => {
    const error = await failing(401, { type: 'authentication_error', message: `invalid x-api-key: ${KEY}` });
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701' });
    expect(error.message).toContain('anthropic:m answered 401: invalid x-api-key: [redacted]');
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
  });

  test.each([
    [429, { kind: 'rate_limit', retryAfter: 7, retrySafe: true }],
    [529, { kind: 'overloaded', retryAfter: 7, retrySafe: true }],
    [402, { kind: 'quota_exhausted', retrySafe: false }],
  ])('ADPT-01: %i is a ThrottleError', async (status, fields) => {
    const error = await failing(
      status,
      { type: 'some_error', message: 'Later.' },
      { 'retry-after': '7', 'request-id': 'req_1' },
    );
    expect(error).toMatchObject({ name: 'ThrottleError', ...fields });
    expect(error.message).toContain(`anthropic:m answered ${String(status)}: Later. (request req_1)`);
  });

  test.each([
    ['no object', '"x"', 'did not answer with a message: the string "x"'],
    ['no content', '{"type":"message"}', 'did not answer with a message: {"type":"message"}'],
    ['a block that is none', JSON.stringify(message(['x'])), 'answered an invalid block: the string "x"'],
    [
      'ADPT-04: a call without a name',
      JSON.stringify(message([{ type: 'tool_use', id: 'a', name: ' ', input: {} }])),
      'answered a tool call 0 without the name of a tool',
    ],
  ])('an answer with %s is refused, saying what came', async (_name, body, problem) => {
    const error = await rejectionOf(adapterOver(() => json(body)).complete(requestOf([hello])));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
    expect(error.message).toContain(`anthropic:m ${problem}`);
  });
});
