import type { Approver, ApprovalDecision } from '../../interface/Approver.js';
import { Questions } from '../terminal/Questions.js';
import type { Terminal } from '../terminal/Terminal.js';
import { bold, line } from '../terminal/TerminalText.js';

/** How approvals are given: each is asked for, or all are given or refused. */
export type ApproveMode = 'ask' | 'all' | 'none';

/** Asks the person at the terminal whether a call may run; without a terminal, every call is denied. */
export function terminalApprover(terminal: Terminal, mode: ApproveMode): Approver {
  return {
    approve: ({ tool, call }) => decide(terminal, mode, tool.name, call.arguments),
  };
}

/** Decides about one call. */
export async function decide(
  terminal: Terminal,
  mode: ApproveMode,
  name: string,
  args: unknown,
): Promise<ApprovalDecision> {
  if (mode === 'all') return { kind: 'approved' };
  if (mode === 'none' || !Questions.canAsk)
    return { kind: 'denied', reason: 'No person is at the terminal to approve it.' };
  const shown = typeof args === 'string' ? args : JSON.stringify(args);
  const isAllowed = await new Questions(terminal).confirm(line`${bold(name)} ${shown}\nMay it run?`);
  return isAllowed === true
    ? { kind: 'approved' }
    : { kind: 'denied', reason: 'The person at the terminal refused it.' };
}
