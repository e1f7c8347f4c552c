import { isInstance } from '../../common/classes.js';
import { MAX_ISSUES, MAX_ISSUE_CHARS, MAX_RESULT_ISSUES, MAX_RESULT_ISSUE_CHARS } from '../../common/limits.js';
import { didYouMean, joinBounded, messageOf } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { StandingDenial } from '../DispatchContext.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import type { ToolView } from '../../interface/PromptView.js';
import type { LimitState } from '../../limit/BudgetTracker.js';
import type { PartsProblem } from '../../value/findPartsProblem.js';
import type { SectionCost } from '../../value/SectionCost.js';
import type { ToolChanges } from '../../value/Message.js';
import type { SideEffect } from '../../value/ToolOutcome.js';

// The texts that the model reads when a call did not succeed: the cause, the current state, and, where it helps, the next step.
// A function is named after the cause that its text states.

const STATE_AFTER_ROLLBACK: Record<SideEffect, string> = {
  none: 'Nothing was changed.',
  keyed: 'Its changes here were undone; if it had an effect elsewhere, the same call adds no further one.',
  unknown: 'Its changes here were undone; whether it had an effect elsewhere is not known.',
};

const REPEAT: Record<SideEffect, string> = {
  none: 'Correct the call or go on without it; repeat it as it was only if the cause may have passed.',
  keyed: 'Correct the call or go on without it; repeat it as it was only if the cause may have passed.',
  unknown: 'Check that before you call it again, or go on without it.',
};

export function describeUnknownTool(name: string, available: readonly string[]): string {
  const shown = name.slice(0, 64);
  const choice = available.length === 0 ? 'No tool is available now.' : `Available tools: ${joinBounded(available)}.`;
  return `There is no tool named ${JSON.stringify(shown)}.${didYouMean(shown, available)} ${choice} Nothing was done.`;
}

/**
 * Lists why the arguments were refused, each issue with its path, and cuts the text so that hostile keys cannot fill the context.
 */
export function describeRejection(name: string, issues: readonly ParamIssue[], effect: SideEffect = 'none'): string {
  const lines = issues.map(({ path, message }) => `- ${path === '' ? 'arguments' : path}: ${message}`);
  const head = `The arguments of ${name} were not accepted:\n`;
  const tail = `\n${effect === 'none' ? 'Nothing was done.' : STATE_AFTER_ROLLBACK[effect]} Call it again with corrected arguments.`;
  const shown: string[] = [];
  let room = MAX_ISSUE_CHARS - head.length - tail.length;
  for (const line of lines) {
    const cut = line.length > 300 ? `${line.slice(0, 300)}…` : line;
    room -= cut.length + 1;
    if (room < 40) break;
    shown.push(cut);
  }
  const left = lines.length - shown.length;
  if (left > 0) shown.push(`- and ${String(left)} more${issues.length < MAX_ISSUES ? '' : ', at least'}`);
  return `${head}${shown.join('\n')}${tail}`;
}

/** Lists the same issues in one line, without advice, as the error message that a program gets. */
export function describeIssues(name: string, issues: readonly ParamIssue[]): string {
  const found = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return `The arguments of ${name} were not accepted: ${found.join('; ')}`.slice(0, MAX_ISSUE_CHARS);
}

export function describeNestingLimit(name: string, most: number): string {
  return `The tool ${name} was not called: more than ${String(most)} calls stand within each other. ${STATE_AFTER_ROLLBACK.none} This is a fault of the tools, which call each other; go on without them.`;
}

export function describeThrown(name: string, error: unknown, effect: SideEffect, masked?: MaskedError): string {
  return `${describeFailure(name, error, masked)}\n${STATE_AFTER_ROLLBACK[effect]} ${REPEAT[effect]}`;
}

function describeFailure(name: string, error: unknown, masked: MaskedError | undefined): string {
  if (masked !== undefined) return describeMasked(name, masked);
  const type = isInstance(error, TypeError) ? 'TypeError: ' : '';
  return `The tool ${name} failed: ${type}${messageOf(error).slice(0, MAX_ISSUE_CHARS)}`;
}

export function describeMasked(name: string, { id, text }: MaskedError): string {
  const said =
    text === undefined ? '. The log of the application has the details.' : `: ${text.slice(0, MAX_ISSUE_CHARS)}`;
  return `The call of ${name} failed (error ${id})${said}`;
}

export function describeBrokenTool(name: string, code: string, effect: SideEffect, masked?: MaskedError): string {
  const id = masked === undefined ? '' : `, error ${masked.id}`;
  return `The tool ${name} is broken (${code}${id}), whatever its arguments are.\n${STATE_AFTER_ROLLBACK[effect]} Do not repeat the call; go on without the tool.`;
}

