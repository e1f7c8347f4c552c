import { type ErrorCode, ToolRefusal } from 'toolwright';

const IS_ASKED = 'The client is asked. The call is rolled back, and runs again with the answer.';

/** Ends a call that asks its client, whose answer has not come. The call is rolled back, and runs again with the answer. */
export class AnswerMissing extends ToolRefusal {
  override readonly code: ErrorCode = 'E697';

  constructor() {
    super(IS_ASKED);
  }
}

/** Checks the recorded text of a call that failed: true if it ended because it asks its client. */
export function isAboutAnswer(text: string): boolean {
  return text.includes(IS_ASKED);
}
