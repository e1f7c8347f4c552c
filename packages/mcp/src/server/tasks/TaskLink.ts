import { createHash } from 'node:crypto';
import type { CreateMessageResult, ElicitResult, Implementation } from '@modelcontextprotocol/sdk/types.js';
import { type JsonValue, ToolRefusal } from 'toolwright';
import type { ClientLink, McpPeer } from '../McpClient.js';
import type { InputRequest, TaskClientInfo } from './TaskInput.js';

const IS_ASKED = 'The client is asked. The call is rolled back, and runs again with the answer.';

/** Ends a call that asks its client, whose answer has not come. The call is rolled back, and runs again with the answer. */
export class AnswerMissing extends ToolRefusal {
  constructor() {
    super(IS_ASKED);
  }
}

/** Checks the recorded text of a call that failed: true if it ended because it asks its client. */
export function isAboutAnswer(text: string): boolean {
  return text.includes(IS_ASKED);
}

/** The questions of a task and their answers. */
export interface TaskQuestions {
  /** The answers that have come, by key. */
  readonly answers: ReadonlyMap<string, JsonValue>;
  /** Receives the questions without an answer. */
  readonly asked: Map<string, InputRequest>;
}

/** Returns the peer that created a task, without what is not stored. */
export function toPeer({ transport, principal }: TaskClientInfo): McpPeer {
  return { transport, principal, sessionId: undefined, authInfo: undefined, headers: {} };
}

/**
 * Creates the connection of one attempt of a task's call to its client. The client is asked by the state of the task, and answers in a later
 * request.
 */
export function createTaskLink(client: TaskClientInfo, questions: TaskQuestions): ClientLink {
  const counts = new Map<string, number>();
  const ask = async (method: InputRequest['method'], capability: string, params: object): Promise<JsonValue> => {
    if (client.capabilities[capability] === undefined) throw new Error(`it does not support ${capability}`);
    const request: InputRequest = { method, params: JSON.parse(JSON.stringify(params)) as InputRequest['params'] };
    const text = JSON.stringify(request);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const key = makeKey(text, count);
    const answer = questions.answers.get(key);
    if (answer !== undefined) return answer;
    questions.asked.set(key, request);
    // A handler may ask several questions at the same time: all of them are asked.
    await new Promise((resolve) => setImmediate(resolve));
    throw new AnswerMissing();
  };
  return {
    peer: toPeer(client),
    info: client.info as Implementation | undefined,
    authInfo: undefined,
    headers: {},
    log: () => Promise.resolve(),
    elicit: async (params) =>
      (await ask('elicitation/create', 'elicitation', { mode: 'form', ...params })) as unknown as ElicitResult,
    sample: async (params) =>
      (await ask('sampling/createMessage', 'sampling', params)) as unknown as CreateMessageResult,
    closeStream: () => undefined,
  };
}

/** Makes the key of a question, which is the same when the call runs again and asks the same. */
function makeKey(request: string, count: number): string {
  return createHash('sha256')
    .update(`${String(count)} ${request}`)
    .digest('base64url')
    .slice(0, 22);
}
