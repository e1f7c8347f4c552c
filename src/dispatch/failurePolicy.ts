import { isInstance } from '../common/classes.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { DeadlineExceededError, ToolRefusal, ToolValidationError } from '../error/toolErrors.js';
import { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import type { ToolMetadata } from '../metadata/ToolMetadata.js';
import type { CallEffect, FailureKind } from '../value/ToolOutcome.js';
import { ToolResult } from '../value/ToolResult.js';
import { Cancelled, TimedOut } from './raceHandler.js';
import { rejectedText, thrownText, timedOutText } from './messages.js';

/** What becomes of a call whose handler threw: a failed result for the model, or an error that leaves the dispatcher. */
export type Verdict =
  | { readonly leaves: false; readonly kind: FailureKind; readonly result: ToolResult; readonly effect?: CallEffect }
  | { readonly leaves: true; readonly kind: FailureKind; readonly error: unknown };

interface Row {
  readonly when: (thrown: unknown) => boolean;
  readonly verdict: (thrown: never, tool: ToolMetadata) => Verdict;
}

const failed = (message: string, value?: unknown): Verdict => ({
  leaves: false,
  kind: 'failed',
  result: ToolResult.error(message, { value }),
});

/**
 * The failure table (docs/contract.md, 7): which exceptions leave the dispatcher, and what the model reads otherwise.
 * The first row that fits counts; the last one fits everything. Nothing else decides what escapes.
 */
const table: readonly Row[] = [
  {
    when: VisibilityExpansionRequired.is,
    verdict: (error: VisibilityExpansionRequired) => ({ leaves: true, kind: 'expanded', error }),
  },
  {
    when: PromptEvaluationError.is,
    verdict: (error: PromptEvaluationError) => ({ leaves: true, kind: 'failed', error }),
  },
  {
    when: DeadlineExceededError.is,
    verdict: (cause: DeadlineExceededError, tool) => ({
      leaves: true,
      kind: 'timed_out',
      error: new PromptEvaluationError(`The deadline passed while ${tool.name} was running.`, {
        phase: 'tool',
        code: 'E605',
        place: tool.place,
        cause,
      }),
    }),
  },
  {
    when: (thrown) => isInstance(thrown, Cancelled),
    verdict: ({ reason }: Cancelled) => ({ leaves: true, kind: 'failed', error: reason }),
  },
  {
    when: (thrown) => isInstance(thrown, TimedOut),
    verdict: ({ milliseconds }: TimedOut, tool) => {
      const effect = tool.hints.readOnly === true ? 'none' : 'unknown';
      return {
        leaves: false,
        kind: 'timed_out',
        effect,
        result: ToolResult.error(timedOutText(tool.name, milliseconds, effect)),
      };
    },
  },
  { when: ToolRefusal.is, verdict: ({ message, value }: ToolRefusal) => failed(message, value) },
  {
    when: ToolValidationError.is,
    verdict: ({ message, issues }: ToolValidationError, tool) =>
      failed(rejectedText(tool.name, [{ kind: 'constraint', path: '', message }, ...issues])),
  },
  { when: () => true, verdict: (thrown: unknown, tool) => failed(thrownText(tool.name, thrown)) },
];

/** Looks the exception up in the table. */
export function judge(thrown: unknown, tool: ToolMetadata): Verdict {
  const row = table.find(({ when }) => when(thrown));
  return row === undefined ? failed(thrownText(tool.name, thrown)) : row.verdict(thrown as never, tool);
}
