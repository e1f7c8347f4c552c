import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MAX_REPLAY_BYTES, MAX_SESSION_REPLAY_BYTES } from '../../limits.js';

interface SavedEntry {
  readonly id: EventId;
  readonly streamId: StreamId;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** The bytes that all sessions of a server keep together. */
export interface ReplayTotal {
  bytes: number;
}

/** The last messages of one session, for clients with a broken stream. The oldest are dropped first. */
export class ReplayBuffer implements EventStore {
  readonly #limit: number;
  readonly #kept: SavedEntry[] = [];
  readonly #total: ReplayTotal;
  #bytes = 0;
  /** The number of messages so far, the last of which has it as its id. */
  #stored = 0;

  /**
   * @param limit the most messages
   * @param total the bytes of all sessions of the server
   */
  constructor(limit: number, total: ReplayTotal = { bytes: 0 }) {
    this.#limit = limit;
    this.#total = total;
  }

  /** Drops all messages. */
  clear(): void {
    while (this.#kept.length > 0) this.#dropOldest();
  }

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const id = String(++this.#stored);
    const size = Buffer.byteLength(JSON.stringify(message));
    this.#kept.push({ id, streamId, message, size });
    this.#bytes += size;
    this.#total.bytes += size;
    while (this.#kept.length > this.#limit || (this.#isTooLarge() && this.#kept.length > 1)) this.#dropOldest();
    return Promise.resolve(id);
  }

  #isTooLarge(): boolean {
    return this.#bytes > MAX_SESSION_REPLAY_BYTES || this.#total.bytes > MAX_REPLAY_BYTES;
  }

  #dropOldest(): void {
    const size = this.#kept.shift()?.size ?? 0;
    this.#bytes -= size;
    this.#total.bytes -= size;
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
      // The first event of a stream has no message, only the id with which a client reconnects.
      if (event.streamId === streamId && 'jsonrpc' in event.message) await send(event.id, event.message);
    }
    return streamId;
  }
}
