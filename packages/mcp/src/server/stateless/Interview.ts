import {
  type ClientCapabilities,
  type InputRequest,
  MissingRequiredClientCapabilityError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import { createProtocolError } from '../createProtocolError.js';
import type { ClientCapability } from '../McpClient.js';
import type { AskingScope, AskingSubject, InputRequired } from '../McpRequest.js';
import { McpServerError } from '../McpServerError.js';
import type { TaskAnswers } from '../tasks/TaskInput.js';
import { isAnswer } from './isAnswer.js';
import { CAPABILITY, nameQuestion } from './nameQuestion.js';
import { type AnswerOwner, type AnswerVault, bindAnswers, type StateFault } from './AnswerVault.js';
import { digest, type KeptAnswer } from './digest.js';

/** The request that is answered, and the answers that it carries. */
export interface InterviewParts extends AnswerOwner {
  readonly vault: AnswerVault;
  readonly capabilities: ClientCapabilities;
  /** The answers of this round, as the client sent them. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** The state that the client got in the last round; undefined in the first one. */
  readonly state: unknown;
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
}

const REFUSALS: Readonly<Record<StateFault, string>> = {
  forged: 'requestState is not of this server, or belongs to another request. Send the request again without it.',
  expired: 'requestState has expired. Send the request again without it.',
  used: 'requestState was used before. Send the request again without it.',
};

/**
 * Asks the client of one request. A question without an answer ends the run, which is rolled back; the client sends the request again
 * with the answer, and the run begins anew.
 */
export class Interview {
  readonly #parts: InterviewParts;
  readonly #asking = new AbortController();
  readonly #kept = new Map<string, KeptAnswer>();
  readonly #open = new Map<string, InputRequest>();
  #asked = 0;
  #mayBeTask = false;
  /** True if the run has asked to go on as a task. */
  #isTask = false;
  #missing: ClientCapability | undefined;

  constructor(parts: InterviewParts) {
    this.#parts = parts;
  }

  supports(capability: ClientCapability): boolean {
    return this.#parts.capabilities[capability] !== undefined;
  }

  /**
   * Returns the answer to a question, or ends the run.
   *
   * @param key the name of the question in the protocol; when left out, its position and digest
   * @throws McpServerError E693 if the client does not support the question, E697 if the run ends to ask it
   */
  async ask<T>(request: InputRequest, key?: string): Promise<T> {
    const place = request.method;
    const capability = CAPABILITY[place];
    if (!this.supports(capability)) {
      this.#missing ??= capability;
      throw new McpServerError(`the client did not declare the capability ${capability}`, { code: 'E693', place });
    }
    const question = digest(request);
    const id = key ?? nameQuestion(this.#asked, request);
    this.#asked++;
    const known = this.#findAnswer(id, question, request);
    if (known !== undefined) return known as T;
    this.#asking.signal.throwIfAborted();
    this.#open.set(id, request);
    return this.#endRun(place);
  }

  /** Ends the run, which begins anew as a task. Does nothing if the request cannot become a task. */
  async continueAsTask(): Promise<void> {
    if (!this.#mayBeTask) return;
    this.#asking.signal.throwIfAborted();
    this.#isTask = true;
    await this.#endRun('client.continueAsTask');
  }

  /**
   * Runs a request with the answers so far. Returns its result, the questions that ended it, or the task that it has become.
   *
   * @param startTask starts a task in place of the run; undefined if none may be started
   * @throws McpError -32602 for a state that is not valid, -32021 if the client lacks a capability
   */
  async conduct<T extends CallToolResult | GetPromptResult | ReadResourceResult, S = never>(
    subject: AskingSubject,
    run: (asking: AskingScope) => Promise<T>,
    startTask?: (answers: TaskAnswers) => Promise<S>,
  ): Promise<T | InputRequired | S> {
    this.#mayBeTask = startTask !== undefined;
    const { signal: outer } = this.#parts;
    const binding = bindAnswers(this.#parts, subject);
    const runId = (await this.#readState(binding)) ?? randomUUID();
    const { signal } = this.#asking;
    // Cheaper than `AbortSignal.any`, for requests that ask nothing.
    const leave = (): void => this.#asking.abort(outer.reason);
    if (outer.aborted) leave();
    else outer.addEventListener('abort', leave, { once: true });
    try {
      const running = run({ signal, runId });
      const result = await (subject.method === 'tools/call'
        ? running
        : Promise.race([running, this.#rejectWhenAsking()]));
      if (!isFailure(result)) return result;
      if (!this.#isEnded) {
        this.#refuseMissing();
        return result;
      }
    } catch (error) {
      if (outer.aborted || !this.#isEnded) {
        this.#refuseMissing();
        throw error;
      }
    }
    return this.#open.size === 0 && startTask !== undefined
      ? startTask(Object.fromEntries(this.#kept))
      : this.#require(binding, runId);
  }

  /** True if a question, or a task, has ended the run. */
  get #isEnded(): boolean {
    return this.#isTask || this.#open.size > 0;
  }

  /** Aborts the run. Questions that are asked at the same time are sent together. */
  #endRun(place: string): Promise<never> {
    queueMicrotask(() => this.#asking.abort(this.#createEnd(place)));
    return new Promise((_resolve, reject) => {
      const { signal } = this.#asking;
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  /** Calls are rolled back by their dispatcher, and then reject. Other requests have no effects, and end at once. */
  #rejectWhenAsking(): Promise<never> {
    return new Promise((_resolve, reject) => {
      const { signal } = this.#asking;
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  #require(binding: string, runId: string): InputRequired {
    const answers = Object.fromEntries(this.#kept);
    const requestState = this.#parts.vault.close({ runId, answers }, binding);
    if (requestState === undefined)
      throw createProtocolError(ProtocolErrorCode.InvalidParams, 'The answers so far are too large to be kept.');
    return { resultType: 'input_required', inputRequests: Object.fromEntries(this.#open), requestState };
  }

  async #readState(binding: string): Promise<string | undefined> {
    const { state, vault } = this.#parts;
    if (state === undefined) return undefined;
    const read = await vault.open(state, binding);
    if (typeof read === 'string')
      throw createProtocolError(ProtocolErrorCode.InvalidParams, REFUSALS[read], {
        reason: 'invalid_request_state',
        code: 'E696',
        docs: 'docs/errors.md#e696',
      });
    for (const [key, answer] of Object.entries(read.answers)) this.#kept.set(key, answer);
    return read.runId;
  }

  /** Finds the answer to the same question; a question that has changed is asked again. */
  #findAnswer(id: string, question: string, request: InputRequest): unknown {
    const kept = this.#kept.get(id);
    if (kept?.question === question) return kept.answer;
    const { responses } = this.#parts;
    const answer = Object.hasOwn(responses, id) ? responses[id] : undefined;
    if (!isAnswer(request, answer)) return undefined;
    this.#kept.set(id, { question, answer });
    return answer;
  }

  #refuseMissing(): void {
    if (this.#missing === undefined) return;
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [this.#missing]: {} } });
  }

  #createEnd(place: string): McpServerError {
    return new McpServerError('the call ends here, and runs again with the answer', { code: 'E697', place });
  }
}

function isFailure(result: object): boolean {
  return 'isError' in result && result.isError === true;
}
