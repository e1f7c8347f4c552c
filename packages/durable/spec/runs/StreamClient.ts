import type { ShownEntry } from 'toolwright/conversations';
import type { Runs } from '@toolwright/durable';
import { isEntry, sketch, type StreamedEvent } from './streamDesk';

/** What a chat client keeps of a run: the entries, and the pieces since the last one. It throws where a stream contradicts itself. */
export class StreamClient {
  readonly entries: ShownEntry[] = [];
  /** The number of answers whose text came in pieces. */
  streamed = 0;
  /** The calls that were seen to begin. */
  readonly begun = new Set<string>();
  readonly #run: string;
  #text = '';
  #turn = 0;

  constructor(run: string) {
    this.#run = run;
  }

  hasEnded(): boolean {
    return this.entries.at(-1)?.kind === 'end';
  }

  /** Reads events behind the last entry until the stream ends, or until it has read `count` of them. Returns true if the stream ended. */
  async read(runs: Runs, count: number, pause: () => Promise<void>): Promise<boolean> {
    // Pieces come again.
    this.#text = '';
    let left = count;
    for await (const event of runs.stream(this.#run, { after: this.entries.at(-1)?.seq })) {
      this.#take(event);
      if (--left === 0) return false;
      await pause();
    }
    return true;
  }

  #take(event: StreamedEvent): void {
    if (isEntry(event)) this.#takeEntry(event);
    else if (event.kind === 'retry') this.#text = '';
    else if (event.kind === 'begun' || event.kind === 'progress') this.#takeBegun(event);
    else {
      this.#require(event.turn === this.#turn + 1, event, `a piece of turn ${String(this.#turn + 1)}`);
      this.#text += event.kind === 'text' ? event.text : '';
    }
  }

  #takeBegun({ call, turn }: Extract<StreamedEvent, { readonly kind: 'begun' | 'progress' }>): void {
    const hasEnded = this.entries.some((entry) => entry.kind === 'outcome' && entry.call === call);
    if (turn !== this.#turn || hasEnded) throw new TypeError(`${call} began before its answer or after its outcome.`);
    this.begun.add(call);
  }

  #takeEntry(entry: ShownEntry): void {
    const before = this.entries.at(-1)?.seq ?? 0;
    this.#require((entry.seq ?? 0) > before, entry, `a place after ${String(before)}`);
    if (entry.kind === 'answer') {
      this.#require(this.#text === '' || this.#text === entry.text, entry, `the text ${this.#text}`);
      if (this.#text !== '') this.streamed++;
      this.#text = '';
      this.#turn = entry.turn;
    }
    this.entries.push(entry);
  }

  #require(holds: boolean, event: StreamedEvent, expected: string): void {
    if (!holds) throw new TypeError(`Expected ${expected}, got ${sketch(event)}: ${JSON.stringify(event)}.`);
  }
}
