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
import type { BoundPrompt, Session } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import { McpClient, type McpPeer } from './McpClient.js';
import type { McpRequest } from './McpRequest.js';
import { RequestLedger } from './RequestLedger.js';
import {
  type ConnectionServices,
  describeServer,
  openPrompt,
  ServedPrompt,
  writeInstructions,
} from './ServedPrompt.js';

/** The context of one request in the protocol. */
export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

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

/** One MCP session of the revision 2025-11-25 or an earlier one: one client and one `Session`. */
export class McpConnection extends ServedPrompt {
  readonly subscribed = new Set<string>();
  /** Tracks the open requests. */
  readonly ledger = new RequestLedger();
  readonly protocol: McpServer['server'];
  #level: LoggingLevel = 'debug';

  private constructor(
    services: ConnectionServices,
    peer: McpPeer,
    prompt: BoundPrompt,
    session: Session,
    instructions: string | undefined,
  ) {
    super(services, peer, prompt, session);
    const info = describeServer(services.options, prompt);
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
    const { prompt, session } = await openPrompt(services, peer);
    // The prompt is rendered even if its text is not used, so that it fails now and not at the first call.
    const instructions = writeInstructions(services.options, await prompt.render({ session }));
    return new McpConnection(services, peer, prompt, session, instructions);
  }

  async connect(transport: Transport): Promise<void> {
    await this.protocol.connect(this.ledger.over(transport));
  }

  /** Aborts running calls, and ends the transport. */
  async close(): Promise<void> {
    await this.protocol.close();
  }

  setLevel(level: LoggingLevel): void {
    this.#level = level;
  }

  /** Returns a request in the common form. */
  requestOf(extra: RequestExtra): McpRequest {
    const { requestId: id } = extra;
    const signal = this.ledger.signalOf(id);
    return {
      id,
      client: this.#clientFor(extra),
      arguments: this.ledger.argumentsOf(id) ?? {},
      notify: extra.sendNotification,
      // The client is asked while the call waits.
      runAsking: (_subject, run) => run({ signal, runId: undefined }),
    };
  }

  #clientFor(extra: RequestExtra): McpClient {
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
      supports: (capability) => this.protocol.getClientCapabilities()?.[capability] !== undefined,
      log: async (level, data, logger) => {
        if (rankLevel(level) < rankLevel(this.#level)) return;
        const params = { level, data, ...(logger === undefined ? {} : { logger }) };
        await extra.sendNotification({ method: 'notifications/message', params });
      },
      elicit: (params, { waitMs }) => this.protocol.elicitInput({ mode: 'form', ...params }, asking(waitMs)),
      sample: (params, { waitMs }) => this.protocol.createMessage(params, asking(waitMs)),
      listRoots: ({ waitMs }) => this.protocol.listRoots(undefined, asking(waitMs)),
      closeStream: () => extra.closeSSEStream?.(),
      continueAsTask: () => Promise.resolve(),
    });
  }

  protected override listWatched(): readonly string[] {
    return [...this.subscribed];
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
