import { getApplicationParts } from 'toolwright/internal';
import type { Application, Message, ModelAdapter, ModelResponse, ToolCall } from 'toolwright';
import type { BundleRecording } from 'toolwright/bundles';
import { rehearseRun, type RunRehearsalOptions } from 'toolwright/own-loop';
import { textOf } from './readBody.js';
import { readForkChoices, isOfUser, type ForkChoices } from './readForkChoices.js';
import { writeForkMetadata } from './Timeline.js';
import { InspectorError, convertErrors } from './InspectorError.js';
import type { Moment, Moments } from './Moments.js';
import type { EntrySource } from './EntrySource.js';

type Body = Readonly<Record<string, unknown>>;

/** The model adapter that answers forks, or a function that returns it, or undefined if there is none. */
export type ForkAdapter = ModelAdapter | (() => ModelAdapter | undefined | Promise<ModelAdapter | undefined>);

interface ForkParts {
  readonly app: Application;
  readonly live: EntrySource;
  readonly moments: Moments;
  readonly recording: BundleRecording;
  readonly adapter: ForkAdapter | undefined;
}

type Start = Pick<RunRehearsalOptions, 'messages' | 'overrides'> & {
  readonly moment: Moment;
  /** The answer that takes the place of the model's first one. */
  readonly answer?: ModelResponse | undefined;
};

/** Forks runs: continues a recorded run from a moment with another answer or text. A fork works on a copy, which is then discarded. */
export class ForkDesk {
  readonly #parts: ForkParts;
  readonly #closing = new AbortController();

  constructor(parts: ForkParts) {
    this.#parts = parts;
  }

  /** Lists the parts that may be changed at an entry of a run. @throws InspectorError 404, 409 */
  choices(seq: number): ForkChoices {
    const { live, moments } = this.#parts;
    const choices = readForkChoices(live, seq, (run) => this.#requireMoment(run, 1).prompt);
    const { outcome, run, turn } = choices;
    const isSent =
      outcome && moments.of(run, turn + 1)?.messages.some((message) => isAnswerTo(message, outcome.callId));
    this.#requireMoment(run, turn);
    return isSent === true ? choices : { ...choices, outcome: undefined };
  }

  /** Returns the model adapter that answers forks. @throws InspectorError 409 without one */
  async adapter(): Promise<ModelAdapter> {
    const { adapter } = this.#parts;
    const given = await convertErrors(async () => (typeof adapter === 'function' ? adapter() : adapter));
    if (given !== undefined) return given;
    const remedy = 'Export adapter from the module that --app names, or give serveInspector an adapter.';
    throw new InspectorError(409, 'the application has no adapter, so no model could answer', 'adapter', remedy);
  }

  /** Starts a fork; resolves with its first entry once it has begun. @throws InspectorError 400, 404, 409, 422 */
  async start(seq: number, body: Body): Promise<{ readonly seq: number; readonly run: string }> {
    const { app, live, moments, recording } = this.#parts;
    const adapter = await this.adapter();
    const choices = this.choices(seq);
    const { moment, answer, ...start } = this.#start(choices, body);
    const run = getApplicationParts(app).services.ids();
    const begun = live.waitForRun(run);
    const fork = rehearseRun(app, moment.prompt, {
      ...start,
      session: moment.session,
      runId: run,
      signal: this.#closing.signal,
      runMetadata: { ...moment.metadata, ...writeForkMetadata(choices.run, choices.seq) },
      adapter: answer === undefined ? adapter : answerFirst(adapter, answer),
      interceptors: [recording.interceptor, moments],
      onEvent: recording.onEvent,
    });
    // Errors after the first entry are part of the recorded run.
    const ended = fork.then(() => begun.seq);
    ended.catch(() => undefined);
    try {
      return { run, seq: await convertErrors(Promise.race([begun.seq, ended])) };
    } finally {
      begun.stop();
    }
  }

  /** Ends the forks that still run. */
  close(): void {
    this.#closing.abort(new DOMException('The inspector was closed.', 'AbortError'));
  }

  #start(choices: ForkChoices, body: Body): Start {
    const { run, turn } = choices;
    const moment = this.#requireMoment(run, turn);
    switch (body['kind']) {
      case 'section':
        return {
          moment,
          messages: removeMarks(moment.messages),
          overrides: { sections: { [textOf(body, 'path')]: { body: textOf(body, 'text') } } },
        };
      case 'message': {
        const first = this.#requireMoment(run, 1);
        return { moment: first, messages: removeMarks(withMessage(first.messages, textOf(body, 'text'))) };
      }
      case 'outcome': {
        if (choices.outcome === undefined) throw new InspectorError(409, 'the run did not continue after this call');
        const next = this.#requireMoment(run, turn + 1);
        return {
          moment: next,
          messages: removeMarks(withOutcome(next.messages, choices.outcome.callId, textOf(body, 'text'))),
        };
      }
      case 'answer':
        return startFromAnswer(moment, body);
      default:
        throw new InspectorError(400, 'expected kind as answer, outcome, message or section', 'kind');
    }
  }

