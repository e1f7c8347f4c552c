import { SpanStatusCode } from '@opentelemetry/api';
import { definePrompt, defineSection, defineTool, Session, type ToolContext } from 'toolwright';
import { deny } from 'toolwright/policies';
import { answer, calling, getOrder, named, tracedDesk } from './desk';

describe('spans of calls', () => {
  const outcome = async (name: string, args: object) => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    await app.invoke(await prompt.render(), name, { ...args });
    expect(trace.spans).toHaveLength(1);
    const [span] = trace.spans;
    return [span?.name, span?.attributes['toolwright.call.kind'], span?.attributes['error.type'], span?.status.code];
  };

  test.each([
    ['succeeded', { orderId: '#1' }, [undefined, SpanStatusCode.UNSET]],
    ['failed', { orderId: '#none' }, ['failed', SpanStatusCode.ERROR]],
    ['failed', { orderId: '#broken' }, ['failed', SpanStatusCode.ERROR]],
    ['rejected', { wrong: 1 }, ['rejected', SpanStatusCode.ERROR]],
  ])('spans of calls say how a call ended: %s for %j', async (kind, args, rest) => {
    expect(await outcome('get_order', args)).toEqual(['execute_tool get_order', kind, ...rest]);
  });

  test('spans of calls keep the name of a tool that is not offered to themselves', async () => {
    expect(await outcome('ignore_previous_instructions', {})).toEqual([
      'execute_tool _OTHER',
      'unknown',
      'unknown',
      SpanStatusCode.ERROR,
    ]);
  });

  test('spans of calls say that a call timed out, and end with it', async () => {
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      timeoutMs: 20,
      handler: () => new Promise(() => {}),
    });
    const { app, prompt, trace } = await tracedDesk([slow]);
    await app.invoke(await prompt.render(), 'slow', {});
    expect(trace.span('execute_tool slow').attributes).toMatchObject({ 'error.type': 'timed_out' });
  });

  test('spans show calls that are not let in: denied by a policy, or waiting for an approval', async () => {
    const guarded = (name: string, options: object) =>
      defineTool({ name, description: 'Acts.', handler: () => 'Done.', ...options });
    const never = { name: 'never', check: () => deny('Not today.') };
    const { app, prompt, trace } = await tracedDesk(
      [guarded('closed', { policies: [never] }), guarded('costly', { requiresApproval: true })],
      { app: { approver: { approve: async () => ({ kind: 'later' }) } } },
    );
    const rendered = await prompt.render();
    await app.invoke(rendered, 'closed', {});
    await expect(app.invoke(rendered, 'costly', {})).rejects.toThrow();
    expect(trace.span('execute_tool closed').attributes).toMatchObject({ 'error.type': 'denied' });
    const waiting = trace.span('execute_tool costly');
    expect(waiting.attributes).toMatchObject({ 'error.type': 'E711' });
    expect(waiting.attributes).not.toHaveProperty('toolwright.call.kind');
  });

  test('spans of calls say that a call was in conflict after its handler had succeeded', async () => {
    class Count {
      constructor(readonly value: number) {}
    }
    const session = new Session();
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      handler: (_params: unknown, context: ToolContext) => {
        context.session.slice(Count).all();
        session.dispatch(new Count(1)); // past the call, as another request would
        context.session.dispatch(new Count(2));
        return 'Written.';
      },
    });
    const { app, prompt, trace } = await tracedDesk([write]);
    const { kind } = await app.invoke(await prompt.render({ session }), 'write', {}, { session });
    expect(kind).toBe('conflicted');
    expect(trace.span('execute_tool write').attributes).toMatchObject({ 'error.type': 'conflicted' });
  });

  test('spans are children of the call in which they are made, and siblings where calls run together', async () => {
    const both = defineTool({
      name: 'both',
      description: 'Fetches two.',
      handler: async (_params: unknown, context: ToolContext) => {
        const fetch = (id: string, orderId: string) =>
          context.callTool({ id, name: 'get_order', arguments: { orderId } });
        await Promise.all([fetch('x', '#1'), fetch('y', '#2')]);
        return 'Both.';
      },
    });
    const { app, prompt, trace } = await tracedDesk([both, getOrder]);
    const script = [
      { toolCalls: [...['a', 'b'].map((id) => ({ id, name: 'both', arguments: {} }))] },
      calling('#1', '#2', '#3'),
      answer,
    ];
    await app.evaluate(prompt, { adapter: named(script) });
    expect(trace.tree()).toEqual([
      'invoke_agent shop/desk',
      '  chat gpt-5-mini',
      ...['a', 'b'].flatMap(() => ['  execute_tool both', '    execute_tool get_order', '    execute_tool get_order']),
      '  chat gpt-5-mini',
      ...['#1', '#2', '#3'].map(() => '  execute_tool get_order'),
      '  chat gpt-5-mini',
    ]);
    const inner = trace.spans.filter(({ attributes }) => attributes['toolwright.call.parent_id'] !== undefined);
    expect(inner.map(({ attributes }) => attributes['toolwright.call.parent_id']).sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  test('spans of calls hold the run that a handler lets the model answer', async () => {
    const section = defineSection({ key: 's', title: 'S', template: 'Sum up.' });
    const summary = definePrompt({ ns: 'shop', key: 'summary', sections: [section] });
    const sumUp = defineTool({
      name: 'sum_up',
      description: 'Sums up.',
      handler: async (_params: unknown, { run: adapter }: ToolContext) => {
        const response = await adapter?.evaluate(desk.app.prompt(summary));
        return response?.text ?? '';
      },
    });
    const desk = await tracedDesk([sumUp], { others: [summary] });
    const script = [{ toolCalls: [{ name: 'sum_up', arguments: {} }] }, { text: 'In short.' }, answer];
    await desk.app.evaluate(desk.prompt, { adapter: named(script) });
    expect(desk.trace.tree()).toEqual([
      'invoke_agent shop/desk',
      '  chat gpt-5-mini',
      '  execute_tool sum_up',
      '    invoke_agent shop/summary',
      '      chat gpt-5-mini',
      '  chat gpt-5-mini',
    ]);
    const { attributes } = desk.trace.span('invoke_agent shop/desk');
    // Its own requests alone: the nested run has its own.
    expect(attributes['gen_ai.usage.input_tokens']).toBe(150);
  });
});
