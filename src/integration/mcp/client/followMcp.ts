import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable, Constructor } from '../../../common/types.js';
import { clientOf } from './askServer.js';
import type { McpConnection } from './McpConnection.js';
import { mcpSection, type McpSectionOptions } from './mcpSection.js';

const changes = [
  ToolListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
] as const;

/** A client that tells when a list of its server changed. */
export interface McpNotifyingConnection extends McpConnection {
  setNotificationHandler(schema: (typeof changes)[number], handler: () => void): void;
}

/** A client that tells of changes, or a function that gives one. */
export type McpNotifyingSource = McpNotifyingConnection | (() => Awaitable<McpNotifyingConnection>);

/** What is made of a server's tools, and made anew when the server says that its list changed. */
export interface McpFollower<T> {
  /** True when the list changed since the last was made. */
  readonly isStale: boolean;
  /**
   * The newest; made now where the list changed. Whoever has an older one keeps it: a run that is under way is offered what it was
   * offered, and a call of a tool that is gone fails.
   *
   * @throws what `mcpSection` and `make` throw; the next call tries again
   */
  current(): Promise<T>;
  /** Hears of no changes any more. */
  close(): void;
}

/**
 * Follows the list of a server: a prompt never changes, so a change of the list gives a new one. The notifications of the client
 * about lists are handled here from now on, in place of handlers of the host's.
 *
 * @param make makes an application, a prompt, or whatever else of the section; the one before is there to be closed
 * @throws McpBridgeError E681, E682, E683; what `make` throws
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
  /** Changes that were heard of. */
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

  /** A client that was connected anew tells of its own lists, which may be others. */
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

/** A client has one handler for each kind of notification; any number of followers listen to it. */
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
