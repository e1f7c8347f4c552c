// The tools of a prompt in other loops: generateText of the AI SDK, and one written by hand over OpenAI's client.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import {
  ApprovalPendingError,
  createApplication,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { toAiTools } from '@toolwright/ai-sdk';
import { toOpenAiTools } from '@toolwright/openai';
import { ToolInvoked } from 'toolwright/events';
import { toStandardTools } from 'toolwright/own-loop';

class Paid {
  constructor(readonly amount: number) {}
}

class PayParams {
  @Param({ description: 'In euro', integer: true, min: 1 })
  amount!: number;
}

@Section({ title: 'Till', template: 'Pay what you are told to pay.' })
class TillSection {
  @Tool({ description: 'Pay.', requiresApproval: ({ amount }: PayParams) => amount > 100 })
  pay({ amount }: PayParams, context: ToolContext): string {
    context.session.dispatch(new Paid(amount));
    const total = context.session
      .slice(Paid)
      .all()
      .reduce((sum, paid) => sum + paid.amount, 0);
    if (total > 50) throw new RangeError(`There are 50 euro in the till, not ${String(total)}.`);
    return `Paid ${String(amount)}, ${String(total)} in all.`;
  }
}

@Prompt({ ns: 'samples', key: 'till', sections: [TillSection] })
class Till {}

// The models of both loops make four calls at once.
const amounts: readonly unknown[] = [20, 'twenty', 40, 15];

async function main(): Promise<void> {
  const app = await createApplication({
    prompts: [Till],
    approver: { approve: () => ({ kind: 'later' }) },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }, // the failures here are intended
  });
  const events: string[] = [];
  app.eventBus.subscribe(ToolInvoked, ({ kind }) => {
    events.push(kind);
  });

  console.log('--- generateText owns the loop ---');
  const session = new Session();
  const rendered = await app.prompt(Till).render({ session });
  const model = new MockLanguageModelV3({ doGenerate: [calling(amounts), saying('Done.')] });
  const { text, steps } = await generateText({
    model,
    system: rendered.text,
    prompt: 'Pay.',
    tools: toAiTools(app, rendered, { session }),
    stopWhen: stepCountIs(20),
  });
  for (const part of steps[0]?.content ?? []) if (part.type === 'tool-result') console.log(firstLine(part.output));
  console.log(text);
  assert.deepEqual(readPayments(session), [20, 15]); // they were made at once, and ran one after the other
  assert.deepEqual(events.splice(0), ['succeeded', 'rejected', 'failed', 'succeeded']);

  console.log('\n--- A loop by hand over OpenAI’s client ---');
  const { client, close } = await openProvider();
  const other = new Session();
  const desk = toOpenAiTools(app, rendered, { api: 'chat', session: other });
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    { role: 'system', content: rendered.text },
    { role: 'user', content: 'Pay.' },
  ];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'double', messages, tools: desk.tools });
    const message = choices[0]?.message;
    assert.ok(message !== undefined);
    messages.push(message, ...(await desk.answer(message.tool_calls)));
    if (message.tool_calls === undefined) break;
  }
  await close();
  for (const { role, content } of messages.slice(3)) console.log(`${role}: ${firstLine({ text: content })}`);
  assert.deepEqual(readPayments(other), [20, 15]);
  assert.deepEqual(events.splice(0), ['succeeded', 'rejected', 'failed', 'succeeded']);

  console.log('\n--- What no model is to be told ends the loop ---');
  const stop = new AbortController();
  const tools = toAiTools(app, rendered, { session, onLeave: (error) => stop.abort(error) });
  const asking = new MockLanguageModelV3({
    doGenerate: ({ abortSignal }) => {
      abortSignal?.throwIfAborted();
      return Promise.resolve(calling([500]));
    },
  });
  const left: unknown = await generateText({
    model: asking,
    prompt: 'Pay.',
    tools,
    stopWhen: stepCountIs(20),
    abortSignal: stop.signal,
  }).catch((error: unknown) => error);
  assert.ok(left instanceof ApprovalPendingError);
  console.log(`${left.pending.tool} ${JSON.stringify(left.pending.arguments)} waits for an approval`);

  console.log('\n--- Any other loop ---');
  const [pay] = toStandardTools(app, rendered, { session: new Session() });
  assert.ok(pay !== undefined);
  const schema = pay.inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' });
  console.log(`${pay.name} takes ${Object.keys(schema['properties'] as object).join()}`);
  console.log((await pay.execute({ amount: 5 })).text);
}

function firstLine(output: unknown): string {
  return String((output as { readonly text: unknown }).text).split('\n')[0] ?? '';
}

function readPayments(session: Session): readonly number[] {
  return session
    .slice(Paid)
    .all()
    .map(({ amount }) => amount);
}

function calling(given: readonly unknown[]) {
  const content = given.map((amount, index) => ({
    type: 'tool-call' as const,
    toolCallId: `call_${String(index)}`,
    toolName: 'pay',
    input: JSON.stringify({ amount }),
  }));
  return { content, finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage, warnings: [] };
}

function saying(text: string) {
  const content = [{ type: 'text' as const, text }];
  return { content, finishReason: { unified: 'stop' as const, raw: undefined }, usage, warnings: [] };
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Returns a local provider that makes the same calls, and answers `Done.` after them. */
async function openProvider() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { role: string }[] };
      const tool_calls = amounts.map((amount, index) => ({
        id: `call_${String(index)}`,
        type: 'function',
        function: { name: 'pay', arguments: JSON.stringify({ amount }) },
      }));
      const isAnswered = messages.some(({ role }) => role === 'tool');
      const message = isAnswered
        ? { role: 'assistant', content: 'Done.' }
        : { role: 'assistant', content: null, tool_calls };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new OpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${String(port)}/v1` });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { client, close };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
