import type { QuestionReply } from 'toolwright/conversations';
import { isRecord } from 'toolwright/internal/light';
import type { AskedQuestion } from '../chats/listQuestions.js';
import type { InterruptAnswer } from './readRunInput.js';

/** The model reads it. */
const CLOSED = 'The user closed the question without an answer.';

/** Returns the reply to a question; undefined for an answer that does not have the form of `describeQuestion`. */
export function toReply(
  { about }: Pick<AskedQuestion, 'about'>,
  { status, payload, seen }: InterruptAnswer,
): QuestionReply | undefined {
  if (status === 'cancelled') return { kind: 'denied', reason: CLOSED };
  const { approved, editedArgs, reason, repeat, outcome } = payload;
  if (about === 'unknown') {
    if (typeof outcome === 'string') return { kind: 'outcome', text: outcome };
    return repeat === true ? { kind: 'repeat' } : undefined;
  }
  if (approved === false) {
    const isGiven = typeof reason === 'string' && reason.trim() !== '';
    return { kind: 'denied', reason: isGiven ? reason : 'The user denied it.' };
  }
  if (approved !== true || (editedArgs !== undefined && !isRecord(editedArgs))) return undefined;
  return {
    kind: 'approved',
    ...(seen === undefined ? {} : { seen }),
    ...(editedArgs === undefined ? {} : { arguments: editedArgs }),
  };
}
