import { jsonLength, shortenValue, wellFormed } from 'toolwright/internal';
import type { ExecutionResult, ProgramCall, ProgramFault } from '../ExecutionResult.js';

/** Renders the result of a program for the model: its status, output and value. */
export function resultText(
  { status, output, errorOutput, returnValue, error, toolCalls }: Omit<ExecutionResult, 'toModelText'>,
  maxValueChars: number,
): string {
  const parts = [
    eventHead(status, error, toolCalls),
    ...(output === '' ? [] : [`Output:\n${output.trimEnd()}`]),
    ...(errorOutput === '' ? [] : [`Warnings and errors:\n${errorOutput.trimEnd()}`]),
    ...(returnValue === undefined || status !== 'completed' ? [] : [valueText(returnValue, maxValueChars)]),
    ...(status === 'completed' ? [] : [stateText(toolCalls)]),
  ];
  return wellFormed(parts.filter((part) => part !== '').join('\n\n'));
}

function eventHead(
  status: ExecutionResult['status'],
  error: ProgramFault | null,
  calls: readonly ProgramCall[],
): string {
  if (status === 'paused') return pauseText(calls);
  if (error === null) return 'The program completed.';
  const { kind, message, line, column, snippet, hint } = error;
  const place = line === null ? '' : ` at line ${String(line)}, column ${String(column ?? 1)}`;
  const verb = status === 'timed_out' ? 'timed out' : status === 'cancelled' ? 'was cancelled' : 'failed';
  const shown = snippet === null ? '' : `\n  ${snippet}`;
  return `The program ${verb} (${kind})${place}: ${message}${shown}${hint === null ? '' : `\nHint: ${hint}`}`;
}

function pauseText(calls: readonly ProgramCall[]): string {
  const pending = calls
    .filter(({ status }) => status === 'pending')
    .map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  return `The program is paused: ${pending.join(', ')} waits for an approval, and no approver can give one now. Do not repeat it; say that it remains to be approved.`;
}

function valueText(value: unknown, maxChars: number): string {
  // Counted first: to write a value of megabytes as a whole, and read it again to shorten it, would hold the host.
  if (jsonLength(value, maxChars) <= maxChars)
    return `Value:\n${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return `Value (shown up to ${String(maxChars)} characters):\n${shortenValue(value, maxChars)}`;
}

/** States whether the changes of the calls remain. */
function stateText(calls: readonly ProgramCall[]): string {
  const done = calls.filter(({ status }) => status === 'ok');
  if (done.length === 0) return '';
  return done.some(({ rolledBack }) => rolledBack === true)
    ? 'Everything that its tool calls had changed was taken back.'
    : `What these calls changed stays: ${done.map(({ name }) => name).join(', ')}.`;
}
