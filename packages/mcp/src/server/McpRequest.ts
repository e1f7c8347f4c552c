import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  RequestId,
  Result,
  ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpClient } from './McpClient.js';
import type { TaskAnswers, TaskClientInfo } from './tasks/TaskInput.js';

/** The result that asks the client for input: the request is to be repeated with the answers. */
export interface InputRequired extends Result {
  readonly resultType: 'input_required';
}

/** The result that tells the client that its call has become a task. */
export interface TaskStarted extends Result {
  readonly resultType: 'task';
}

/** Starts a task in place of a call, with the answers that the client has given. Its result is an error if there are too many tasks. */
export type StartTask = (answers: TaskAnswers) => Promise<TaskStarted | CallToolResult>;

/** The requests that may ask the client for input. */
type AskingMethod = 'tools/call' | 'prompts/get' | 'resources/read';

/** The subject of an asking request. Answers are valid only for the same subject. */
export interface AskingSubject {
  readonly method: AskingMethod;
  /** The name of the tool or prompt, or the URI. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One run of an asking request. */
export interface AskingScope {
  /** Aborts when the client cancels, and when a question ends this run. */
  readonly signal: AbortSignal;
  /** The id of the call's run, which stays the same when the request is repeated with answers; undefined for a new one. */
  readonly runId: string | undefined;
}

/** A request of a client, in a common form for all revisions of the protocol. */
export interface McpRequest {
  readonly id: RequestId;
  readonly client: McpClient;
  /** The arguments of a tool call, as they were sent. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Sends a notification that belongs to this request. */
  readonly notify: (notification: ServerNotification) => Promise<void>;
  /**
   * Runs a request that may ask the client.
   *
   * @param run must not have effects that outlast an abort of its signal, unless it returns a result without `isError`
   * @param startTask starts a task if the run asks for it; undefined if it may not become one
   */
  runAsking<T extends CallToolResult | GetPromptResult | ReadResourceResult, S = never>(
    subject: AskingSubject,
    run: (asking: AskingScope) => Promise<T>,
    startTask?: (answers: TaskAnswers) => Promise<S>,
  ): Promise<T | InputRequired | S>;
  /** The client, if it can follow tasks. */
  readonly taskClient?: TaskClientInfo | undefined;
}
