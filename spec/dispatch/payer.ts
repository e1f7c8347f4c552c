import { defineTool, Param, type ToolContext, type ToolHints } from 'toolwright';
import type { ApprovalRule, ToolPolicy } from 'toolwright/policies';
import { writeBoth } from './desk';

export class Amount {
  @Param('Amount') amount!: number;
}

/** A tool that pays, and what its handler was called with. */
export function payer({
  requiresApproval = true,
  policies = [],
  timeoutMs,
  hints,
}: {
  readonly requiresApproval?: ApprovalRule<Amount>;
  readonly policies?: readonly ToolPolicy[];
  readonly timeoutMs?: number;
  readonly hints?: ToolHints;
} = {}) {
  const paid: number[] = [];
  const keys: string[] = [];
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    params: Amount,
    requiresApproval,
    policies,
    timeoutMs,
    hints,
    handler: async ({ amount }: Amount, context: ToolContext) => {
      paid.push(amount);
      keys.push(context.call.idempotencyKey);
      writeBoth(context, `paid ${String(amount)}`);
      return 'paid';
    },
  });
  return { tool, paid, keys };
}
