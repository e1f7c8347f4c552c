import { stdin, stderr } from 'node:process';
import type { Approver, ApprovalDecision } from '../../interface/Approver.js';
import { printable, type Terminal } from '../Terminal.js';

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
  if (mode === 'none' || !stdin.isTTY) return { kind: 'denied', reason: 'No person is at the terminal to approve it.' };
  const { confirm, isCancel } = await import('@clack/prompts');
  const shown = typeof args === 'string' ? args : JSON.stringify(args);
  const answer = await confirm({
    message: `${terminal.noteColors.bold(name)} ${printable(shown)}\nMay it run?`,
    initialValue: false,
    output: stderr,
  });
  return answer === true && !isCancel(answer)
    ? { kind: 'approved' }
    : { kind: 'denied', reason: 'The person at the terminal refused it.' };
}
