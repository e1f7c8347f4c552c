import type { SentRequest } from '../../interface/ModelAdapter.js';
import type { PrefixMeasure } from '../../interface/PrefixMeasure.js';
import type { ConversationHead, LogEntry, SentDigest } from '../../interface/RunStore.js';
import type { TokenEstimator } from '../../interface/TokenEstimator.js';
import type { FoldedLog } from './foldEntries.js';
import { PrefixLedger } from './PrefixLedger.js';

/** The last request of a conversation, which the next one is compared with. */
export class ConversationPrefix {
  #ledger = new PrefixLedger();
  #model: string | undefined;
  #head: ConversationHead | undefined;

  /** Notes a request; the returned function compares it with the one before it. */
  note(state: FoldedLog, sent: SentRequest, estimator: TokenEstimator): () => PrefixMeasure {
    if (this.#isOther(state)) this.#ledger = new PrefixLedger();
    this.#model = state.model?.adapter;
    this.#head = state.head;
    return this.#ledger.note(sent, estimator, state.sent);
  }

  /** Digests of the last request: those that have changed since the recorded ones; undefined before the first of this process. */
  digest(state: FoldedLog): SentDigest | undefined {
    return this.#isOther(state) ? undefined : this.#ledger.digestSince(state.sent);
  }

  /**
   * The entries of a conversation in memory, with the digests of the last request. They are not recorded with each answer, since
   * hashing requests costs more than all else that is recorded, and only a copy is ever compared with them.
   */
  entriesToCopy(entries: readonly LogEntry[], state: FoldedLog): readonly LogEntry[] {
    const sent = this.digest(state);
    if (sent === undefined) return entries;
    const last = entries.map(({ kind }) => kind).lastIndexOf('answer');
    return entries.map((entry, at) => (at === last ? { ...entry, sent } : entry));
  }

  /** Another model has another cache, and other rules; a segment starts a new prefix. */
  #isOther({ head, model }: FoldedLog): boolean {
    return this.#head !== undefined && (this.#model !== model?.adapter || this.#head !== head);
  }
}
