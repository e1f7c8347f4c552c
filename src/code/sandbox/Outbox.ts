import type { GuestMessage } from './protocol.js';

/** Number of texts that are sent at once. Later ones are batched, since a flood of messages would keep the host busy. */
const PROMPT_WRITES = 200;
const FULL = 256;

/** Messages of the guest that have not been sent to the host, in order. */
export class Outbox {
  private said: GuestMessage[] = [];
  private writes = 0;

  constructor(private readonly send: (said: readonly GuestMessage[]) => void) {}

  put(utterance: GuestMessage): void {
    this.said.push(utterance);
    // A terminated guest sends nothing more, but its earlier output is still needed.
    const isUrgent = utterance.kind === 'write' && this.writes++ < PROMPT_WRITES;
    if (isUrgent || this.said.length >= FULL) this.flush();
  }

  flush(): void {
    if (this.said.length === 0) return;
    const { said } = this;
    this.said = [];
    this.send(said);
  }
}
