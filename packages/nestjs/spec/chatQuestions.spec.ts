import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  type ModelAdapter,
  Param,
  Prompt,
  PromptEvaluationError,
  Section,
  Session,
  ThrottleError,
  Tool,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { ChatController, type ChatRun, ToolwrightModule } from '@toolwright/nestjs';
import { MemoryRuns } from '@toolwright/durable';
import { silent } from '../../../spec/support/silent.js';

jest.setTimeout(60_000);

const open: INestApplication[] = [];

afterEach(async () => {
  for (const nest of open.splice(0)) await nest.close();
});

const refund: ScriptStep = { toolCalls: [{ name: 'refund', arguments: { amount: 40 } }] };

/** Serves a chat whose refunds wait for a person; the conversation is in a store. */
async function serve(steps: readonly ScriptStep[], model: ModelAdapter = new ScriptedModel(steps)) {
  const refunded: number[] = [];
  const store = new MemoryRuns();
  @Section({ title: 'Refunds' })
  class Refunds {
    @Tool({ description: 'Refunds an amount.', requiresApproval: true })
    refund(@Param('amount', 'The amount.') amount: number): string {
      refunded.push(amount);
      return `Refunded ${String(amount)}.`;
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Refunds] })
  class Desk {}
  @Controller('chat')
  class DeskChat extends ChatController {
    async open(content: string): Promise<ChatRun> {
      return { ...(await this.openReply()), messages: [{ role: 'user', content }] };
    }
    override async openReply() {
      const conversation = await Conversation.open(store, 'c-1');
      return { prompt: this.toolwright.app.prompt(Desk), adapter: model, conversation, session: new Session() };
    }
  }
  @Module({
    imports: [ToolwrightModule.forRoot({ logger: silent, approver: { approve: () => ({ kind: 'later' }) } })],
    providers: [Desk, Refunds],
    controllers: [DeskChat],
  })
  class AppModule {}
  const nest = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  nest.useLogger(false);
  await nest.listen(0, '127.0.0.1');
  open.push(nest);
  const { port } = (nest.getHttpServer() as Server).address() as AddressInfo;
  const post = (path: string, body: unknown, accept = 'application/json') =>
    fetch(`http://127.0.0.1:${String(port)}/chat${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });
  return { post, refunded };
}

interface Waiting {
  readonly questions: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
}

test('a call that waits for a person is answered with 202 and its question, and the reply with the answer', async () => {
  const { post, refunded } = await serve([refund, { text: 'It is done.' }]);
  const asked = await post('', { message: 'Refund 40.' });
  expect(asked.status).toBe(202);
  const { questions } = (await asked.json()) as Waiting;
  expect(questions).toEqual([expect.objectContaining({ name: 'refund', about: 'approval' })]);
  expect(refunded).toEqual([]);
  const answered = await post('/reply', { question: questions[0]!.id, approved: true });
  expect([answered.status, await answered.json()]).toEqual([200, { text: 'It is done.', complete: true }]);
  expect(refunded).toEqual([40]);
  expect((await post('/reply', { question: questions[0]!.id, approved: true })).status).toBe(409);
});

test('a stream ends with the question as an event, and not with an error', async () => {
  const { post } = await serve([refund]);
  const text = await (await post('', { message: 'Refund 40.' }, 'text/event-stream')).text();
  expect(text).toContain('event: question\n');
  expect(text).toContain('"name":"refund"');
  expect(text).not.toContain('event: error');
});

test('a denied call tells the model the reason', async () => {
  const { post, refunded } = await serve([
    refund,
    ({ messages }) => ({ text: messages.at(-1)?.content?.includes('Too much.') === true ? 'Denied.' : 'Unknown.' }),
  ]);
  const { questions } = (await (await post('', { message: 'Refund 40.' })).json()) as Waiting;
  const answered = await post('/reply', { question: questions[0]!.id, approved: false, reason: 'Too much.' });
  expect(await answered.json()).toMatchObject({ text: 'Denied.' });
  expect(refunded).toEqual([]);
});

test.each([
  ['no decision', { question: 'q' }, 400],
  ['a question of nobody', { question: 'q', approved: true }, 404],
])('a reply with %s is refused', async (_case, body, status) => {
  const { post } = await serve([refund]);
  await post('', { message: 'Refund 40.' });
  expect((await post('/reply', body)).status).toBe(status);
});

test('a message whose conversation another one took over is answered with 409', async () => {
  let ask: () => void = () => undefined;
  let release: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const answers = ['One.', 'Two.'];
  const { post } = await serve([], {
    name: 'held',
    async complete() {
      const text = answers.shift() ?? null;
      ask();
      if (text === 'One.') await held;
      return { text, toolCalls: [], finishReason: 'stop' };
    },
  });
  const first = post('', { message: 'One.' });
  await asked;
  const second = await post('', { message: 'Two.' });
  release();
  expect([second.status, (await first).status]).toEqual([200, 409]);
});

test('a provider that is down is answered with 503 and the time to wait', async () => {
  const { post } = await serve([
    () => {
      throw new ThrottleError('The provider is overloaded.', { kind: 'overloaded', retryAfter: 7, retrySafe: false });
    },
  ]);
  const response = await post('', { message: 'Hello.' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
});

test('a request that no adapter of fallback answers is answered with 503 and a time to wait', async () => {
  const { post } = await serve([
    () => {
      throw new PromptEvaluationError('No adapter of fallback answered.', { phase: 'request', code: 'E756' });
    },
  ]);
  const response = await post('', { message: 'Hello.' });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});
