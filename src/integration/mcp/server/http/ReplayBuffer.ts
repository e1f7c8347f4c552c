import { randomUUID } from 'node:crypto';
import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

interface SavedEntry {
  readonly id: EventId;
  readonly streamId: StreamId;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** Characters that one session may keep, so that large answers do not add up. */
const MOST_CHARACTERS = 4_000_000;

/** The last messages of one session, for clients whose stream broke. The oldest are dropped first. */
export class ReplayBuffer implements EventStore {
  readonly #limit: number;
  #kept: SavedEntry[] = [];
  #characters = 0;

  /** @param limit the most messages */
  constructor(limit: number) {
    this.#limit = limit;
  }

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const id = randomUUID();
    const size = JSON.stringify(message).length;
    this.#kept.push({ id, streamId, message, size });
    this.#characters += size;
    while (this.#kept.length > this.#limit || (this.#characters > MOST_CHARACTERS && this.#kept.length > 1)) {
      this.#characters -= this.#kept.shift()?.size ?? 0;
    }
    return Promise.resolve(id);
  }

  getStreamIdForEventId(eventId: EventId): Promise<StreamId | undefined> {
    return Promise.resolve(this.#kept.find(({ id }) => id === eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const last = this.#kept.findIndex(({ id }) => id === lastEventId);
    const streamId = this.#kept[last]?.streamId ?? '';
    for (const event of this.#kept.slice(last + 1)) {
      // The first event of a stream holds no message: it only has the id with which a client reconnects.
      if (event.streamId === streamId && 'jsonrpc' in event.message) await send(event.id, event.message);
    }
    return streamId;
  }
}