export function describeInvalidResult(name: string, issues: readonly ParamIssue[], effect: SideEffect): string {
  const shown = issues.slice(0, MAX_RESULT_ISSUES);
  const room = Math.floor(MAX_RESULT_ISSUE_CHARS / shown.length);
  const lines = shown.map(({ path, message }) => `- ${path === '' ? 'result' : path}: ${message}`.slice(0, room));
  return `The tool ${name} gave a result that is not what it declares:\n${lines.join('\n')}\n${STATE_AFTER_ROLLBACK[effect]} This is a fault of the tool; go on without it.`;
}

export function describeWrongParts(name: string, { path, problem }: PartsProblem, effect: SideEffect): string {
  return `The tool ${name} gave content that cannot be shown: ${`${path}: ${problem}`.slice(0, 300)}\n${STATE_AFTER_ROLLBACK[effect]} This is a fault of the tool; go on without it.`;
}

export function describeTimeout(name: string, milliseconds: number, effect: SideEffect): string {
  const next = effect === 'unknown' ? ` ${REPEAT.unknown}` : '';
  return `The tool ${name} timed out after ${String(milliseconds)} ms. ${STATE_AFTER_ROLLBACK[effect]}${next}`;
}

/**
 * Says that a person approved the call with other arguments.
 *
 * @param shown the arguments as JSON, redacted; undefined where nothing can redact them
 */
export function describeEdit(shown: string | undefined): string {
  const named = shown === undefined ? '' : `: ${shown}`;
  return `[A person approved this call with other arguments${named}. Your own arguments were not used.]`;
}

const DENIED_BEFORE: Record<StandingDenial['until'], string> = {
  message:
    'A person has denied the same call before, and is not asked about it again before the next message of the user. ',
  lifted:
    'A person has denied the same call before, and no person is asked about it again until that denial is lifted. ',
};

/** @param until when the denial ends, if it was the answer to an earlier call */
export function describeDenial(name: string, reason: string, until?: StandingDenial['until']): string {
  const before = until === undefined ? '' : DENIED_BEFORE[until];
  return `The call of ${name} was denied: ${reason.slice(0, MAX_ISSUE_CHARS)}\n${before}Nothing was done. Do what the reason asks for, or go on without it.`;
}

export function describeUndecided(name: string, policy: string): string {
  return `The call of ${name} was denied, because the policy ${policy} could not judge it. Nothing was done. The call was valid; go on without it.`;
}

export function describeMissingApproval(name: string): string {
  return `The call of ${name} was denied: it needs an approval, and no approver can give one now. Nothing was done. Go on without it, and say that it remains to be approved.`;
}

export function describePolicyFailure(name: string, policy: string, effect: SideEffect): string {
  return `The tool ${name} ran, but the policy ${policy} could not take note of it. ${STATE_AFTER_ROLLBACK[effect]} The call was valid; go on without it.`;
}

export function describeCallBudget({ used, limit }: LimitState): string {
  return `This run allows ${String(limit)} tool calls, and has had ${String(used)}.`;
}

export function describeConflict(name: string, effect: SideEffect): string {
  return `The state that ${name} had read was changed by another request meanwhile. ${STATE_AFTER_ROLLBACK[effect]} Look again, then call it again.`;
}

export function describeNotRestored(name: string, error: unknown, masked?: MaskedError): string {
  return `The tool ${name} failed: ${describeReasonForModel(error, masked).slice(0, 500)}\nIts changes could not be undone, or only in part. Check the state before you go on.`;
}

/** Returns the message of an error as the model may read it. */
export function describeReasonForModel(error: unknown, masked: MaskedError | undefined): string {
  if (masked === undefined) return messageOf(error);
  const { id, text } = masked;
  return text === undefined ? `error ${id}, which the log of the application explains` : `${text} (error ${id})`;
}

export function describePartialCommit(name: string, error: unknown, masked?: MaskedError): string {
  const why = describeReasonForModel(error, masked);
  return `The tool ${name} ran, but its changes could be kept only in part: ${why.slice(0, 500)}\nCheck the state before you go on.`;
}

/** Appends feedback to the text of a call, in a form that cannot be mistaken for the tool's own text. */
export function appendFeedback(text: string, said: readonly string[]): string {
  return said.map((feedback) => `[Guidance: ${feedback}]`).reduce(appendNote, text);
}

export function appendNote(text: string, note: string): string {
  return text === '' ? note : `${text}\n\n${note}`;
}

/** Presents the sections that the model asked for, and the tools that can be called now. */
export function describeOpened(paths: readonly string[], texts: readonly string[], tools: readonly string[]): string {
  const called = tools.length === 0 ? [] : [`Tools that can be called now as well: ${tools.join(', ')}.`];
  return [`Opened in full: ${paths.join(', ')}.`, ...texts, ...called].join('\n\n');
}

