import { removedReasoning, signReasoning } from './support/boundReasoning';
import { toolNamed } from './support/client';
import type { Json } from './support/json';
import { refusingResponsesWire } from './support/responsesWire';
import { eventsOf, reasoningItem, responseOf, saidItem } from './support/responses';

const hello = { role: 'user', content: 'Hello' };
const first: Json = { model: 'm', tools: [toolNamed('find')], input: [hello] };
const [reasoning, said] = (
  signReasoning(responseOf([reasoningItem('rs_1'), saidItem('Hi.')]), first) as { readonly output: readonly object[] }
).output;
const second: Json = { ...first, input: [hello, reasoning, said, { role: 'user', content: 'And?' }] };

describe('reasoning of the Responses double', () => {
  test('reasoning of the Responses double stays while everything before its answer is as it was', () => {
    expect(removedReasoning(second)).toEqual([]);
    expect(removedReasoning({ ...second, tool_choice: 'required' })).toEqual([]);
  });

  test.each<[string, Json]>([
    ['a tool came', { tools: [toolNamed('find'), toolNamed('open')] }],
    ['a tool reads otherwise', { tools: [{ ...toolNamed('find'), description: 'Other.' }] }],
    ['no tool is left', { tools: undefined }],
    ['instructions came', { instructions: 'You help.' }],
    ['another form is required', { text: { format: { type: 'json_object' } } }],
    ['a message changed', { input: [{ ...hello, content: 'Hello!' }, reasoning, said] }],
    ['a message came before it', { input: [hello, hello, reasoning, said] }],
  ])('the double of Responses removes reasoning where %s', (_what, changes) => {
    expect(removedReasoning({ ...second, ...changes })).toEqual(['rs_1']);
  });

  test('reasoning of the Responses double is refused where the host does not drop it', () => {
    const rules = (body: Json) => refusingResponsesWire.problems(body).map(({ rule }) => rule);
    expect(rules(second)).not.toContain('reasoning-bound');
    expect(rules({ ...second, instructions: 'You help.' })).toContain('reasoning-bound');
  });

  test('reasoning of the Responses double is bound in streams as well, and only if it is signed', () => {
    const [event] = eventsOf([reasoningItem('rs_2')]).slice(2);
    expect(JSON.stringify(signReasoning(event, first))).toMatch(/gAAAA-rs_2\.1\.[0-9a-f]{16}/);
    expect(removedReasoning({ ...first, input: [reasoningItem('rs_3')] })).toEqual([]);
  });
});
