// One agent before, during and after its move from the AI SDK to Toolwright. The scripted model makes the same calls each time, and a call that fails takes lamps from the stock before it fails.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelMessage } from 'ai';
import type { ModelMessage as ModelMessage7 } from 'ai7' with { 'resolution-mode': 'import' };
import type { MockLanguageModelV3 } from 'ai/test';
import { ApprovalPendingError, type Logger } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { toNodeHandler } from '@toolwright/ui';
import * as after from './after.js';
import * as before from './before.js';
import * as beside from './beside.js';
import { createAgent } from './beside7.js';
import { Answer } from './Desk.js';
import { playScript } from './model.js';
import { Page } from './Page.js';
import { openShop, type Shop } from './Shop.js';

const ticket = 'W1 came broken. Send the lamps again, and refund the rest.';
const reply = { refunded: 80, reply: 'The lamps are on their way.' };

/** Logs nothing, because the failures here are intended. */
const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** What both agents must do alike; their stocks are compared apart. */
interface Told {
  readonly calls: readonly string[];
  readonly answer: unknown;
  readonly refunds: readonly string[];
}

/** The calls that a model made, as they were sent back in its last request. */
function callsOf({ doGenerateCalls }: MockLanguageModelV3): readonly string[] {
  const calls: string[] = [];
  for (const message of doGenerateCalls.at(-1)?.prompt ?? [])
    for (const part of message.role === 'assistant' ? message.content : [])
      if (part.type === 'tool-call') calls.push(`${part.toolName} ${JSON.stringify(part.input)}`);
  return calls;
}

/** The part of an answer of the AI SDK that its caller needs; the classes of messages differ between its versions. */
interface TheirAnswer {
  readonly content: readonly { readonly type: string; readonly approvalId?: string }[];
  /** All messages of the loop in 7; in 6 they are in `response`. */
  readonly responseMessages?: readonly object[];
  readonly response: { readonly messages: readonly object[] };
}

/** Answers a ticket in a loop of the AI SDK, and approves the call that waits. */
async function approveInTheirLoop<M extends object, A extends TheirAnswer>(
  answer: (messages: M[]) => Promise<A>,
): Promise<A> {
  const messages: object[] = [{ role: 'user', content: ticket }];
  const first = await answer(messages as M[]);
  const request = first.content.find(({ type }) => type === 'tool-approval-request');
  assert.ok(request?.approvalId !== undefined);
  const approval = { type: 'tool-approval-response', approvalId: request.approvalId, approved: true };
  const made = first.responseMessages ?? first.response.messages;
  return answer([...messages, ...made, { role: 'tool', content: [approval] }] as M[]);
}

async function answerTickets(): Promise<void> {
  console.log('--- A ticket ---');
  const json = JSON.stringify(reply);
  const shops = { before: openShop(), beside: openShop(), beside7: openShop(), after: openShop() };
  const models = {
    before: playScript(json),
    beside: playScript(json),
    beside7: playScript(json),
    after: playScript(json),
  };

  const { output } = await approveInTheirLoop((messages: ModelMessage[]) =>
    before.answerTicket(models.before, shops.before, 'kim', messages),
  );
  const first = report('AI SDK', models.before, shops.before, output);

  const mixed = await after.openDesk(shops.beside, silent);
  const second = await approveInTheirLoop((messages: ModelMessage[]) =>
    beside.answerTicket(mixed, models.beside, shops.beside, 'kim', messages),
  );
  assert.deepEqual(report('AI SDK, one moved tool', models.beside, shops.beside, second.output), first);
  await mixed.close();

  const mixed7 = await after.openDesk(shops.beside7, silent);
  const agent = await createAgent(mixed7, models.beside7, shops.beside7, 'kim');
  const third = await approveInTheirLoop((messages: ModelMessage7[]) => agent.generate({ messages }));
  assert.deepEqual(report('AI SDK 7, two moved tools', models.beside7, shops.beside7, third.output), first);
  await mixed7.close();

  const app = await after.openDesk(shops.after, silent);
  const conversation = new Conversation();
  const answer = (messages?: Parameters<typeof after.answerTicket>[4]) =>
    after.answerTicket(app, models.after, 'kim', conversation, messages);
  await assert.rejects(answer([{ role: 'user', content: ticket }]), ApprovalPendingError);
  const [question] = conversation.questions;
  assert.equal(question?.name, 'refund');
  await conversation.reply(question.id, { kind: 'approved', by: 'lee' });
  const { output: typed } = await answer();
  assert.ok(typed instanceof Answer);
  assert.deepEqual(
    report('Toolwright', models.after, shops.after, { refunded: typed.refunded, reply: typed.reply }),
    first,
  );
  await app.close();

  // The call that failed had taken two lamps, and the next one took two.
  assert.deepEqual([shops.before, shops.beside, shops.beside7, shops.after].map(lampsOf), [6, 8, 8, 8]);
}

function report(name: string, model: MockLanguageModelV3, shop: Shop, answer: unknown): Told {
  const calls = callsOf(model);
  console.log(`${name}: ${String(calls.length)} calls, ${JSON.stringify(answer)}, ${String(lampsOf(shop))} lamps left`);
  return { calls, answer, refunds: shop.payments.refunds };
}

const lampsOf = ({ stock }: Shop): number => stock.get('lamp') ?? 0;

async function chat(): Promise<void> {
  console.log('--- The same page over both routes ---');
  const shops = { before: openShop(), after: openShop() };
  const text = 'Done: the lamps are on their way, and 80 euro were refunded.';
  const model = playScript(text);
  const theirs = toNodeHandler((request) => before.chat(model, shops.before, request));
  const first = await useChat('AI SDK', theirs, shops.before);

  const app = await after.openDesk(shops.after, silent);
  const handler = after.openChat(app, playScript(text));
  const second = await useChat('Toolwright', toNodeHandler(handler), shops.after);
  await handler.close();
  await app.close();
  assert.equal(first.answer, text);
  assert.deepEqual(second, first);
  assert.deepEqual([shops.before, shops.after].map(lampsOf), [6, 8]);
}

/** Sends the ticket from the page, and approves the refund there. */
async function useChat(name: string, listener: ReturnType<typeof toNodeHandler>, shop: Shop): Promise<Told> {
  const server: Server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const page = new Page(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, 'kim');
  await page.sendMessage({ text: ticket });
  const approved = await page.approve();
  console.log(`${name}: approved ${approved}; "${page.text}" ${String(lampsOf(shop))} lamps left`);
  server.close().closeAllConnections();
  return { calls: page.calls, answer: page.text, refunds: shop.payments.refunds };
}

async function main(): Promise<void> {
  await answerTickets();
  await chat();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
