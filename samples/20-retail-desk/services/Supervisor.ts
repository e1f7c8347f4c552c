import type { ApprovalAnswer, Approver, ParsedCall } from 'toolwright/policies';
import { ReturnItemsParams } from '../sections/params.js';

/** The decision about one call. */
export interface Decision {
  readonly tool: string;
  readonly answer: ApprovalAnswer;
}

/**
 * Decides about large refunds by this rule: gift cards can be passed on, so large amounts are refunded only to the original payment
 * method. A shop would ask a person here, and could answer "later".
 */
export class Supervisor implements Approver {
  constructor(private readonly report: (decision: Decision) => void = () => undefined) {}

  approve({ tool, params }: ParsedCall): ApprovalAnswer {
    const answer = answerTo(params);
    this.report({ tool: tool.name, answer });
    return answer;
  }
}

/** For a desk without a supervisor: approves every refund. */
export const unsupervised: Approver = { approve: () => ({ kind: 'approved' }) };

function answerTo(params: unknown): ApprovalAnswer {
  if (params instanceof ReturnItemsParams && params.paymentMethodId.includes('gift_card')) {
    return {
      kind: 'denied',
      reason:
        'The supervisor does not put so large a refund on a gift card. Offer the customer the payment method that the order was paid with.',
    };
  }
  return { kind: 'approved' };
}
