import type { SentRequest } from '../../../interface/ModelAdapter.js';
import type { PrefixMeasure } from '../../../interface/Interceptor.js';
import type { ConversationHead, RunEntry, SentDigest } from '../../../interface/RunEntry.js';
import type { TokenEstimator } from '../../../interface/ports.js';
import type { FoldedLog } from '../log/foldEntries.js';
import { PrefixLedger } from './PrefixLedger.js';

/** The last request of a conversation, which the next one is compared with. */
export class ConversationPrefix {
  #ledger = new PrefixLedger();
  #model: string | undefined;
  #head: ConversationHead | undefined;
  /** The number of messages that was sent before each answer since the ledger began, by the answer's position in the log. */
  #counts = new Map<number, number>();

  /** Notes a request; the returned function compares it with the one before it. */
  note(state: FoldedLog, sent: SentRequest, estimator: TokenEstimator): () => PrefixMeasure {
    if (this.#isOther(state)) {
      this.#ledger = new PrefixLedger();
      this.#counts = new Map();
    }
    this.#model = state.model?.adapter;
    this.#head = state.head;
    return this.#ledger.note(sent, estimator, state.sent);
  }

  /** Digests of the last request: those that have changed since the recorded ones; undefined before the first of this process. */
  digest(state: FoldedLog): SentDigest | undefined {
    return this.#isOther(state) ? undefined : this.#ledger.digestSince(state.sent);
  }

  /** Notes that the last request was answered by an entry of the log. */
  noteAnswer(position: number): void {
    const { count } = this.#ledger;
    if (count !== undefined) this.#counts.set(position, count);
  }

  /**
   * The first entries of a conversation in memory, with digests of the request that the last answer among them answered. They are
   * not recorded with each answer, since hashing requests costs more than all else that is recorded, and only a copy is ever compared
   * with them. Without digests if a segment or another model has followed: those requests began otherwise.
   */
  entriesToCopy(entries: readonly RunEntry[]): readonly RunEntry[] {
    const last = entries.map(({ kind }) => kind).lastIndexOf('answer');
    // An answer at the end is the one to the last request.
    const count = this.#counts.get(last) ?? (last === entries.length - 1 ? this.#ledger.count : undefined);
    const sent = count === undefined ? undefined : this.#ledger.digestOfFirst(count);
    if (sent === undefined) return entries;
    return entries.map((entry, at) => (at === last ? { ...entry, sent } : entry));
  }

  /** Another model has another cache, and other rules; a segment starts a new prefix. */
  #isOther({ head, model }: FoldedLog): boolean {
    return this.#head !== undefined && (this.#model !== model?.adapter || this.#head !== head);
  }
}
