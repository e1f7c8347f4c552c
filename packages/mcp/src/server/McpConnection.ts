import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  LoggingLevelSchema,
  type LoggingLevel,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { jsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { type Application, bind, type BoundPrompt, type Logger, type RenderedPrompt, Session } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import { McpClient, type McpPeer } from './McpClient.js';
import { toMcpTools } from './toMcpTools.js';
import type { McpServerOptions } from './McpServerOptions.js';
import { RequestLedger } from './RequestLedger.js';
import { listSectionResources, readSectionText } from './listSectionResources.js';

/** The services that all connections of a server share. */
export interface ConnectionServices {
  readonly app: Application;
  readonly promptFor: (peer: McpPeer) => BoundPrompt | Promise<BoundPrompt>;
  readonly options: McpServerOptions;
  readonly logger: Logger;
}

/** The context of one request in the protocol. */
export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The lists that a client has received, to notify it when they change. */
interface Shown {
  readonly tools: string;
  readonly sections: string;
  /** The texts of subscribed documents, by URI. */
  readonly texts: ReadonlyMap<string, string | undefined>;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  logging: {},
  completions: {},
};

/** Checks answers to forms. The validator is created for each form, because creating one takes longer than the rest of a session. */
const VALIDATOR: JsonSchemaValidator = {
  getValidator: (schema) => new AjvJsonSchemaValidator().getValidator(schema),
};

/** One MCP session: one client, one `Session`, one prompt that is rendered again for every request. */
export class McpConnection {
  readonly subscribed = new Set<string>();
  /** Tracks the open requests. */
  readonly ledger = new RequestLedger();
  readonly protocol: McpServer['server'];
  #level: LoggingLevel = 'debug';
  #shown: Shown | undefined;
  readonly #calls = new Set<Promise<unknown>>();

  private constructor(
    readonly services: ConnectionServices,
    readonly peer: McpPeer,
    readonly prompt: BoundPrompt,
    readonly session: Session,
    instructions: string | undefined,
  ) {
    const { name = `${prompt.ns}/${prompt.key}`, version = '1.0.0' } = services.options;
    const info = { name, version, title: prompt.name };
    const shown = instructions === undefined ? {} : { instructions };
    this.protocol = new McpServer(info, { ...shown, jsonSchemaValidator: VALIDATOR }).server;
    // If the capabilities were passed as options, the SDK would answer by itself.
    this.protocol.registerCapabilities(CAPABILITIES);
    this.protocol.onerror = (error) => {
      services.logger.debug(`MCP: ${messageOf(error)}`, { sessionId: peer.sessionId });
    };
  }

  /** Opens a session. @throws errors of creating the session and of rendering the prompt, unchanged */
  static async open(services: ConnectionServices, peer: McpPeer): Promise<McpConnection> {
    const { instructions, session: makeSession } = services.options;
    const prompt = await services.promptFor(peer);
    const session = makeSession === undefined ? new Session() : await makeSession(peer);
    // The prompt is rendered even if its text is not used, so that it fails now and not at the first call.
    const { text } = await prompt.render({ session });
    const instructionText = instructions === false ? undefined : (instructions ?? text);
    return new McpConnection(services, peer, prompt, session, instructionText === '' ? undefined : instructionText);
  }

  async connect(transport: Transport): Promise<void> {
    await this.protocol.connect(this.ledger.over(transport));
  }

  /** Resolves once all calls have ended, including calls that are rolled back. */
  async waitUntilIdle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Tracks a tool call, so that `waitUntilIdle` waits for it. */
  async track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Aborts running calls, and ends the transport. */
  async close(): Promise<void> {
    await this.protocol.close();
  }

  setLevel(level: LoggingLevel): void {
    this.#level = level;
  }

  clientFor(extra: RequestExtra): McpClient {
    const { requestId: relatedRequestId } = extra;
    const signal = this.ledger.signalOf(relatedRequestId);
    const asking = (timeout: number) => ({ relatedRequestId, signal, timeout });
    return new McpClient({
      peer: this.peer,
      info: this.protocol.getClientVersion(),
      authInfo: extra.authInfo,
      // Read on demand, because few handlers ask for them.
      get headers() {
        return readHeaders(extra);
      },
      log: async (level, data, logger) => {
        if (rankLevel(level) < rankLevel(this.#level)) return;
        const params = { level, data, ...(logger === undefined ? {} : { logger }) };
        await extra.sendNotification({ method: 'notifications/message', params });
      },
      elicit: (params, timeout) => this.protocol.elicitInput({ mode: 'form', ...params }, asking(timeout)),
      sample: (params, timeout) => this.protocol.createMessage(params, asking(timeout)),
      closeStream: () => extra.closeSSEStream?.(),
    });
  }

  /** Renders the prompt in its current state, with the client as a resource of its calls. */
  renderPrompt(client?: McpClient): Promise<RenderedPrompt> {
    const { prompt, session } = this;
    // The client is bound for each request and not stored, because a singleton would live as long as the application.
    const bound =
      client === undefined
        ? prompt
        : prompt.withResources([bind(McpClient, { scope: 'prototype', provide: () => client })]);
    return bound.render({ session });
  }

  /** Records the lists that the client has received. */
  show(rendered: RenderedPrompt): void {
    this.#shown = this.#lookOf(rendered);
  }

  /** Notifies the client of lists that have changed since it received them. Does nothing before the client has listed anything. */
  async notifyChanges(send: (notification: ServerNotification) => Promise<void>): Promise<void> {
    const before = this.#shown;
    if (before === undefined) return;
    const rendered = await this.renderPrompt();
    this.show(rendered);
    const now = this.#lookOf(rendered);
    if (now.tools !== before.tools) await send({ method: 'notifications/tools/list_changed' });
    if (now.sections !== before.sections) await send({ method: 'notifications/resources/list_changed' });
    for (const [uri, text] of now.texts) {
      if (before.texts.has(uri) && before.texts.get(uri) !== text)
        await send({ method: 'notifications/resources/updated', params: { uri } });
    }
  }

  #lookOf(rendered: RenderedPrompt): Shown {
    return {
      tools: JSON.stringify(toMcpTools(rendered)),
      sections: JSON.stringify(listSectionResources(this.prompt, rendered)),
      texts: new Map([...this.subscribed].map((uri) => [uri, readSectionText(this.prompt, rendered, uri)])),
    };
  }
}

function rankLevel(level: LoggingLevel): number {
  return LoggingLevelSchema.options.indexOf(level);
}

function readHeaders({ requestInfo }: RequestExtra): Readonly<Record<string, string>> {
  const entries = Object.entries(requestInfo?.headers ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])),
  );
}
