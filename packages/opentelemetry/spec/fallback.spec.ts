import { type ModelAdapter, PromptEvaluationError } from 'toolwright';
import { fallback } from 'toolwright/adapters';
import { answer, calling, getOrder, named, tracedDesk } from './desk';

const failing = (name: string): ModelAdapter => ({
  name,
  complete: () => Promise.reject(new PromptEvaluationError('no host', { phase: 'request', failure: 'down' })),
});

describe('a run that goes on with another model, in traces', () => {
  test('each request names the model that got it, and the first one to another model says why', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const adapter = fallback([failing('anthropic:claude-x'), named([calling('#1'), answer])]);
    await app.evaluate(prompt, { adapter, messages: [{ role: 'user', content: 'Where?' }] });
    expect(trace.tree()).toEqual([
      'invoke_agent shop/desk',
      ...['  chat claude-x', '  chat gpt-5-mini', '  execute_tool get_order', '  chat gpt-5-mini'],
    ]);
    const chats = trace.spans.filter(({ name }) => name.startsWith('chat ')).map(({ attributes }) => attributes);
    expect(chats.map((attributes) => attributes['gen_ai.provider.name'])).toEqual(['anthropic', 'openai', 'openai']);
    expect(chats[0]).toMatchObject({ 'error.type': 'E701' });
    expect(chats[1]).toMatchObject({
      'toolwright.fallback.from': 'anthropic:claude-x',
      'toolwright.fallback.failure': 'down',
    });
    for (const chat of [chats[0], chats[2]]) expect(chat).not.toHaveProperty('toolwright.fallback.from');
  });
});
