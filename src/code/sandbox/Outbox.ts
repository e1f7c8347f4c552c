import type { GuestMessage } from './protocol.js';

/** So many texts are sent at once. Later ones wait for others, since a flood of messages would keep the host busy. */
const PROMPT_WRITES = 200;
const FULL = 256;

/** What the guest has said and the host has not heard yet, in order. */
export class Outbox {
  private said: GuestMessage[] = [];
  private writes = 0;

  constructor(private readonly send: (said: readonly GuestMessage[]) => void) {}

  put(utterance: GuestMessage): void {
    this.said.push(utterance);
    // A guest that is ended by force sends nothing more, and what it wrote before is wanted all the same.
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
