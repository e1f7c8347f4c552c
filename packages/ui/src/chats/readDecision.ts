import type { QuestionReply } from 'toolwright/conversations';
import type { OpenQuestion } from '@toolwright/durable';
import { HttpProblem } from '../http/HttpProblem.js';

/** A decision about a call, as a client sends it. */
export interface GivenDecision {
  readonly approved?: unknown;
  /** Why it is denied; the model reads it. */
  readonly reason?: unknown;
  /** Of the description that the person saw: the approval holds only for the change that it shows. */
  readonly seen?: unknown;
  /** Arguments that the person wrote in place of the model's. */
  readonly arguments?: unknown;
  /** For a call whose outcome is unknown: its outcome. */
  readonly outcome?: unknown;
}

/** Reads the decision of a person. The form of edited arguments is checked where the reply is taken. @throws HttpProblem 400 */
export function readDecision(given: GivenDecision): QuestionReply {
  const { approved, reason, seen, arguments: edited, outcome } = given;
  if (typeof outcome === 'string') return { kind: 'outcome', text: outcome };
  if (approved === false) {
    const isGiven = typeof reason === 'string' && reason.trim() !== '';
    return { kind: 'denied', reason: isGiven ? reason : 'It was denied without a reason.' };
  }
  if (approved !== true) throw new HttpProblem(400, 'The decision has to say approved: true or false.');
  const approval = { kind: 'approved', ...(typeof seen === 'string' ? { seen } : {}) } as const;
  if (edited === undefined) return approval;
  if (typeof edited !== 'object' || edited === null || Array.isArray(edited))
    throw new HttpProblem(400, 'Edited arguments have to be an object.');
  return { ...approval, arguments: edited as NonNullable<Extract<QuestionReply, { kind: 'approved' }>['arguments']> };
}

/** A call whose outcome is unknown runs again if a person approves it. */
export function fitReply({ about }: Pick<OpenQuestion, 'about'>, reply: QuestionReply): QuestionReply {
  return about === 'unknown' && reply.kind === 'approved' ? { kind: 'repeat', by: reply.by } : reply;
}
