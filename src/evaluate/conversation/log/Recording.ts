import type { RecordedAnswer } from '../../../dispatch/TurnRecord.js';
import type { CompletionVerdict } from '../../../interface/CompletionChecker.js';
import type { RunEntry, QuestionReply } from '../../../interface/RunEntry.js';
import type { CountedRequest } from '../../../limit/computeCost.js';

/** The record of a run that goes on: each part is served in the place where it was made (docs/contract.md, 18). */
export class Recording {
  /** By their turns. */
  readonly answers = new Map<number, RunEntry<'answer'>>();
  /** The names of the adapters that answered, by turn. */
  readonly adapters = new Map<number, string>();
  /** The answers that other models replaced. */
  readonly dropped: CountedRequest[] = [];
  readonly verdicts = new Map<number, CompletionVerdict>();
  /** By turn and subject: `2 limits`. */
  readonly notes = new Map<string, RunEntry<'note'>>();
  /** In their order. */
  readonly steerings: RunEntry<'steering'>[] = [];
  /** By the ids of their calls, as all that follow: `2.1`. */
  readonly outcomes = new Map<string, RunEntry<'outcome'>>();
  readonly begun = new Set<string>();
  /** The last question about each call. */
  readonly questions = new Map<string, RunEntry<'question'>>();
  /** Replies to the questions whether a call may run. */
  readonly approvals = new Map<string, RecordedAnswer>();
  /** Replies about calls whose end is unknown; if a call begins again, its reply no longer counts. */
  readonly decisions = new Map<string, QuestionReply>();

  #adapter: string | undefined;

  /** @param adapter the name of the adapter with which the run began */
  constructor(entries: readonly RunEntry[], adapter?: string) {
    this.#adapter = adapter;
    for (const entry of entries) this.#read(entry);
  }

  #read(entry: RunEntry): void {
    switch (entry.kind) {
      case 'answer':
        this.answers.set(entry.turn, entry);
        if (this.#adapter !== undefined) this.adapters.set(entry.turn, this.#adapter);
        return;
      case 'model':
        if (entry.fallback?.usage !== undefined && this.#adapter !== undefined)
          this.dropped.push({ adapter: this.#adapter, usage: entry.fallback.usage });
        this.#adapter = entry.adapter;
        return;
      case 'outcome':
        this.outcomes.set(entry.call, entry);
        return;
      case 'begun':
        this.begun.add(entry.call);
        this.questions.delete(entry.call);
        this.decisions.delete(entry.call);
        return;
      case 'verdict':
        this.verdicts.set(entry.turn, entry);
        return;
      case 'note':
        this.notes.set(`${String(entry.turn)} ${entry.about}`, entry);
        return;
      case 'steering':
        this.steerings.push(entry);
        return;
      case 'question':
        this.questions.set(entry.call, entry);
        if (entry.about === 'unknown') return;
        // A program that waits for the approval of a call was rolled back: its effects are known.
        this.begun.delete(entry.call);
        this.approvals.delete(entry.call);
        return;
      case 'reply':
        this.#readReply(entry);
        return;
      default:
    }
  }

  /** A reply counts for the question that it names, and for no other one about the call. */
  #readReply({ question: id, call, reply }: RunEntry<'reply'>): void {
    const question = this.questions.get(call);
    if (question?.id !== id) return;
    if (question.about === 'unknown') this.decisions.set(call, reply);
    else if (reply.kind === 'approved') {
      const { kind, seen, arguments: edited } = reply;
      this.approvals.set(call, { question, answer: { kind }, seen, edited });
    } else if (reply.kind === 'denied') this.approvals.set(call, { question, answer: reply });
  }
}
