import { promptProblems } from './support/promptRules';

const user = { role: 'user', content: [{ type: 'text', text: 'Hello!' }] };
const call = { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: {} };
const result = { type: 'tool-result', toolCallId: 'c', toolName: 'find', output: { type: 'text', value: 'Found.' } };
const asks = { role: 'assistant', content: [call] };
const answers = { role: 'tool', content: [result] };
const later = (content: string, providerOptions?: object): object => ({
  role: 'system',
  content,
  ...(providerOptions === undefined ? {} : { providerOptions }),
});
const claude = (...messages: readonly object[]): object => ({
  ...after(...messages),
  version: 'v4',
  provider: 'anthropic.messages',
});
const change = (type: string, toolName: string): object =>
  later('', { anthropic: { toolChanges: [{ type, toolName }] } });
const betas = { anthropic: { anthropicBeta: ['mid-conversation-tool-changes-2026-07-01'] } };
const tool = { type: 'function', name: 'find', inputSchema: { type: 'object' } };

/** A request with these messages after the first one. */
function after(...messages: readonly object[]): object {
  return {
    model: 'm',
    version: 'v3',
    stream: false,
    messages: [{ role: 'system', content: 'Be kind.' }, user, ...messages],
  };
}

describe('the rules by which the double looks at a request', () => {
  test('a good one passes', () => {
    expect(promptProblems({ ...after(asks, answers), tools: [tool], toolChoice: { type: 'auto' } })).toEqual([]);
  });

  test.each([
    ['body', 'nothing'],
    ['body', { ...after(), speed: 1 }],
    ['body', { ...after(), reasoning: 'low' }],
    ['body', { ...after(), toolChoice: { type: 'auto' } }],
    ['roles', after({ role: 'critic', content: [] })],
    ['roles', after({ role: 'system', content: 'Be brief.' })],
    ['roles', { model: 'm', messages: [{ role: 'system', content: 'Be kind.' }, asks, answers] }],
    ['parts', { model: 'm', messages: [{ role: 'system', content: [] }, user] }],
    ['parts', after({ role: 'assistant', content: [] })],
    ['parts', after({ role: 'assistant', content: 'Hi.' })],
    ['parts', after({ role: 'user', content: [{ type: 'tool-call' }] })],
    ['blank', after({ role: 'assistant', content: [{ type: 'text', text: ' ' }] })],
    ['inputs', after({ role: 'assistant', content: [{ ...call, input: '{}' }] }, answers)],
    ['outputs', after(asks, { role: 'tool', content: [{ ...result, output: 'Found.' }] })],
    ['outputs', after(asks, { role: 'tool', content: [{ ...result, output: { type: 'text', value: '' } }] })],
    ['answers', after(asks)],
    ['answers', after(asks, { role: 'tool', content: [{ ...result, toolCallId: 'd' }] })],
    ['answers', after(asks, answers, asks, answers)],
    ['tools', { ...after(), tools: [tool, tool] }],
    ['tools', { ...after(), tools: [{ ...tool, name: 'find it' }] }],
    ['tools', { ...after(), tools: [{ ...tool, inputSchema: { type: 'array' } }] }],
    ['tools', { ...after(), tools: [{ type: 'provider', name: 'search' }] }],
    ['roles', claude({ role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }, later('Be brief.'))],
    ['roles', claude(later('Be brief.'), user)],
    ['news', claude(later(''))],
    ['news', { ...claude(change('tool_addition', 'find')), providerOptions: betas }],
    ['news', { ...claude(change('tool_addition', 'find')), tools: [tool], providerOptions: betas }],
    ['news', { ...claude(change('tool_removal', 'find')), tools: [tool] }],
    [
      'news',
      { ...after(change('tool_removal', 'find')), tools: [tool], provider: 'openai.chat', providerOptions: betas },
    ],
    ['news', { ...after(later('', { openai: { additionalTools: [] } })), version: 'v4', provider: 'openai.chat' }],
    [
      'files',
      after({
        role: 'user',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } }],
      }),
    ],
    [
      'files',
      claude({
        role: 'user',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'b.png' } }],
      }),
    ],
    [
      'files',
      after(asks, { role: 'tool', content: [{ ...result, output: { type: 'content', value: [{ type: 'file' }] } }] }),
    ],
    [
      'stored',
      {
        ...after({ role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { openai: {} } }] }),
        ...{ version: 'v4', provider: 'openai.responses', providerOptions: { openai: { store: false } } },
      },
    ],
    [
      'binding',
      claude({
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { p: { signature: 'bound:0' } } }],
      }),
    ],
  ])("the double's rule %s refuses the request %j", (rule, body) => {
    expect(promptProblems(body).map((problem) => problem.rule)).toContain(rule);
  });
});
