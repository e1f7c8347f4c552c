import type { CompletionVerdict } from '../../interface/CompletionChecker.js';
import type {
  CallEnded,
  LogEntry,
  ModelAnswered,
  NoteAdded,
  QuestionAsked,
  QuestionReply,
} from '../../interface/RunStore.js';

/** What is recorded of a run that goes on: each part is served in the place where it was made (docs/contract.md, 18). */
export class RecordedRun {
  /** By their turns. */
  readonly answers = new Map<number, ModelAnswered>();
  readonly verdicts = new Map<number, CompletionVerdict>();
  /** By turn and subject: `2 limits`. */
  readonly notes = new Map<string, NoteAdded>();
  /** By the ids of their calls, as all that follow: `2.1`. */
  readonly outcomes = new Map<string, CallEnded>();
  readonly begun = new Set<string>();
  readonly questions = new Map<string, QuestionAsked>();
  /** Replies to the questions if a call may run. */
  readonly approvals = new Map<string, QuestionReply>();
  /** Replies to the questions what became of a call; if it begins again, they no longer count. */
  readonly decisions = new Map<string, QuestionReply>();

  constructor(entries: readonly LogEntry[]) {
    for (const entry of entries) this.#read(entry);
  }

  #read(entry: LogEntry): void {
    switch (entry.kind) {
      case 'answer':
        this.answers.set(entry.turn, entry);
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
      case 'question':
        this.questions.set(entry.call, entry);
        if (entry.about === 'unknown') return;
        // A program that waits for the approval of a call was rolled back: its effects are known.
        this.begun.delete(entry.call);
        this.approvals.delete(entry.call);
        return;
      case 'reply':
        (this.begun.has(entry.call) ? this.decisions : this.approvals).set(entry.call, entry.reply);
        return;
      default:
    }
  }
}
