import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  LoggingLevelSchema,
  type LoggingLevel,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../../common/text.js';
import type { Application } from '../../../application/Application.js';
import type { Logger } from '../../../interface/Logger.js';
import type { BoundPrompt } from '../../../prompt/BoundPrompt.js';
import type { RenderedPrompt } from '../../../prompt/RenderedPrompt.js';
import { bind } from '../../../resource/bind.js';
import { Session } from '../../../session/Session.js';
import { McpClient } from './McpClient.js';
import { mcpTools } from './mcpTools.js';
import type { McpPeer } from './McpPeer.js';
import type { McpServerOptions } from './McpServerOptions.js';
import { RequestLedger } from './RequestLedger.js';
import { sectionResources, sectionText } from './sectionResources.js';

/** What every connection of a server shares. */
export interface ConnectionServices {
  readonly app: Application;
  readonly promptFor: (peer: McpPeer) => BoundPrompt | Promise<BoundPrompt>;
  readonly options: McpServerOptions;
  readonly logger: Logger;
}

/** What the protocol says around one request. */
export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What a client has been shown, to tell it when that is no longer so. */
interface Shown {
  readonly tools: string;
  readonly sections: string;
  /** By the URIs that were subscribed to. */
  readonly texts: ReadonlyMap<string, string | undefined>;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  logging: {},
  completions: {},
};

/** One MCP session: one client, one `Session`, one prompt that is rendered anew for every request. */
export class McpConnection {
  readonly subscribed = new Set<string>();
  /** Knows the open requests. */
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
    this.protocol = new McpServer(info, instructions === undefined ? {} : { instructions }).server;
    // Not among the options: for those, it would answer by itself.
    this.protocol.registerCapabilities(CAPABILITIES);
    this.protocol.onerror = (error) => {
      services.logger.debug(`MCP: ${messageOf(error)}`, { sessionId: peer.sessionId });
    };
  }

  /** @throws what making the session and rendering the prompt throw */
  static async open(services: ConnectionServices, peer: McpPeer): Promise<McpConnection> {
    const { instructions, session: makeSession } = services.options;
    const prompt = await services.promptFor(peer);
    const session = makeSession === undefined ? new Session() : await makeSession(peer);
    // Also where the text is not wanted: what cannot be rendered should fail now, and not with the first call.
    const { text } = await prompt.render({ session });
    const told = instructions === false ? undefined : (instructions ?? text);
    return new McpConnection(services, peer, prompt, session, told === '' ? undefined : told);
  }

  async connect(transport: Transport): Promise<void> {
    await this.protocol.connect(this.ledger.over(transport));
  }

  /** Resolves once the calls have come to their ends, rolled back ones too. */
  async settled(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Runs a tool call that `settled` waits for. */
  async track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Aborts what still runs, and ends the transport. */
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
      headers: readHeaders(extra),
      log: async (level, data, logger) => {
        if (severity(level) < severity(this.#level)) return;
        const params = { level, data, ...(logger === undefined ? {} : { logger }) };
        await extra.sendNotification({ method: 'notifications/message', params });
      },
      elicit: (params, timeout) => this.protocol.elicitInput({ mode: 'form', ...params }, asking(timeout)),
      sample: (params, timeout) => this.protocol.createMessage(params, asking(timeout)),
      closeStream: () => extra.closeSSEStream?.(),
    });
  }

  /** The prompt as it is now, whose calls can reach the client. */
  rendered(client?: McpClient): Promise<RenderedPrompt> {
    const { prompt, session } = this;
    // Another one for each request, held by nobody: a singleton would stay with the application.
    const bound =
      client === undefined
        ? prompt
        : prompt.withResources([bind(McpClient, { scope: 'prototype', provide: () => client })]);
    return bound.render({ session });
  }

  /** Remembers what the client was shown. */
  show(rendered: RenderedPrompt): void {
    this.#shown = this.#lookOf(rendered);
  }

  /** Tells the client what is no longer as it was shown; nothing before it has listed anything. */
  async tellChanges(send: (notification: ServerNotification) => Promise<void>): Promise<void> {
    const before = this.#shown;
    if (before === undefined) return;
    const rendered = await this.rendered();
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
      tools: JSON.stringify(mcpTools(rendered)),
      sections: JSON.stringify(sectionResources(this.prompt, rendered)),
      texts: new Map([...this.subscribed].map((uri) => [uri, sectionText(this.prompt, rendered, uri)])),
    };
  }
}

function severity(level: LoggingLevel): number {
  return LoggingLevelSchema.options.indexOf(level);
}

function readHeaders({ requestInfo }: RequestExtra): Readonly<Record<string, string>> {
  const entries = Object.entries(requestInfo?.headers ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])),
  );
}
