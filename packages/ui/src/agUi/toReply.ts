import type { QuestionReply } from 'toolwright/conversations';
import { isRecord } from 'toolwright/internal/light';
import type { AskedQuestion } from '../chats/listQuestions.js';
import { readDecision } from '../chats/readDecision.js';
import type { InterruptAnswer } from './readAgUiInput.js';

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
  const isApproval = approved === true && (editedArgs === undefined || isRecord(editedArgs));
  if (approved !== false && !isApproval) return undefined;
  return readDecision({ approved, reason, seen, arguments: editedArgs });
}
