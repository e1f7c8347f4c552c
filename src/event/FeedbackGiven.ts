import { brand } from '../common/brand.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `FeedbackGiven`. */
export interface FeedbackGivenFields extends EventHead {
  /** The name of the called tool. */
  readonly name: string;
  readonly callId: string;
  /** The name of the feedback provider. */
  readonly provider: string;
  /** The feedback. */
  readonly text: string;
}

/** A feedback provider added feedback to the text of a call that the model reads (docs/contract.md, 9 and 10). */
export class FeedbackGiven extends FrozenEvent<FeedbackGivenFields> {}
brand(FeedbackGiven, 'FeedbackGiven');
export interface FeedbackGiven extends FeedbackGivenFields {}
