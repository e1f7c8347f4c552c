import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Field } from 'toolwright';
import type { InputRequests } from './TaskInput.js';

/** An error of the protocol, as a failed task shows it. */
export interface TaskError {
  readonly code: number;
  readonly message: string;
}

/** How a run of a task ended: with the result of the call, with questions to the client, or without a call. */
export type TaskReport =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'error'; readonly error: TaskError }
  | { readonly kind: 'asked'; readonly requests: InputRequests }
  | { readonly kind: 'ended' };

/**
 * The final answer of a run of a task, in place of the output that its prompt declares. A report is written as text, because results have
 * no schema in common.
 */
export class TaskAnswer {
  @Field({ description: 'A report in JSON', type: String })
  readonly report!: string;
}

/** Writes a report as the answer of a model. */
export function writeReport(report: TaskReport): string {
  return JSON.stringify({ report: JSON.stringify(report) });
}

/** Reads the report from the answer of a run. */
export function readReport(text: string): TaskReport {
  const { report } = JSON.parse(text) as TaskAnswer;
  return JSON.parse(report) as TaskReport;
}
