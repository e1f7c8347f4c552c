// A model of any provider of the AI SDK answers a run of Toolwright.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { gateway } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createApplication, Field, Param, Prompt, Section, Session, Tool, ToolContext, ToolResult } from 'toolwright';
import { AiSdkAdapter } from '@toolwright/ai-sdk';

class Reserved {
  constructor(
    readonly table: number,
    readonly guests: number,
  ) {}
}

class ReserveParams {
  @Param({ description: 'Number of the table', integer: true, min: 1, max: 9 })
  table!: number;

  @Param({ description: 'How many guests', integer: true, min: 1 })
  guests!: number;
}

class Plan {
  @Field({ description: 'Tables that are reserved, the lowest first', type: [Number] })
  tables!: readonly number[];

  @Field('What to tell the guests')
  message!: string;
}

@Section({ title: 'Tables', template: 'Reserve tables as the guests wish. A table has four seats.' })
class TablesSection {
  @Tool('Reserve a table.')
  reserve({ table, guests }: ReserveParams, context: ToolContext): ToolResult {
    context.session.dispatch(new Reserved(table, guests));
    if (guests > 4) return ToolResult.error(`Table ${String(table)} has four seats. Take a second table.`);
    return ToolResult.ok(null, `Table ${String(table)} is reserved.`);
  }
}

@Prompt({ ns: 'samples', key: 'restaurant', sections: [TablesSection], output: Plan })
class Restaurant {}

// A model of a provider package, such as openai('gpt-5-mini') of @ai-sdk/openai; here it plays a script.
const scripted = new MockLanguageModelV3({
  provider: 'anthropic.messages',
  modelId: 'scripted',
  doGenerate: [
    calling({ table: 7, guests: 6 }, { table: 2, guests: 4 }),
    calling({ table: 3, guests: 2 }),
    saying('{"tables": [2, 3], "message": "Two tables wait for you."}'),
  ],
});

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [Restaurant] });
  const session = new Session();
  const live = process.env['AI_GATEWAY_MODEL']; // e.g. openai/gpt-5-mini, with AI_GATEWAY_API_KEY
  const adapter = new AiSdkAdapter({
    model: live === undefined ? scripted : gateway(live),
    parameters: { temperature: 0 },
  });

  const response = await app.evaluate(app.prompt(Restaurant), {
    adapter,
    session,
    output: Plan,
    messages: [{ role: 'user', content: 'We are six.' }],
  });
  for (const message of response.transcript.slice(1)) {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    for (const { name, arguments: args } of calls)
      console.log(`${adapter.name} calls ${name} ${typeof args === 'string' ? args : ''}`);
    if (message.content !== null) console.log(`${message.role}: ${message.content.split('\n')[0] ?? ''}`);
  }
  console.log(`tables ${response.output.tables.join(' and ')}, ${String(response.usage?.totalTokens)} tokens`);
  if (live !== undefined) return;

  // The failed call has left no trace: it had reserved before it checked.
  assert.deepEqual(
    session
      .slice(Reserved)
      .all()
      .map(({ table }) => table),
    [2, 3],
  );
  assert.ok(response.output instanceof Plan);

  // The requests to the model: dialect, form and cache marks follow its provider.
  const [first, , third] = scripted.doGenerateCalls;
  assert.equal(first?.temperature, 0);
  assert.equal(first.responseFormat?.type, 'json');
  assert.deepEqual(first.prompt[0]?.providerOptions, { anthropic: { cacheControl: { type: 'ephemeral' } } });
  assert.equal(third?.prompt.length, 6);
  console.log(`the last request says: ${third.prompt.map(({ role }) => role).join(', ')}`);
}

function calling(...inputs: readonly object[]) {
  const content = inputs.map((input, index) => ({
    type: 'tool-call' as const,
    toolCallId: `call_${String(index)}`,
    toolName: 'reserve',
    input: JSON.stringify(input),
  }));
  return { content, finishReason: { unified: 'tool-calls' as const, raw: 'tool_use' }, usage: usage(40), warnings: [] };
}

function saying(text: string) {
  const content = [{ type: 'text' as const, text }];
  return { content, finishReason: { unified: 'stop' as const, raw: 'end_turn' }, usage: usage(90), warnings: [] };
}

function usage(input: number) {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
