import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import {
  type Application,
  bind,
  type BoundPrompt,
  type Logger,
  type RenderedPrompt,
  type RenderedTool,
  Session,
} from 'toolwright';
import { McpClient, type McpPeer } from './McpClient.js';
import type { McpServerOptions } from './McpServerOptions.js';
import { listSectionResources, readSectionText } from './listSectionResources.js';
import type { McpTasks } from './tasks/McpTasks.js';
import { toMcpTools } from './toMcpTools.js';

/** The services that all connections of a server share. */
export interface ConnectionServices {
  readonly app: Application;
  readonly promptFor: (peer: McpPeer) => BoundPrompt | Promise<BoundPrompt>;
  /** True if all clients get the same prompt with the same params. */
  readonly isFixed: boolean;
  /** The names of tools that were warned of, because they ask after effects. */
  readonly askedLate: Set<string>;
  readonly options: McpServerOptions;
  readonly logger: Logger;
  /** Undefined if no call becomes a task. */
  readonly tasks?: McpTasks | undefined;
}

/** The prompt and the `Session` that requests of a client are answered from. It is rendered again for every request. */
export class ServedPrompt {
  /** The running calls. */
  readonly calls: Set<Promise<unknown>>;
  #shown: ShownLists | undefined;

  /** @param calls the running calls, also of other servers if the set is shared */
  constructor(
    readonly services: ConnectionServices,
    readonly peer: McpPeer,
    readonly prompt: BoundPrompt,
    readonly session: Session,
    calls = new Set<Promise<unknown>>(),
  ) {
    this.calls = calls;
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

  /** Renders the prompt for a call of a tool. */
  renderForCall(_name: string, client: McpClient): Promise<RenderedPrompt> {
    return this.renderPrompt(client);
  }

  /** Returns the tools that the client may call. */
  listTools(rendered: RenderedPrompt): Promise<readonly RenderedTool[]> {
    return Promise.resolve(rendered.tools);
  }

  /** Records the lists that the client has received. */
  show(rendered: RenderedPrompt): void {
    this.#shown = this.recordLists(rendered);
  }

  /**
   * Notifies the client of lists that have changed since it received them. Does nothing before the client has listed anything.
   *
   * @param _before the rendering that a call began with
   */
  async notifyChanges(
    send: (notification: ServerNotification) => Promise<void>,
    _before?: RenderedPrompt,
  ): Promise<void> {
    const before = this.#shown;
    if (before === undefined) return;
    const rendered = await this.renderPrompt();
    this.show(rendered);
    for (const change of listChanges(before, this.recordLists(rendered))) await send(change);
  }

  /** Tracks a tool call, so that the server waits for it when it closes. */
  async track<T>(call: Promise<T>): Promise<T> {
    this.calls.add(call);
    try {
      return await call;
    } finally {
      this.calls.delete(call);
    }
  }

  /** Resolves once all calls have ended, including calls that are rolled back. */
  async waitUntilIdle(): Promise<void> {
    while (this.calls.size > 0) await Promise.allSettled(this.calls);
  }

  get isBusy(): boolean {
    return this.calls.size > 0;
  }

  /** Returns the lists of a rendering, to compare them with later ones. */
  protected recordLists(rendered: RenderedPrompt): ShownLists {
    return {
      tools: JSON.stringify(toMcpTools(rendered.tools)),
      sections: JSON.stringify(listSectionResources(this.prompt, rendered)),
      texts: new Map(
        this.listWatched(rendered).map((uri) => [uri, readSectionText(this.prompt, rendered, uri)] as const),
      ),
    };
  }

  /** Returns the URIs of the documents whose changes are announced. */
  protected listWatched(rendered: RenderedPrompt): readonly string[] {
    return listSectionResources(this.prompt, rendered).map(({ uri }) => uri);
  }
}

/** The lists of one rendering. */
export interface ShownLists {
  readonly tools: string;
  readonly sections: string;
  /** The texts of watched documents, by URI. */
  readonly texts: ReadonlyMap<string, string | undefined>;
}

/** Returns the notifications that announce the differences of two lists. */
export function listChanges(before: ShownLists, now: ShownLists): readonly ServerNotification[] {
  const changes: ServerNotification[] = [];
  if (now.tools !== before.tools) changes.push({ method: 'notifications/tools/list_changed' });
  if (now.sections !== before.sections) changes.push({ method: 'notifications/resources/list_changed' });
  for (const [uri, text] of now.texts)
    if (before.texts.has(uri) && before.texts.get(uri) !== text)
      changes.push({ method: 'notifications/resources/updated', params: { uri } });
  return changes;
}

/** Opens the prompt and the session for a peer. @throws errors of creating the session, unchanged */
export async function openPrompt(
  { promptFor, options }: ConnectionServices,
  peer: McpPeer,
): Promise<{ readonly prompt: BoundPrompt; readonly session: Session }> {
  const prompt = await promptFor(peer);
  const session = options.session === undefined ? new Session() : await options.session(peer);
  return { prompt, session };
}

/** Returns the instructions for the client's model; undefined for none. */
export function writeInstructions({ instructions }: McpServerOptions, { text }: RenderedPrompt): string | undefined {
  const written = instructions === false ? undefined : (instructions ?? text);
  return written === '' ? undefined : written;
}

/** Returns the name and version of the server. */
export function describeServer(
  { name, version = '1.0.0' }: McpServerOptions,
  prompt: BoundPrompt,
): { readonly name: string; readonly version: string; readonly title: string } {
  return { name: name ?? `${prompt.ns}/${prompt.key}`, version, title: prompt.name };
}
