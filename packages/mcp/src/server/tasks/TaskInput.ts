import type { JsonValue } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import type { McpPeer } from '../McpClient.js';
import { createForeignRunError } from './taskErrors.js';

/** A question to the client, as the protocol sends it. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage';
  readonly params: Readonly<Record<string, JsonValue>>;
}

/** Questions, or answers to them, by their keys. */
export type InputRequests = Readonly<Record<string, InputRequest>>;
export type InputResponses = Readonly<Record<string, JsonValue>>;

/** The client that created a task, as far as it is stored: neither headers nor tokens. */
export interface TaskClientInfo {
  readonly transport: McpPeer['transport'];
  readonly principal?: string | undefined;
  readonly capabilities: Readonly<Record<string, JsonValue>>;
  readonly info?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The call of a task: the input of its first run. */
export interface TaskCall {
  readonly kind: 'call';
  readonly tool: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly client: TaskClientInfo;
  /** Answers that the client gave before the task began. */
  readonly answers: InputResponses;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The input of a run of a task. The first run has the call. Each later run brings answers of the client, or its wish to cancel, and is
 * carried out after the runs before it.
 */
export type TaskInput =
  TaskCall | { readonly kind: 'answers'; readonly answers: InputResponses } | { readonly kind: 'cancel' };

const KINDS: ReadonlySet<unknown> = new Set(['call', 'answers', 'cancel']);

/** Reads the input of a run. @throws McpServerError E931 for a run that is not one of a task */
export function readTaskInput(run: { readonly id: string; readonly input: JsonValue }): TaskInput {
  const { id, input } = run;
  if (isRecord(input) && KINDS.has(input['kind'])) return input as unknown as TaskInput;
  throw createForeignRunError(id);
}

/** Returns the answers of all runs of a task by key. The first answer to a question counts. */
export function collectAnswers(inputs: readonly TaskInput[]): ReadonlyMap<string, JsonValue> {
  const answers = new Map<string, JsonValue>();
  for (const input of inputs) {
    if (input.kind === 'cancel') continue;
    for (const [key, answer] of Object.entries(input.answers)) if (!answers.has(key)) answers.set(key, answer);
  }
  return answers;
}