/**
 * Presents what a search found: tools that can be called now, and the section that it opened.
 *
 * @param tools names of tools that the provider offers from now on
 * @param forPrograms tools that only programs may call
 * @param texts the opened section, or nothing
 */
export function describeFound(
  tools: readonly string[],
  forPrograms: readonly ToolView[],
  texts: readonly string[],
  note: string | undefined,
): string {
  const definitions = forPrograms.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema }),
  );
  return [
    tools.length === 0 ? '' : `Tools that can be called now: ${tools.join(', ')}.`,
    definitions.length === 0 ? '' : ['Tools that programs can call now:', ...definitions].join('\n'),
    ...texts,
    note ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function describeNewerTools(): string {
  return 'Nothing was added: the tools that match came after this conversation began, and cannot be added to it. Go on without them.';
}

export function describeSearchLimit({ dimension, used, limit }: LimitState, tokens: number): string {
  if (dimension === 'input_tokens' || dimension === 'total_tokens')
    return `Nothing was added: what was found takes about ${String(tokens)} tokens, more than the ${String(Math.max(0, limit - used))} that are left of this run's ${String(limit)}. Search with a smaller limit, or go on with the tools that you have.`;
  const counted = dimension === 'expansions' ? 'openings of sections and searches that add tools' : 'opened sections';
  return `Nothing was added: this run allows ${String(limit)} ${counted}, and has had ${String(used)}. Go on with the tools that you have.`;
}

/** Says that the found tools or sections could not be rendered. */
export function describeUnfound(): string {
  return 'Nothing was added: what was found cannot be shown now. The call was valid; go on with the tools that you have.';
}

export function describeUnfoundTool(name: string): string {
  return `The tool ${name} cannot be called before a search has found it. Nothing was done. Call search_tools with its name first; then call the tool.`;
}

export function describeNothingToFind(name: string): string {
  return `There is nothing left for ${name}: this prompt cannot be searched any more. Nothing was done.`;
}

export function describeClosedSections({ dimension, used, limit }: LimitState): string {
  const counted = dimension === 'expansions' ? 'openings of sections' : 'opened sections';
  return `Nothing was opened: this run allows ${String(limit)} ${counted}, and has had ${String(used)}. Go on with the summaries, or with fewer sections.`;
}

export function describeTooCostly(costs: readonly SectionCost[], { used, limit }: LimitState): string {
  const left = Math.max(0, limit - used);
  const named = costs.map(({ path, total }) => `${path} (about ${String(total)})`);
  const fitting = costs.flatMap(({ path, total }) => (total <= left ? [path] : []));
  const next =
    fitting.length === 0
      ? 'Go on with the summaries.'
      : `Open only what you need most, such as ${joinBounded(fitting)} alone, or go on with the summaries.`;
  return `Nothing was opened: the tokens of ${joinBounded(named)} are more than the ${String(left)} that are left of this run's ${String(limit)}. ${next}`;
}

/** Says that sections could not be rendered. */
export function describeUnopened(paths: readonly string[]): string {
  return `Nothing was opened: ${joinBounded(paths)} cannot be shown in full now. The call was valid; go on with the summaries.`;
}

export function describeNotStarted(name: string): string {
  return `The call of ${name} was not started, because sections were opened or tools were added before its turn. Nothing was done. Read what came first, then call it again if it is still right.`;
}

/**
 * Says that the run ended before it ran a call of the model.
 *
 * @param limit the budget or deadline that ended the run, as a sentence; undefined for any other cause
 */
export function describeNotRun(name: string, limit: string | undefined): string {
  const why = limit === undefined ? '' : ` ${limit}`;
  return `The call of ${name} was not run: the run ended before it.${why} Nothing was done.`;
}

export function describeUnknownEffect(name: string): string {
  return `The run ended while ${name} was running. It is not known whether it had an effect: check before you call it again.`;
}

export function describeClosedTool(name: string, section: string): string {
  return `The tool ${name} belongs to the section ${JSON.stringify(section)}, which is closed. Nothing was done. Open the section first, with open_sections, and read it; then call the tool.`;
}

export function describeNotRehearsed(name: string): string {
  return `The call of ${name} was not run: this is a rehearsal, the tool may act outside of it, and it declares no preview.`;
}

export function describeWithdrawnTool(name: string): string {
  return `The tool ${name} is not available any more in this conversation. Nothing was done. Go on without it.`;
}

export function describeAllOpen(name: string): string {
  return `There is nothing left for ${name}: every section is open. Its text is in this conversation, or follows the next message. Nothing was done.`;
}

export function describeToolChanges({ added, removed }: ToolChanges): string {
  const parts = [
    removed.length === 0 ? '' : `Not available any more: ${removed.join(', ')}. Calls of them are refused.`,
    added.length === 0 ? '' : `Available from now on: ${added.join(', ')}.`,
  ];
  return `[${parts.filter((part) => part !== '').join(' ')}]`;
}
