import type { InputRequest } from '@modelcontextprotocol/server';
import type { JsonValue } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import type { McpPeer } from '../McpClient.js';
import { digest, type KeptAnswer } from '../stateless/digest.js';
import { createForeignRunError } from './taskErrors.js';

/** Questions to a client, as the protocol sends them, by their keys. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** Answers of a client by the keys of their questions, each with the digest of its question. */
export type TaskAnswers = Readonly<Record<string, KeptAnswer>>;

/** The client that created a task, as far as it is stored: neither headers nor tokens. */
export interface TaskClientInfo {
  readonly transport: McpPeer['transport'];
  readonly principal?: string | undefined;
  /** The scopes of the token that created the task, separated by spaces. */
  readonly scopes?: string | undefined;
  readonly capabilities: Readonly<Record<string, JsonValue>>;
  readonly info?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The call of a task: the input of its first run. */
export interface TaskRequest {
  readonly kind: 'call';
  readonly tool: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly client: TaskClientInfo;
  /** Answers that the client gave before the task began. */
  readonly answers: TaskAnswers;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The input of a run of a task. The first run has the call. Each later run brings answers of the client, or its wish to cancel, and is
 * carried out after the runs before it.
 */
export type TaskInput =
  TaskRequest | { readonly kind: 'answers'; readonly answers: TaskAnswers } | { readonly kind: 'cancel' };

const KINDS: ReadonlySet<unknown> = new Set(['call', 'answers', 'cancel']);

/** Reads the input of a run. @throws McpServerError E931 for a run that is not one of a task */
export function readTaskInput(run: { readonly id: string; readonly input: JsonValue }): TaskInput {
  const { id, input } = run;
  if (isRecord(input) && KINDS.has(input['kind'])) return input as unknown as TaskInput;
  throw createForeignRunError(id);
}

/** The answers of a client to the questions of a task. The first answer to a question counts. */
export class AnswerSheet {
  readonly #answers = new Map<string, unknown>();

  /** @param inputs the inputs of the runs of the task, in their order */
  constructor(inputs: readonly TaskInput[]) {
    for (const input of inputs) {
      if (input.kind === 'cancel') continue;
      for (const [key, { question, answer }] of Object.entries(input.answers)) {
        const id = `${question} ${key}`;
        if (!this.#answers.has(id)) this.#answers.set(id, answer);
      }
    }
  }

  /** Returns the answer to a question; undefined without one, also if the question of this key has changed. */
  find(key: string, request: InputRequest): unknown {
    return this.#answers.get(`${digest(request)} ${key}`);
  }

  /** Returns the questions that have no answer. */
  listOpen(requests: InputRequests): readonly (readonly [string, InputRequest])[] {
    return Object.entries(requests).filter(([key, request]) => this.find(key, request) === undefined);
  }
}
