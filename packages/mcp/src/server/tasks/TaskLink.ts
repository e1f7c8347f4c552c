import type { InputRequest } from '@modelcontextprotocol/server';
import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import type { ClientCapability, ClientLink, McpPeer } from '../McpClient.js';
import { McpServerError } from '../McpServerError.js';
import { CAPABILITY, nameQuestion } from '../stateless/nameQuestion.js';
import { AnswerMissing } from './AnswerMissing.js';
import type { AnswerSheet, TaskClientInfo } from './TaskInput.js';

/** The questions of a task and their answers. */
export interface TaskQuestions {
  readonly answers: AnswerSheet;
  /** Receives the questions without an answer. */
  readonly asked: Map<string, InputRequest>;
}

/** Returns the peer that created a task, without the fields that are not stored. */
export function toPeer({ transport, principal }: TaskClientInfo): McpPeer {
  return { transport, principal, sessionId: undefined, authInfo: undefined, headers: {} };
}

/**
 * Creates the connection of one attempt of a task's call to its client. The client reads the questions in the state of the task, and answers
 * in a later request.
 */
export function createTaskLink(client: TaskClientInfo, { answers, asked }: TaskQuestions): ClientLink {
  const supports = (capability: ClientCapability): boolean => client.capabilities[capability] !== undefined;
  let position = 0;
  const ask = async <T>(request: InputRequest, given: string | undefined): Promise<T> => {
    const place = request.method;
    const capability = CAPABILITY[place];
    if (!supports(capability))
      throw new McpServerError(`the client did not declare the capability ${capability}`, { code: 'E693', place });
    const key = given ?? nameQuestion(position, request);
    position++;
    const answer = answers.find(key, request);
    if (answer !== undefined) return answer as T;
    asked.set(key, request);
    // A handler may ask several questions at the same time: all of them are asked.
    await new Promise((resolve) => setImmediate(resolve));
    throw new AnswerMissing();
  };
  return {
    peer: toPeer(client),
    info: client.info as Implementation | undefined,
    authInfo: undefined,
    headers: {},
    supports,
    log: () => Promise.resolve(),
    elicit: (params, { key }) => ask({ method: 'elicitation/create', params: { mode: 'form', ...params } }, key),
    sample: (params, { key }) => ask({ method: 'sampling/createMessage', params } as InputRequest, key),
    listRoots: ({ key }) => ask({ method: 'roots/list' }, key),
    closeStream: () => undefined,
    continueAsTask: () => Promise.resolve(),
  };
}
