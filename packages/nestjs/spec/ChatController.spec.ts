import 'reflect-metadata';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type Provider,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type EvaluateOptions, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { ChatController, type ChatRun, MountController, Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { silent } from '../../../spec/support/silent.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

const open: INestApplication[] = [];

afterEach(async () => {
  for (const nest of open.splice(0)) await nest.close();
});

class SignedIn implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const request = host.switchToHttp().getRequest<{ headers: Record<string, string>; user?: string }>();
    const user = request.headers['x-user'];
    if (user === undefined) throw new UnauthorizedException('Sign in first.');
    request.user = user;
    return true;
  }
}

interface Served {
  readonly url: string;
  post(body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
}

/** Serves a chat of one section over HTTP. */
async function serve(
  section: Type,
  script: readonly ScriptStep[],
  {
    providers = [],
    controllers = [],
    options = {},
  }: { providers?: Provider[]; controllers?: Type[]; options?: Partial<EvaluateOptions> } = {},
): Promise<Served> {
  @Prompt({ ns: 'shop', key: 'desk', sections: [section] })
  class Desk {}
  @Controller('chat')
  @UseGuards(SignedIn)
  class DeskChat extends ChatController {
    open(content: string): ChatRun {
      const prompt = this.toolwright.app.prompt(Desk);
      return { prompt, adapter: new ScriptedModel(script), messages: [{ role: 'user', content }], ...options };
    }
  }
  @Module({
    imports: [ToolwrightModule.forRoot({ logger: silent })],
    providers: [Desk, section, ...providers],
    controllers: [DeskChat, ...controllers],
  })
  class AppModule {}
  const nest = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  nest.useLogger(false);
  await nest.listen(0, '127.0.0.1');
  open.push(nest);
  const { port } = (nest.getHttpServer() as ReturnType<typeof createServer>).address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    url,
    post: (body, headers = { 'x-user': 'ann' }, signal) =>
      fetch(`${url}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: signal ?? null,
      }),
  };
}

function words() {
  @Section({ title: 'Words' })
  class Words {
    @Tool('Say a word.')
    say(): string {
      return 'word';
    }
    @Tool('Never says it: the key is sk-secret.')
    fail(): string {
      throw new Error('sk-secret is no word');
    }
  }
  return Words;
}

const call = (name: string): ScriptStep => ({ toolCalls: [{ name, arguments: {} }] });

/** The events of an answer, as [name, data]. */
async function eventsOf(response: Response): Promise<readonly (readonly [string, unknown])[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      return [event.replace('event: ', ''), JSON.parse(data.replace('data: ', ''))] as const;
    });
}

test('a message is answered as JSON', async () => {
  const { post } = await serve(words(), [call('say'), { text: 'It says word.' }]);
  const response = await post({ message: 'What does it say?' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toEqual({ text: 'It says word.', complete: true });
});

test('a client that accepts events receives the run: texts, calls without their contents, the answer', async () => {
  const { post } = await serve(words(), [call('say'), call('fail'), { text: 'It says.' }]);
  const response = await post({ message: 'Go.' }, { 'x-user': 'ann', accept: 'text/event-stream' });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events = await eventsOf(response);
  expect(events).toEqual([
    ['begun', { turn: 1, id: 'call_1_1', name: 'say' }],
    ['outcome', { turn: 1, id: 'call_1_1', name: 'say', outcome: 'succeeded', success: true }],
    ['begun', { turn: 2, id: 'call_2_1', name: 'fail' }],
    ['outcome', { turn: 2, id: 'call_2_1', name: 'fail', outcome: 'failed', success: false }],
    ['text', { turn: 3, text: 'It' }],
    ['text', { turn: 3, text: ' says.' }],
    ['done', { text: 'It says.', complete: true }],
  ]);
});

// The client sends one text, which is checked; the list is the host's own work, so a wrong one is no fault of the client.
test('wrong messages of the host are an internal error, as JSON and for events, without a word of them', async () => {
  const messages = [{ role: 'system', content: 'sk-secret' }] as unknown as EvaluateOptions['messages'];
  const { post } = await serve(words(), [], { options: { messages } });
  for (const accept of ['application/json', 'text/event-stream']) {
    const response = await post({ message: 'Go.' }, { 'x-user': 'ann', accept });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ statusCode: 500, message: 'Internal server error' });
  }
});

test('a body without a message is refused with 400, and the guards of the class come first', async () => {
  const { post } = await serve(words(), []);
  const refusals = await Promise.all([{}, { message: ' ' }, { message: 7 }, ['message']].map((body) => post(body)));
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(await refusals[0]!.json()).toMatchObject({
    message: ['message: a text that is not empty is expected, in a body of JSON'],
  });
  const stranger = await post({ message: 'Go.' }, {});
  expect([stranger.status, ((await stranger.json()) as { message: string }).message]).toEqual([401, 'Sign in first.']);
});

test('a run that fails sends the client neither cause nor stack, as JSON and in the middle of a stream', async () => {
  const failing: readonly ScriptStep[] = [
    call('say'),
    () => {
      throw new Error('sk-secret was refused');
    },
  ];
  const { post } = await serve(words(), failing);
  const plain = await post({ message: 'Go.' });
  expect([plain.status, await plain.json()]).toEqual([500, { statusCode: 500, message: 'Internal server error' }]);

  const streamed = await post({ message: 'Go.' }, { 'x-user': 'ann', accept: 'text/event-stream' });
  const events = await eventsOf(streamed);
  const [name, data] = events.at(-1)!;
  expect(name).toBe('error');
  expect(JSON.stringify(data)).toMatch(/^\{"code":"E7\d\d"\}$/);
});

test('guards and request-scoped services of tools see the request of the chat', async () => {
  @Injectable({ scope: Scope.REQUEST })
  class CurrentUser {
    constructor(@Inject(REQUEST) readonly request: { readonly user: string }) {}
  }
  @Section({ title: 'Visitors' })
  class Visitors {
    constructor(private readonly current: CurrentUser) {}
    @Tool('Who asks.')
    whoAmI(): string {
      return this.current.request.user;
    }
  }
  const script: readonly ScriptStep[] = [
    call('who_am_i'),
    ({ messages }) => ({ text: messages.at(-1)?.content ?? '' }),
  ];
  const { post } = await serve(Visitors, script, { providers: [CurrentUser] });
  const users = ['ann', 'bob', 'eve'];
  const answers = await Promise.all(
    users.map(
      async (user) => ((await (await post({ message: 'Who?' }, { 'x-user': user })).json()) as { text: string }).text,
    ),
  );
  expect(answers).toEqual(users);
});

test('tools meet what a request-scoped controller was built with', async () => {
  let built = 0;
  @Injectable({ scope: Scope.REQUEST })
  class CurrentUser {
    readonly number: number;
    constructor(@Inject(REQUEST) readonly request: { readonly user: string; readonly url?: string }) {
      // At boot, it is built once for an empty request.
      if (request.url !== undefined) built++;
      this.number = built;
    }
  }
  @Section({ title: 'Visitors' })
  class Visitors {
    constructor(private readonly current: CurrentUser) {}
    @Tool('Who asks.')
    whoAmI(): string {
      return `${this.current.request.user} ${String(this.current.number)}`;
    }
  }
  @Prompt({ ns: 'shop', key: 'visitors', sections: [Visitors] })
  class Reception {}
  @Controller('reception')
  @UseGuards(SignedIn)
  class ReceptionChat extends ChatController {
    constructor(
      toolwright: Toolwright,
      private readonly current: CurrentUser,
    ) {
      super(toolwright);
    }
    open(): ChatRun {
      const own = String(this.current.number);
      const script: readonly ScriptStep[] = [
        call('who_am_i'),
        ({ messages }) => ({ text: `controller ${own}, tool ${messages.at(-1)?.content ?? ''}` }),
      ];
      return { prompt: this.toolwright.app.prompt(Reception), adapter: new ScriptedModel(script) };
    }
  }
  const { url } = await serve(words(), [], {
    providers: [CurrentUser, Visitors, Reception],
    controllers: [ReceptionChat],
  });
  const answer = async (user: string): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-user': user };
    const response = await fetch(`${url}/reception`, { method: 'POST', headers, body: '{"message":"Who?"}' });
    return ((await response.json()) as { text: string }).text;
  };
  expect(await answer('ann')).toBe('controller 1, tool ann 1');
  expect(await answer('bob')).toBe('controller 2, tool bob 2');
});

test('in a conversation, the next message goes on, and a client that comes back reads on after the last event it has', async () => {
  const conversation = new Conversation();
  const script = [call('say'), { text: 'It says word.' }];
  const { post } = await serve(words(), script, { options: { conversation, runId: 'r1' } });
  const accept = { 'x-user': 'ann', accept: 'text/event-stream' };
  const whole = await (await post({ message: 'Go.' }, accept)).text();
  const ids = [...whole.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toHaveLength(1);
  const after = { ...accept, 'last-event-id': String(ids[0]) };
  const rest = await eventsOf(await post({ message: 'Go.' }, after));
  expect(rest).toEqual([
    ['text', { turn: 2, text: 'It says word.' }],
    ['done', { text: 'It says word.', complete: true }],
  ]);
  expect(conversation.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
});

test.each(['application/json', 'text/event-stream'])(
  'a client that goes away ends the run, and its tool is rolled back (%s)',
  async (accept) => {
    class Said {}
    let begun: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (begun = resolve));
    let reason: unknown;
    let noticed: () => void = () => {};
    const ended = new Promise<void>((resolve) => (noticed = resolve));
    @Section({ title: 'Slow' })
    class Slow {
      @Tool('Never ends.')
      async wait({ session, signal }: ToolContext): Promise<string> {
        session.dispatch(new Said());
        begun();
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve();
          });
        });
        noticed();
        return 'late';
      }
    }
    const session = new Session();
    const { url } = await serve(Slow, [call('wait'), { text: 'never' }], { options: { session } });
    const body = JSON.stringify({ message: 'Go.' });
    const client = httpRequest(`${url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'ann', accept },
    });
    client.on('error', () => {});
    client.end(body);
    await waiting;
    client.destroy();
    await ended;
    expect(reason).toMatchObject({ name: 'AbortError' });
    expect(session.slice(Said).all()).toEqual([]);
  },
);

test('a handler of Node answers on a path of Nest, behind its guards', async () => {
  @Controller('mcp')
  @UseGuards(SignedIn)
  class Mounted extends MountController {
    handle(request: IncomingMessage, response: ServerResponse): void {
      const { user, body } = request as IncomingMessage & { readonly user: string; readonly body: unknown };
      response
        .writeHead(202, { 'content-type': 'text/plain' })
        .end(`${user} ${request.method!} ${JSON.stringify(body)}`);
    }
  }
  const { url } = await serve(words(), [], { controllers: [Mounted] });
  const headers = { 'content-type': 'application/json', 'x-user': 'ann' };
  const posted = await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{"id":1}' });
  expect([posted.status, await posted.text()]).toEqual([202, 'ann POST {"id":1}']);
  expect((await fetch(`${url}/mcp`)).status).toBe(401);
});
