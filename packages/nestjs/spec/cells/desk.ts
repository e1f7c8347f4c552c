import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { type ModelAdapter, Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { type McpService, serveMcp } from '@toolwright/mcp';
import { ChatController, type ChatRun, MountController, Toolwright, ToolwrightModule } from '@toolwright/nestjs';

interface SignedRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  user?: string;
  auth?: object;
}

/** Adds the user to the request, and what the MCP server takes for its principal. */
@Injectable()
class SignedIn implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const request = host.switchToHttp().getRequest<SignedRequest>();
    const user = request.headers['x-user'];
    if (user === undefined || user === '') throw new UnauthorizedException('Sign in first.');
    request.user = user;
    request.auth = { token: user, clientId: user, scopes: [], extra: { sub: user } };
    return true;
  }
}

/** Built for each request. */
@Injectable({ scope: Scope.REQUEST })
class Visitor {
  constructor(@Inject(REQUEST) readonly request: SignedRequest) {}
}

@Injectable()
@Section({ key: 'visitors', title: 'Visitors' })
class Visitors {
  constructor(private readonly visitor: Visitor) {}

  @Tool('Who asks.')
  whoAmI(): string {
    return this.visitor.request.user ?? 'a stranger';
  }
}

/** What the tools of this application have seen. */
@Injectable()
export class Diary {
  readonly lines: string[] = [];

  /** Waits until a line is written. */
  async has(line: string): Promise<void> {
    const until = Date.now() + 10_000;
    while (!this.lines.includes(line)) {
      if (Date.now() > until) throw new Error(`"${line}" is not in the diary: ${this.lines.join(', ')}`);
      await sleep(5);
    }
  }
}

class SayParams {
  @Param('What to say')
  text!: string;
}

@Injectable()
@Section({ key: 'words', title: 'Words' })
class Words {
  constructor(private readonly diary: Diary) {}

  @Tool('Says a text.')
  say({ text }: SayParams): string {
    return `said ${text.length > 100 ? `${String(text.length)} characters` : text}`;
  }

  @Tool('Works until it is told to stop, and reports progress.')
  async work(context: ToolContext): Promise<string> {
    this.diary.lines.push('begun');
    context.reportProgress({ fraction: 0.5 });
    await sleep(60_000, undefined, { signal: context.signal }).catch(() => this.diary.lines.push('stopped'));
    return 'late';
  }
}

@Prompt({ ns: 'cells', key: 'desk', sections: [Words, Visitors] })
class Desk {}

const call = (name: string, args: object = {}): ScriptStep => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
});

/** Calls the tool that the message names, and answers with its text. */
function modelFor(message: string): ModelAdapter {
  const [name = '', text] = message.split(' ');
  if (name === 'fail_late')
    return new ScriptedModel([
      call('say', { text: 'first' }),
      () => {
        throw new Error('sk-secret was refused');
      },
    ]);
  return new ScriptedModel([
    call(name, text === undefined ? {} : { text }),
    ({ messages }) => ({ text: messages.at(-1)?.content ?? '' }),
  ]);
}

@Controller({ path: 'chat', version: '1' })
@UseGuards(SignedIn)
class DeskChat extends ChatController {
  open(message: string): ChatRun {
    return {
      prompt: this.toolwright.app.prompt(Desk),
      adapter: modelFor(message),
      messages: [{ role: 'user', content: message }],
    };
  }
}

@Controller({ path: 'mcp', version: '1' })
@UseGuards(SignedIn)
class DeskMcp extends MountController implements OnApplicationBootstrap, OnModuleDestroy {
  #server: McpService | undefined;

  constructor(private readonly toolwright: Toolwright) {
    super();
  }

  onApplicationBootstrap(): void {
    const { app } = this.toolwright;
    this.#server = serveMcp(app, app.prompt(Desk), { runMetadata: ({ authInfo }) => ({ user: authInfo!.clientId }) });
  }

  handle(request: IncomingMessage, response: ServerResponse) {
    return this.#server!.handler(request, response);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#server?.close({ graceMs: 50 });
  }
}

/** A handler of Node: says what it got, or throws before or after it has begun to answer. */
@Controller({ path: 'mounted', version: '1' })
class Mounted extends MountController {
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { body, user } = request as IncomingMessage & { readonly body?: unknown; readonly user?: string };
    if (request.url?.endsWith('?early') === true) throw new UnauthorizedException('Not before noon.');
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(`${request.method ?? ''} `);
    if (request.url?.endsWith('?late') === true) throw new Error('sk-secret');
    response.end(`${String(user)} ${JSON.stringify(body)}`);
  }
}

@Module({
  imports: [
    ToolwrightModule.forRoot({ graceMs: 50, requestFor: ({ user }) => (user === undefined ? undefined : { user }) }),
  ],
  providers: [Desk, Diary, SignedIn, Visitor, Visitors, Words],
  controllers: [DeskChat, DeskMcp, Mounted],
})
export class DeskModule {}
