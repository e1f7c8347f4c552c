// A chat over HTTP. It keeps nothing in memory: each request opens its conversation, and one file holds everything.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  type Application,
  ApprovalPendingError,
  createApplication,
  type Message,
  type ModelAdapter,
  PromptEvaluationError,
  Session,
} from 'toolwright';
import { Conversation, type QuestionReply } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { PrefixMeasured } from 'toolwright/events';
import { Desk, OrderChanged } from './desk.js';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The body of a request that answers a question. */
interface ReplyBody {
  /** The id of the question. */
  readonly question: string;
  readonly reply: QuestionReply;
}

export class ChatServer {
  /** Bytes that a request should have repeated from the previous one, and did not. */
  changedBytes = 0;
  readonly #app: Application;
  readonly #adapter: ModelAdapter;
  readonly #store: SqliteRuns;
  readonly #server: Server;

  private constructor(app: Application, adapter: ModelAdapter, path: string) {
    this.#app = app;
    this.#adapter = adapter;
    this.#store = new SqliteRuns(path);
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  }

  static async start(path: string, adapter: ModelAdapter): Promise<ChatServer> {
    // A person answers each approval later, by the second endpoint.
    const app = await createApplication({ prompts: [Desk], approver: { approve: () => ({ kind: 'later' }) } });
    const server = new ChatServer(app, adapter, path);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
    await this.#store.close();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method, url = '' } = request;
    const [, id, what] = /^\/conversations\/([\w-]+)(?:\/(messages|replies))?$/.exec(url) ?? [];
    try {
      if (id !== undefined && method === 'GET' && what === undefined) return await this.#read(id);
      if (id === undefined || method !== 'POST') return { status: 404, body: { problem: 'There is no such page.' } };
      const body: unknown = await json(request);
      return what === 'replies'
        ? await this.#reply(id, body as ReplyBody)
        : await this.#post(id, (body as { readonly content: string }).content);
    } catch (error) {
      // Another server has opened the conversation since, and is its writer now.
      if (error instanceof PromptEvaluationError && error.code === 'E709')
        return { status: 409, body: { problem: 'E709' } };
      console.error(error);
      return { status: 500, body: { problem: 'Something went wrong.' } };
    }
  }

  async #post(id: string, content: string): Promise<Answer> {
    const conversation = await Conversation.open(this.#store, id);
    return this.#run(conversation, [{ role: 'user', content }]);
  }

  /** Answers a question. The run that waited for it then continues, without a new message. */
  async #reply(id: string, { question, reply }: ReplyBody): Promise<Answer> {
    const conversation = await Conversation.open(this.#store, id);
    const taken = await conversation.reply(question, reply);
    return taken === 'late' ? { status: 410, body: { problem: taken } } : this.#run(conversation);
  }

  async #run(conversation: Conversation, messages?: readonly Message[]): Promise<Answer> {
    // Empty: the log restores its state.
    const session = new Session({ slices: [OrderChanged] });
    try {
      const { text } = await this.#app.evaluate(this.#app.prompt(Desk), {
        adapter: this.#adapter,
        session,
        conversation,
        messages,
        onEvent: (event) => {
          if (event instanceof PrefixMeasured) this.changedBytes += event.changedBytes;
        },
      });
      return { status: 200, body: { text } };
    } catch (error) {
      if (!(error instanceof ApprovalPendingError)) throw error;
      return { status: 202, body: { questions: conversation.questions } };
    }
  }

  /** Reads without becoming the writer, which would end a run that is going on elsewhere. */
  async #read(id: string): Promise<Answer> {
    const entries = await this.#store.entries(id);
    const { messages } = Conversation.fromJSON({ format: 'toolwright/conversation', version: 1, id, entries });
    return { status: 200, body: messages };
  }
}
