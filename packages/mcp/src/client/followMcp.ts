import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Constructor } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import { clientOf } from './askServer.js';
import type { McpConnection } from './McpConnection.js';
import { mcpSection, type McpSectionOptions } from './mcpSection.js';

const changes = [
  ToolListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
] as const;

/** A client that is notified when the lists of its server change. */
export interface McpNotifyingConnection extends McpConnection {
  setNotificationHandler(schema: (typeof changes)[number], handler: () => void): void;
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
    this.#listen((await clientOf(this.#source)) as McpNotifyingConnection);
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
    this.#stop();
  }

  async #renew(version: number): Promise<T> {
    const section = await mcpSection(this.#source, this.#options);
    const value = await this.#make(section, this.#made?.value);
    this.#made = { version, value };
    return value;
  }

  /** Listens to a client. A reconnected client may have other lists. */
  #listen(client: McpNotifyingConnection): void {
    if (this.#isClosed || client === this.#client) return;
    this.#stop();
    if (this.#client !== undefined) this.#version++;
    this.#client = client;
    this.#stop = listenTo(client, () => {
      this.#version++;
    });
  }
}

const listeners = new WeakMap<McpNotifyingConnection, Set<() => void>>();

/** Adds a follower to a client, which has only one handler for each kind of notification. */
function listenTo(client: McpNotifyingConnection, listener: () => void): () => void {
  const known = listeners.get(client);
  const all = known ?? new Set<() => void>();
  if (known === undefined) {
    listeners.set(client, all);
    for (const schema of changes)
      client.setNotificationHandler(schema, () => {
        for (const each of all) each();
      });
  }
  all.add(listener);
  return () => all.delete(listener);
}
