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
  /** Undefined until the first question; most conversations have none. */
  #answers: Answers | undefined;

  constructor(entries: readonly RunEntry[] = []) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: RunEntry): void {
    switch (entry.kind) {
      case 'answer':
        this.#calls = entry.toolCalls;
        this.#answers?.asked.clear();
        return;
      case 'question':
        if (entry.about !== 'approval') return;
        this.#answers ??= { asked: new Map(), standing: new Map(), held: new Map(), lifted: new Set() };
        this.#answers.asked.set(entry.id, this.#calls[parsePosition(entry.call)]);
        return;
      case 'reply':
        if (this.#answers !== undefined) addReply(this.#answers, entry);
        return;
      case 'steering':
        forgetDenials(this.#answers);
        return;
      case 'run':
        // A run without a message of the user goes on where an earlier one failed. Notes are written by the host.
        if (entry.messages.some((message) => message.role === 'user' && message.note === undefined))
          forgetDenials(this.#answers);
        return;
      default:
    }
  }

  /** Returns the denial that holds for a call; undefined without any. */
  find(call: ToolCall): StandingDenial | undefined {
    const standing = this.#answers?.standing;
    return standing === undefined || standing.size === 0 ? undefined : standing.get(hashCall(call));
  }

  /** Says what became of the denial that answered a question: it holds until it is lifted, it was lifted, or it never held. */
  stateOf(question: string): 'held' | 'lifted' | undefined {
    if (this.#answers?.held.has(question) === true) return 'held';
    return this.#answers?.lifted.has(question) === true ? 'lifted' : undefined;
  }
}

/** The questions whether calls may run, and the denials that answered them. */
interface Answers {
  /** The calls that may be approved, by the ids of their questions. */
  readonly asked: Map<string, ToolCall | undefined>;
  /** By a hash over tool and arguments. */
  readonly standing: Map<string, StandingDenial>;
  /** The keys of the denials that hold until they are lifted, by the ids of their questions; undefined for a call that is missing. */
  readonly held: Map<string, string | undefined>;
  readonly lifted: Set<string>;
}

function addReply(answers: Answers, { question, reply }: RunEntry<'reply'>): void {
  const { asked, standing, held } = answers;
  if (reply.kind === 'lifted') return liftDenial(answers, question);
  if (reply.kind !== 'denied' || !asked.has(question)) return;
  const { reason, until = 'message' } = reply;
  const call = asked.get(question);
  const key = call && hashCall(call);
  if (until === 'lifted') held.set(question, key);
  if (key === undefined || standing.get(key)?.until === 'lifted') return;
  standing.set(key, { reason, until });
}

function liftDenial({ standing, held, lifted }: Answers, question: string): void {
  const key = held.get(question);
  if (key !== undefined) standing.delete(key);
  if (held.delete(question)) lifted.add(question);
}

/** Ends the denials that hold until the next message. */
function forgetDenials(answers: Answers | undefined): void {
  answers?.standing.forEach(({ until }, key, standing) => {
    if (until === 'message') standing.delete(key);
  });
}

function hashCall(call: ToolCall): string {
  return sha256(writeCallContent(call));
}
