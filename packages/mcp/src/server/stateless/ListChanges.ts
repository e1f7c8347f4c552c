import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';

/** Announces changed lists and documents on the streams of `subscriptions/listen`, also in other processes. */
export class ListChanges implements ServerEventBus {
  readonly #own: InMemoryServerEventBus;
  readonly #shared: ServerEventBus | undefined;

  /** @param shared the bus between the processes of a server */
  constructor(shared: ServerEventBus | undefined, logger: Logger) {
    this.#shared = shared;
    this.#own = new InMemoryServerEventBus((error) =>
      logger.debug(`MCP: a change was not announced: ${messageOf(error)}`),
    );
  }

  /** False if no stream is open in this process, and none can be in another one. */
  get areHeard(): boolean {
    return this.#shared !== undefined || this.#own.listenerCount > 0;
  }

  publish(event: Parameters<ServerEventBus['publish']>[0]): void {
    (this.#shared ?? this.#own).publish(event);
  }

  subscribe(listener: Parameters<ServerEventBus['subscribe']>[0]): () => void {
    return (this.#shared ?? this.#own).subscribe(listener);
  }

  announce({ method, params }: ServerNotification): void {
    if (method === 'notifications/tools/list_changed') this.publish({ kind: 'tools_list_changed' });
    if (method === 'notifications/resources/list_changed') this.publish({ kind: 'resources_list_changed' });
    if (method === 'notifications/resources/updated') this.publish({ kind: 'resource_updated', uri: params.uri });
  }
}