  /** @throws InspectorError 404 */
  #requireMoment(run: string, turn: number): Moment {
    const moment = this.#parts.moments.of(run, turn);
    if (moment !== undefined) return moment;
    const place = `run ${run}, request ${String(turn)}`;
    throw new InspectorError(404, 'this request was made before the inspector started, or its run was dropped', place);
  }
}

/** Starts a run from another answer: runs its calls, or, without calls, continues with the next user message. */
function startFromAnswer(moment: Moment, body: Body): Start {
  const text = textOf(body, 'text');
  const toolCalls = body['toolCalls'] === undefined ? (moment.answer?.toolCalls ?? []) : readCalls(body['toolCalls']);
  if (toolCalls.length > 0) {
    const answer: ModelResponse = { text: text === '' ? null : text, toolCalls, finishReason: 'tool_calls' };
    return { moment, messages: removeMarks(moment.messages), answer };
  }
  const next = body['next'];
  if (typeof next !== 'string' || next.trim() === '')
    throw new InspectorError(400, 'an answer without calls ends the run: say what the user writes next', 'next');
  const said: readonly Message[] = [
    { role: 'assistant', content: text },
    { role: 'user', content: next },
  ];
  return { moment, messages: [...removeMarks(moment.messages), ...said] };
}

function readCalls(given: unknown): readonly ToolCall[] {
  const isCall = (each: unknown): each is ToolCall => {
    const { id, name } = (each ?? {}) as Partial<ToolCall>;
    return typeof id === 'string' && typeof name === 'string';
  };
  if (Array.isArray(given) && given.every(isCall)) return given;
  throw new InspectorError(400, 'expected the calls as a list of { id, name, arguments }', 'toolCalls');
}

function withMessage(messages: readonly Message[], content: string): readonly Message[] {
  const at = messages.findLastIndex(isOfUser);
  const message = messages[at];
  if (message?.role !== 'user') throw new InspectorError(409, 'the run began without a user message');
  return [...messages.slice(0, at), { ...message, content }];
}

function withOutcome(messages: readonly Message[], callId: string, content: string): readonly Message[] {
  const at = messages.findLastIndex((message) => isAnswerTo(message, callId));
  return messages.map((message, index) =>
    index === at && message.role === 'tool' ? { ...message, content, parts: undefined } : message,
  );
}

function isAnswerTo(message: Message, callId: string): boolean {
  return message.role === 'tool' && message.toolCallId === callId;
}

/** Removes the marks from messages. Marks belong to the run that made them; callers pass messages without. */
function removeMarks(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (message.role === 'user') {
      const { note: _note, tools: _tools, ...said } = message;
      return said;
    }
    if (message.role !== 'tool') return message;
    const { tools: _tools, ...said } = message;
    return said;
  });
}

function answerFirst(given: ModelAdapter, answer: ModelResponse): ModelAdapter {
  const adapter = given.route?.choose(undefined) ?? given;
  let isFirst = true;
  return {
    name: adapter.name,
    takesOutputSchema: adapter.takesOutputSchema,
    bindsOutputSchema: adapter.bindsOutputSchema,
    ...(adapter.expressesOutput === undefined
      ? {}
      : { expressesOutput: (schemaFor) => adapter.expressesOutput?.(schemaFor) ?? true }),
    ...(adapter.checkContent === undefined ? {} : { checkContent: (messages) => adapter.checkContent?.(messages) }),
    ...(adapter.unbind === undefined ? {} : { unbind: (native) => adapter.unbind?.(native) }),
    ...(adapter.means === undefined ? {} : { means: (begin) => adapter.means?.(begin) ?? null }),
    complete: (request) => {
      if (!isFirst) return adapter.complete(request);
      isFirst = false;
      return Promise.resolve(answer);
    },
  };
}
