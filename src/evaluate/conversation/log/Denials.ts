import { sha256 } from '../../../common/builtins.js';
import type { StandingDenial } from '../../../dispatch/DispatchContext.js';
import { writeCallContent } from '../../../dispatch/idempotencyKey.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import type { ToolCall } from '../../../value/ToolCall.js';
import { parsePosition } from './listOpenCalls.js';

/**
 * The denials of people that hold for later calls of a conversation, computed from its entries: every process and every replay comes to
 * the same ones. A denial ends with the next message of the user, or when the host lifts it.
 */
export class Denials {
  /** The calls of the last answer. */
  #calls: readonly ToolCall[] = [];
  /** The calls that may be approved, by the ids of their questions. */
  readonly #asked = new Map<string, ToolCall | undefined>();
  /** By a hash over tool and arguments. */
  readonly #standing = new Map<string, StandingDenial>();
  /** The keys of the denials that hold until they are lifted, by the ids of their questions; undefined for a call that is missing. */
  readonly #held = new Map<string, string | undefined>();
  readonly #lifted = new Set<string>();

  constructor(entries: readonly RunEntry[] = []) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: RunEntry): void {
    switch (entry.kind) {
      case 'answer':
        this.#calls = entry.toolCalls;
        this.#asked.clear();
        return;
      case 'question':
        if (entry.about === 'approval') this.#asked.set(entry.id, this.#calls[parsePosition(entry.call)]);
        return;
      case 'reply':
        this.#addReply(entry);
        return;
      case 'steering':
        this.#forget();
        return;
      case 'run':
        // A run without a message of the user goes on where an earlier one failed. Notes are written by the host.
        if (entry.messages.some((message) => message.role === 'user' && message.note === undefined)) this.#forget();
        return;
      default:
    }
  }

  /** Returns the denial that holds for a call; undefined without any. */
  find(call: ToolCall): StandingDenial | undefined {
    return this.#standing.size === 0 ? undefined : this.#standing.get(hashCall(call));
  }

  /** Says what became of the denial that answered a question: it holds until it is lifted, it was lifted, or it never held. */
  stateOf(question: string): 'held' | 'lifted' | undefined {
    if (this.#held.has(question)) return 'held';
    return this.#lifted.has(question) ? 'lifted' : undefined;
  }

  #addReply({ question, reply }: RunEntry<'reply'>): void {
    if (reply.kind === 'lifted') return this.#lift(question);
    if (reply.kind !== 'denied' || !this.#asked.has(question)) return;
    const { reason, until = 'message' } = reply;
    const call = this.#asked.get(question);
    const key = call && hashCall(call);
    if (until === 'lifted') this.#held.set(question, key);
    if (key === undefined || this.#standing.get(key)?.until === 'lifted') return;
    this.#standing.set(key, { reason, until });
  }

  #lift(question: string): void {
    const key = this.#held.get(question);
    if (key !== undefined) this.#standing.delete(key);
    if (this.#held.delete(question)) this.#lifted.add(question);
  }

  #forget(): void {
    for (const [key, { until }] of this.#standing) if (until === 'message') this.#standing.delete(key);
  }
}

function hashCall(call: ToolCall): string {
  return sha256(writeCallContent(call));
}
