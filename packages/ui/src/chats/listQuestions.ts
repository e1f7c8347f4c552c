import type { HistoryEntry, QuestionReply, RunEntry } from 'toolwright/conversations';

/** A question of a conversation, open or not. */
export interface AskedQuestion extends Pick<RunEntry<'question'>, 'id' | 'about'> {
  readonly run: string;
  /** Its place in the log. */
  readonly seq: number;
  /** Undefined while it has no answer. */
  readonly reply: QuestionReply | undefined;
  /** False once it is answered, or its run has ended. */
  readonly isOpen: boolean;
}

/** Lists the questions of a conversation by id, in the order in which they were asked. */
export function listQuestions(history: readonly HistoryEntry[]): ReadonlyMap<string, AskedQuestion> {
  const questions = new Map<string, AskedQuestion>();
  let run = '';
  for (const entry of history)
    if (entry.kind === 'run') ({ run } = entry);
    else if (entry.kind === 'question') {
      const { id, about, seq = 0 } = entry;
      questions.set(id, { id, about, run, seq, reply: undefined, isOpen: true });
    } else if (entry.kind === 'reply') {
      const asked = questions.get(entry.question);
      // A denial that was lifted has two replies, of which the first one is the decision about the call.
      if (asked !== undefined && asked.reply === undefined)
        questions.set(asked.id, { ...asked, reply: entry.reply, isOpen: false });
    } else if (entry.kind === 'end')
      for (const asked of questions.values())
        if (asked.run === entry.run) questions.set(asked.id, { ...asked, isOpen: false });
  return questions;
}
