import type { Constructor } from 'toolwright';
import { loadPeer } from 'toolwright/internal/light';
import type { Awaitable } from 'toolwright/types';
import { clientOf } from './askServer.js';
import { isModern, type McpConnection } from './McpConnection.js';
import { mcpSection, type McpSectionOptions } from './mcpSection.js';

/** A stream of notifications of a server of revision 2026-07-28. */
export interface McpChangeStream {
  /** Resolves once the stream has ended. */
  readonly closed: Promise<unknown>;
  close(): Promise<void>;
}

/** A client that is notified when the lists of its server change. */
export interface McpNotifyingConnection extends McpConnection {
  /** Clients of 1.x name a notification by its schema, newer ones by its method. */
  setNotificationHandler(notification: never, handler: () => void): void;
  /** Asks a server of revision 2026-07-28 for notifications. Clients of 1.x do not have the method. */
  listen?(filter: {
    readonly toolsListChanged: boolean;
    readonly promptsListChanged: boolean;
    readonly resourcesListChanged: boolean;
  }): Promise<McpChangeStream>;
}

/** A client that is notified of changes, or a function that returns one. */
export type McpNotifyingSource = McpNotifyingConnection | (() => Awaitable<McpNotifyingConnection>);

/** A value built from a server's tools, and rebuilt after the server has changed its list. */
export interface McpFollower<T> {
  /** True if the list has changed since the last value was built. */
  readonly isStale: boolean;
  /**
   * Returns the newest value, and builds it first if the list has changed. Older values do not change: a run in progress keeps its
   * tools, and a call of a tool that the server has removed fails.
   *
   * @throws errors of `mcpSection` and `make`, unchanged; the next call tries again
   */
  current(): Promise<T>;
  /** Stops listening to changes. */
  close(): void;
}

/**
 * Follows the list of a server. Prompts are immutable, so a new one is built when the list changes. From now on the follower handles
 * the client's notifications about lists, instead of the host's own handlers.
 *
 * @param make builds an application, a prompt, or anything else from the section; gets the previous value, which it may close
 * @throws McpBridgeError E681, E682, E683; errors of `make`, unchanged
 * @example
 * const desk = await followMcp(client, { key: 'files', title: 'Files' }, (files) =>
 *   createApplication({ prompts: [definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection, files] })] }),
 * );
 * const app = await desk.current();
 */
export async function followMcp<T>(
  client: McpNotifyingSource,
  options: McpSectionOptions,
  make: (section: Constructor, previous: T | undefined) => Awaitable<T>,
): Promise<McpFollower<T>> {
  const follower = new Follower(client, options, make);
  await follower.current();
  return follower;
}

class Follower<T> implements McpFollower<T> {
  readonly #source: McpNotifyingSource;
  readonly #options: McpSectionOptions;
  readonly #make: (section: Constructor, previous: T | undefined) => Awaitable<T>;
  /** The number of change notifications of the server. */
  #version = 0;
  #made: { readonly version: number; readonly value: T } | undefined;
  #making: { readonly version: number; readonly value: Promise<T> } | undefined;
  #stop: () => void = () => undefined;
  #client: McpNotifyingConnection | undefined;
  #isClosed = false;

  constructor(
    source: McpNotifyingSource,
    options: McpSectionOptions,
    make: (section: Constructor, previous: T | undefined) => Awaitable<T>,
  ) {
    this.#source = source;
    this.#options = options;
    this.#make = make;
  }

  get isStale(): boolean {
    return this.#made?.version !== this.#version;
  }

  async current(): Promise<T> {
    await this.#listen((await clientOf(this.#source)) as McpNotifyingConnection);
    if (this.#made !== undefined && !this.isStale) return this.#made.value;
    if (this.#making?.version === this.#version) return this.#making.value;
    const version = this.#version;
    const before = this.#making?.value.catch(() => undefined);
    const value = Promise.resolve(before).then(() => this.#renew(version));
    this.#making = { version, value };
    return value.finally(() => {
      if (this.#making?.value === value) this.#making = undefined;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#client = undefined;
    this.#stop();
  }

  async #renew(version: number): Promise<T> {
    const section = await mcpSection(this.#source, this.#options);
    const value = await this.#make(section, this.#made?.value);
    this.#made = { version, value };
    return value;
  }

  /** Listens to a client. A reconnected client may have other lists. */
  async #listen(client: McpNotifyingConnection): Promise<void> {
    if (this.#isClosed || client === this.#client) return;
    this.#stop();
    if (this.#client !== undefined) this.#version++;
    this.#client = client;
    const listener: Listener = {
      onChange: () => {
        this.#version++;
      },
      // Changes after the end of the stream are not announced, so the next value is built from a new list and a new stream.
      onEnd: () => {
        this.#version++;
        if (this.#client === client) this.#client = undefined;
      },
    };
    const stop = await listenTo(client, listener);
    // The follower may have been closed meanwhile, or have got another client.
    if (this.#client === client) this.#stop = stop;
    else stop();
  }
}

interface Listener {
  readonly onChange: () => void;
  readonly onEnd: () => void;
}

/** The followers of a client, which has only one handler for each kind of notification and needs only one stream. */
class Announcements {
  readonly listeners = new Set<Listener>();
  #stream: Promise<McpChangeStream | undefined> | undefined;

  /** Opens the stream, which servers of revision 2026-07-28 need. Older ones announce changes without being asked. */
  async open(client: McpNotifyingConnection): Promise<void> {
    if (!isModern(client) || client.listen === undefined) return;
    this.#stream ??= this.#openStream(client.listen.bind(client));
    await this.#stream;
  }

  async close(): Promise<void> {
    const stream = await this.#stream;
    if (this.listeners.size === 0) await stream?.close();
  }

  async #openStream(listen: NonNullable<McpNotifyingConnection['listen']>): Promise<McpChangeStream | undefined> {
    try {
      const stream = await listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
      void stream.closed.then(() => {
        this.#stream = undefined;
        for (const { onEnd } of [...this.listeners]) onEnd();
      });
      return stream;
    } catch {
      // A server that announces nothing is bridged as it is.
      return undefined;
    }
  }
}

const announcements = new WeakMap<McpNotifyingConnection, Announcements>();

/** Adds a follower to a client. */
async function listenTo(client: McpNotifyingConnection, listener: Listener): Promise<() => void> {
  const known = announcements.get(client);
  const all = known ?? new Announcements();
  all.listeners.add(listener);
  if (known === undefined) {
    announcements.set(client, all);
    for (const kind of await listKinds(client))
      client.setNotificationHandler(kind as never, () => {
        for (const { onChange } of all.listeners) onChange();
      });
  }
  await all.open(client);
  return () => {
    all.listeners.delete(listener);
    // A stream of a connection that is gone has ended.
    all.close().catch(() => undefined);
  };
}

/** Lists the notifications about lists, in the form that the client expects. */
async function listKinds(client: McpNotifyingConnection): Promise<readonly unknown[]> {
  if (client.getProtocolEra !== undefined)
    return ['tools', 'resources', 'prompts'].map((list) => `notifications/${list}/list_changed`);
  const types = await loadPeer('followMcp', () => import('@modelcontextprotocol/sdk/types.js'));
  return [
    types.ToolListChangedNotificationSchema,
    types.ResourceListChangedNotificationSchema,
    types.PromptListChangedNotificationSchema,
  ];
}
