import type { QuestionAsked, QuestionReply } from 'toolwright/conversations';
import type { RunStep } from 'toolwright/types';
import type { RunStatus } from 'toolwright/internal';

/**
 * An event of a durable run, made from an entry of its log: the same in every process and at every time. `seq` is the place of the
 * entry, from which a client goes on with `after`.
 */
export type RunStreamEvent =
  | Extract<RunStep, { readonly kind: 'answer' | 'tool_ended' | 'note' }>
  /** A call waits for a reply. */
  | { readonly kind: 'question'; readonly seq: number; readonly question: Omit<QuestionAsked, 'kind'> }
  /** The question about a call was answered. */
  | { readonly kind: 'reply'; readonly seq: number; readonly call: string; readonly reply: QuestionReply }
  /** The run has ended; `seq` is undefined if it never began. */
  | {
      readonly kind: 'ended';
      readonly seq: number | undefined;
      readonly status: Extract<RunStatus, 'answered' | 'failed' | 'cancelled'>;
      /** Why it has no answer; null if it has one. */
      readonly problem: string | null;
    };
