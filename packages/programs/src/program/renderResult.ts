import { measureJson, shortenValue, ensureWellFormed } from 'toolwright/internal';
import type { ExecutionResult, ProgramCall, ProgramFault } from '../ExecutionResult.js';

/** Renders the result of a program for the model: its status, output and value. */
export function renderResult(
  { status, output, errorOutput, returnValue, error, toolCalls }: Omit<ExecutionResult, 'toModelText'>,
  maxValueChars: number,
): string {
  const parts = [
    renderHead(status, error, toolCalls),
    ...(output === '' ? [] : [`Output:\n${output.trimEnd()}`]),
    ...(errorOutput === '' ? [] : [`Warnings and errors:\n${errorOutput.trimEnd()}`]),
    ...(returnValue === undefined || status !== 'completed' ? [] : [renderValue(returnValue, maxValueChars)]),
    ...(status === 'completed' ? [] : [renderState(toolCalls)]),
  ];
  return ensureWellFormed(parts.filter((part) => part !== '').join('\n\n'));
}

function renderHead(
  status: ExecutionResult['status'],
  error: ProgramFault | null,
  calls: readonly ProgramCall[],
): string {
  if (status === 'paused') return renderPause(calls);
  if (error === null) return 'The program completed.';
  const { kind, message, line, column, snippet, hint } = error;
  const place = line === null ? '' : ` at line ${String(line)}, column ${String(column ?? 1)}`;
  const verb = status === 'timed_out' ? 'timed out' : status === 'cancelled' ? 'was cancelled' : 'failed';
  const shown = snippet === null ? '' : `\n  ${snippet}`;
  return `The program ${verb} (${kind})${place}: ${message}${shown}${hint === null ? '' : `\nHint: ${hint}`}`;
}

function renderPause(calls: readonly ProgramCall[]): string {
  const pending = calls
    .filter(({ status }) => status === 'pending')
    .map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  return `The program is paused: ${pending.join(', ')} waits for an approval, and no approver can give one now. Do not repeat it; say that it remains to be approved.`;
}

function renderValue(value: unknown, maxChars: number): string {
  // Measured first: writing a value of megabytes only to shorten it would hold the host.
  if (measureJson(value, maxChars) <= maxChars)
    return `Value:\n${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return `Value (shown up to ${String(maxChars)} characters):\n${shortenValue(value, maxChars)}`;
}

/** States whether the changes of the calls remain. */
function renderState(calls: readonly ProgramCall[]): string {
  const done = calls.filter(({ status }) => status === 'ok');
  if (done.length === 0) return '';
  return done.some(({ rolledBack }) => rolledBack === true)
    ? 'Everything that its tool calls had changed was taken back.'
    : `What these calls changed stays: ${done.map(({ name }) => name).join(', ')}.`;
}
