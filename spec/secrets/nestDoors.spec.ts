import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { ChatController, type ChatRun, ToolwrightModule } from '@toolwright/nestjs';
import { CALLS, FORMS, GIVEN, Leak, secretResources, SecretPrompt, textOf } from './secretDesk';

const leaving = { toolCalls: [{ id: 'c1', name: 'leave', arguments: GIVEN }] };

/** Opens what a client and the log of a Nest application get of runs that end, and of runs that fail. */
async function openNest() {
  @Controller('chat')
  class DeskChat extends ChatController {
    open(message: string): ChatRun {
      const last = message === 'fail' ? leaving : { text: 'Done.' };
      return {
        prompt: this.toolwright.app.prompt(SecretPrompt),
        adapter: new ScriptedModel([{ text: 'I do.', toolCalls: CALLS }, last]),
        messages: [{ role: 'user', content: message }],
        session: new Session({ slices: [Leak] }),
      };
    }
  }
  const logged: unknown[] = [];
  const log = (...line: unknown[]): void => void logged.push(line);
  const logger = { debug: log, info: log, log, warn: log, error: log, fatal: log, verbose: log };
  @Module({
    imports: [ToolwrightModule.forRoot({ logger, prompts: [SecretPrompt], resources: secretResources() })],
    controllers: [DeskChat],
  })
  class AppModule {}
  const nest = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  nest.useLogger(logger);
  await nest.listen(0, '127.0.0.1');
  const { port } = (nest.getHttpServer() as { address(): AddressInfo }).address();
  const answerTo = async (message: string, accept: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ message }),
    });
    return `${String(response.status)} ${await response.text()}`;
  };
  const answers = {
    answer: await answerTo('go', 'application/json'),
    events: await answerTo('go', 'text/event-stream'),
    log: textOf(logged),
    error: await answerTo('fail', 'application/json'),
    errorEvents: await answerTo('fail', 'text/event-stream'),
  };
  await nest.close();
  return answers;
}

describe('HOST-14d a secret behind the doors of Nest', () => {
  let opened: Awaited<ReturnType<typeof openNest>>;
  beforeAll(async () => {
    opened = await openNest();
  }, 60_000);

  test('a client gets answers and errors, and the log is written', () => {
    expect(opened.answer).toMatch(/^200 .*Done/s);
    expect(opened.events).toMatch(/^200 .*outcome.*done/s);
    expect(opened.error).toMatch(/^500 /);
    expect(opened.errorEvents).toMatch(/^200 .*event: error/s);
    expect(opened.log).toContain('[secret]');
  });

  test.each(['answer', 'events', 'error', 'errorEvents', 'log'] as const)('%s shows it in no form', (door) => {
    const found = Object.entries(FORMS).filter(([, { never }]) => never.some((text) => opened[door].includes(text)));
    expect(found.map(([form]) => form)).toEqual([]);
  });
});
