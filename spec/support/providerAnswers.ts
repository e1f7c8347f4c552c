const args = { sku: 'A-1' };
const text = 'There are 4 of A-1.';
const aiUsage = { inputTokens: { total: 40 }, outputTokens: { total: 10 } };

/** The answers of providers to the example of their package: a call of `in_stock`, and a text. */
export const providerAnswers: Readonly<Record<string, readonly object[]>> = {
  openai: [
    completion('tool_calls', {
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'in_stock', arguments: JSON.stringify(args) } }],
    }),
    completion('stop', { content: text }),
  ],
  anthropic: [
    message('tool_use', { type: 'tool_use', id: 'toolu_1', name: 'in_stock', input: args }),
    message('end_turn', { type: 'text', text }),
  ],
  'ai-sdk': [
    generated('tool-calls', {
      type: 'tool-call',
      toolCallId: 'call_1',
      toolName: 'in_stock',
      input: JSON.stringify(args),
    }),
    generated('stop', { type: 'text', text }),
  ],
};

/** A module that replaces `fetch` by one that gives these answers, one after the other. */
export function fetchThatAnswers(answers: readonly object[]): string {
  return `const answers = ${JSON.stringify(answers)};\nglobalThis.fetch = async () => Response.json(answers.shift());\n`;
}

function completion(finish_reason: string, said: object): object {
  return { id: 'chatcmpl-1', choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason }] };
}

function message(stop_reason: string, block: object): object {
  const usage = { input_tokens: 40, output_tokens: 10 };
  return { id: 'msg_1', type: 'message', role: 'assistant', content: [block], stop_reason, usage };
}

function generated(unified: string, part: object): object {
  return { content: [part], finishReason: { unified, raw: unified }, usage: aiUsage, warnings: [] };
}
