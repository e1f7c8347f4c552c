import { getApplicationParts } from 'toolwright/internal';
import type { Application, RenderedPrompt, ToolCall } from 'toolwright';
import type { ApprovalDecision, Approver, CallContext, ParsedCall } from 'toolwright/policies';
import { Questions } from '../terminal/Questions.js';
import type { Terminal } from '../terminal/Terminal.js';
import { bold, line } from '../terminal/TerminalText.js';

/** How approvals are answered: ask the person, approve all, or deny all. */
export type ApproveMode = 'ask' | 'all' | 'none';

/** Asks the person at the terminal whether a call may run; without a terminal, every call is denied. */
export class TerminalApprover implements Approver {
  /** The application of the calls. It knows which arguments are secrets. */
  app: Application | undefined;
  readonly #terminal: Terminal;
  readonly #mode: ApproveMode;
  readonly #showsSecrets: boolean;

  constructor(terminal: Terminal, mode: ApproveMode, showsSecrets: boolean) {
    this.#terminal = terminal;
    this.#mode = mode;
    this.#showsSecrets = showsSecrets;
  }

  approve({ call }: ParsedCall, context: CallContext): Promise<ApprovalDecision> {
    return this.decide(call, context.renderedPrompt as RenderedPrompt | null);
  }

  async decide(call: Pick<ToolCall, 'name' | 'arguments'>, rendered: RenderedPrompt | null): Promise<ApprovalDecision> {
    if (this.#mode === 'all') return { kind: 'approved' };
    if (this.#mode === 'none' || !Questions.canAsk)
      return { kind: 'denied', reason: 'No person is at the terminal to approve it.' };
    const question = line`${bold(call.name)} ${this.#formatArguments(call, rendered)}\nMay it run?`;
    const isAllowed = await new Questions(this.#terminal).confirm(question);
    return isAllowed === true
      ? { kind: 'approved' }
      : { kind: 'denied', reason: 'The person at the terminal refused it.' };
  }

  #formatArguments(
    { name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>,
    rendered: RenderedPrompt | null,
  ): string {
    if (this.#showsSecrets) return formatArguments(given);
    // Only the rendering shows which arguments are secrets.
    if (this.app === undefined || rendered === null) return '';
    const { redaction } = getApplicationParts(this.app).services;
    return formatArguments(redaction.call({ id: '', name, arguments: given }, rendered.toolsByName).arguments);
  }
}

function formatArguments(given: ToolCall['arguments']): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}
