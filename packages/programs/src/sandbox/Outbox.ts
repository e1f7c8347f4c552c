import type { GuestMessage } from './protocol.js';

/** Number of texts that are sent at once. Later ones are batched, since a flood of messages would keep the host busy. */
const PROMPT_WRITES = 200;
const FULL = 256;

/** Messages of the guest that were not sent to the host yet, in order. */
export class Outbox {
  private messages: GuestMessage[] = [];
  private writes = 0;

  constructor(private readonly send: (messages: readonly GuestMessage[]) => void) {}

  put(message: GuestMessage): void {
    this.messages.push(message);
    // A terminated guest sends nothing more, but its earlier output is still needed.
    const isUrgent = message[0] === 'write' && this.writes++ < PROMPT_WRITES;
    if (isUrgent || this.messages.length >= FULL) this.flush();
  }

  flush(): void {
    if (this.messages.length === 0) return;
    const { messages } = this;
    this.messages = [];
    this.send(messages);
  }
}
