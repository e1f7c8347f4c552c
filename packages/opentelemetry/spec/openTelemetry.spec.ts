import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type ModelAdapter, Param, Session, ThrottleError } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import { reopened } from '../../../spec/support/reopened';
import { answer, calling, getOrder, named, tracedDesk } from './desk';

describe('spans of a run', () => {
  test('spans of a run are its children, with the attributes of the conventions', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const session = new Session({ id: 's-1' });
    await app.evaluate(prompt, {
      adapter: named([calling('#1'), answer]),
      session,
      runMetadata: { tenant: 'acme' },
    });
    expect(trace.tree()).toEqual([
      'invoke_agent shop/desk',
      '  chat gpt-5-mini',
      '  execute_tool get_order',
      '  chat gpt-5-mini',
    ]);
    const run = trace.span('invoke_agent shop/desk');
    expect(run.kind).toBe(SpanKind.INTERNAL);
    expect(run.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(run.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.agent.name': 'shop/desk',
      'gen_ai.conversation.id': 's-1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 250,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.usage.cache_read.input_tokens': 80,
      'toolwright.run.id': expect.any(String) as string,
      'toolwright.run_context.tenant': 'acme',
      'toolwright.turns': 2,
      'toolwright.complete': true,
    });
    const [first, second] = trace.spans.filter(({ name }) => name === 'chat gpt-5-mini');
    expect(first?.kind).toBe(SpanKind.CLIENT);
    expect(first?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.agent.name': 'shop/desk',
      'gen_ai.conversation.id': 's-1',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 80,
      'toolwright.prefix.kept_bytes': 0,
      'toolwright.prefix.kept_tokens': 0,
      'toolwright.prefix.new_bytes': expect.any(Number) as number,
      'toolwright.prefix.changed_bytes': 0,
      'toolwright.prefix.changed_parameters': [],
      'toolwright.turn': 1,
    });
    expect(second?.attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 150,
      'toolwright.turn': 2,
    });
    const tool = trace.span('execute_tool get_order');
    expect(tool.kind).toBe(SpanKind.INTERNAL);
    expect(tool.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_order',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c0',
      'gen_ai.tool.description': 'Fetch one order.',
      'gen_ai.agent.name': 'shop/desk',
      'gen_ai.conversation.id': 's-1',
      'toolwright.call.caller': 'direct',
      'toolwright.call.kind': 'succeeded',
      'toolwright.turn': 1,
      'toolwright.run_context.tenant': 'acme',
    });
  });

  test('spans are the same for a run that is read as a stream', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const script = [calling('#1', '#2'), answer];
    await app.evaluate(prompt, { adapter: named(script) });
    const evaluated = trace.tree();
    trace.exporter.reset();
    for await (const _event of app.stream(prompt, { adapter: named(script) })) {
      // Reading is enough.
    }
    expect(trace.tree()).toEqual(evaluated);
    expect(evaluated).toContain('  execute_tool get_order');
  });

  test('spans of a run are ended when the reader of a stream returns', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    for await (const { kind } of app.stream(prompt, { adapter: named([calling('#1'), answer]) }))
      if (kind === 'begun') break;
    expect(trace.tree()).toEqual(['invoke_agent shop/desk', '  chat gpt-5-mini']);
    expect(trace.span('invoke_agent shop/desk').status.code).toBe(SpanStatusCode.ERROR);
  });

  test('spans of a run name no model for an adapter that names none, and the form of the answer', async () => {
    class Verdict {
      @Param('Whether') ok!: boolean;
    }
    const { app, prompt, trace } = await tracedDesk([getOrder], { prompt: { output: () => Verdict } });
    await app.evaluate(prompt, { adapter: named([{ text: '{"ok":true}' }], 'local') });
    expect(trace.tree()).toEqual(['invoke_agent shop/desk', '  chat']);
    const { attributes } = trace.span('chat');
    expect(attributes).toMatchObject({ 'gen_ai.provider.name': 'local', 'gen_ai.output.type': 'json' });
    expect(attributes).not.toHaveProperty('gen_ai.request.model');
    expect(attributes).not.toHaveProperty('gen_ai.usage.input_tokens');
  });

  test('spans of a run show each attempt at a request that was throttled', async () => {
    let attempts = 0;
    const { app, prompt, trace } = await tracedDesk([getOrder], { app: { clock: new FakeClock(), random: () => 0 } });
    const model = named([answer]);
    const adapter: ModelAdapter = {
      name: model.name,
      complete: async (request) => {
        if (++attempts === 1) throw new ThrottleError('later', { kind: 'overloaded' });
        return model.complete(request);
      },
    };
    await app.evaluate(prompt, { adapter });
    const chats = trace.spans.filter(({ name }) => name === 'chat gpt-5-mini');
    expect(chats.map(({ status, attributes }) => [status.code, attributes['error.type']])).toEqual([
      [SpanStatusCode.ERROR, 'E705'],
      [SpanStatusCode.UNSET, undefined],
    ]);
  });

  test('spans of a continued run are those of this process alone', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const conversation = new Conversation();
    const script = [calling('#1'), answer];
    await expect(app.evaluate(prompt, { adapter: named(script.slice(0, 1)), conversation })).rejects.toThrow();
    trace.exporter.reset();
    const adapter = named([answer]);
    await app.evaluate(prompt, { adapter, conversation: reopened(conversation) });
    expect(trace.tree()).toEqual(['invoke_agent shop/desk', '  chat gpt-5-mini']);
    expect(trace.span('chat gpt-5-mini').attributes['toolwright.turn']).toBe(2);
  });

  test('spans of a run show why it ended without an answer', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const stop = new AbortController();
    const adapter: ModelAdapter = {
      name: 'openai:gpt-5-mini',
      complete: async () => {
        stop.abort(new RangeError('enough'));
        return new Promise(() => undefined);
      },
    };
    await expect(app.evaluate(prompt, { adapter, signal: stop.signal })).rejects.toThrow('enough');
    expect(trace.tree()).toEqual(['invoke_agent shop/desk', '  chat gpt-5-mini']);
    for (const { status, attributes } of trace.spans)
      expect([status, attributes['error.type']]).toEqual([{ code: SpanStatusCode.ERROR }, 'RangeError']);
  });
});
