import type { Message, ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import { readReport, type TaskReport, writeReport } from './TaskReport.js';
import type { AnswerSheet, TaskRequest } from './TaskInput.js';

/** The work of a task's run. */
export interface TaskRound {
  readonly call: TaskRequest;
  /** All answers of the client so far. */
  readonly answers: AnswerSheet;
  /** True if the call must not run any more. */
  readonly isOver: boolean;
  /** Reports how the call ended, from its recorded message; undefined if it must run again. */
  report(message: Extract<Message, { readonly role: 'tool' }>): TaskReport | undefined;
}

/**
 * Plays the model of a run of a task: makes the one call, and then reports how it ended. So the log, the leases and the recovery of durable
 * runs hold for tasks.
 */
export class TaskModel implements ModelAdapter {
  readonly name = 'mcp task (not a model)';
  readonly takesOutputSchema = true;
  readonly #round: TaskRound;

  constructor(round: TaskRound) {
    this.#round = round;
  }

  complete({ messages }: ModelRequest): Promise<ModelResponse> {
    const report = this.#report(messages);
    return Promise.resolve(report === undefined ? this.#makeCall(messages.length) : say(report));
  }

  /** Returns the report that ends the run; undefined if the call is to be made. */
  #report(messages: readonly Message[]): TaskReport | undefined {
    const last = messages.at(-1);
    if (last?.role === 'tool') return this.#round.report(last);
    if (this.#round.isOver) return { kind: 'ended' };
    const before = findReport(messages);
    return before === undefined || this.#mayRepeat(before) ? undefined : before;
  }

  #makeCall(count: number): ModelResponse {
    const { tool: name, arguments: given } = this.#round.call;
    const call = { id: `task-${String(count)}`, name, arguments: given };
    return { text: null, toolCalls: [call], finishReason: 'tool_calls' };
  }

  /** The call runs again if all its questions have answers. */
  #mayRepeat(before: TaskReport): boolean {
    return before.kind === 'asked' && this.#round.answers.listOpen(before.requests).length === 0;
  }
}

function say(report: TaskReport): ModelResponse {
  return { text: writeReport(report), toolCalls: [], finishReason: 'stop' };
}

/** Returns the report of the last run of the task; undefined for the first run. */
function findReport(messages: readonly Message[]): TaskReport | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'assistant' || message.content === null) continue;
    if ((message.toolCalls ?? []).length === 0) return readReport(message.content);
  }
  return undefined;
}
