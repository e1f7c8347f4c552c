import {
  BadRequestException,
  Body,
  ConflictException,
  Injectable,
  Logger,
  NotFoundException,
  PayloadTooLargeException,
  Post,
  Req,
  Res,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type BoundPrompt,
  type EvaluateOptions,
  type RenderedPrompt,
  type RunMetadata,
  ThrottleError,
  ToolwrightError,
} from 'toolwright';
import type { Conversation, QuestionReply } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import type { Awaitable } from 'toolwright/types';
import { EntryView, getApplicationParts, relayAbort } from 'toolwright/internal';
import { hasLeft, isBegun, onClientLeave, sendJson, setHeader, toNodeResponse } from './nodeExchange.js';
import { type ChatQuestion, isParked, sendEvents, toChatAnswer, toChatQuestion } from './sendEvents.js';
import { Toolwright } from './Toolwright.js';
import { DEFAULT_RETRY_SECONDS, MAX_MESSAGE_CHARS } from './limits.js';

/** The prompt that answers a chat request, and the options of its evaluation. */
export interface ChatRun extends Omit<EvaluateOptions, 'signal'> {
  readonly prompt: BoundPrompt | RenderedPrompt;
}

/**
 * Lets a model answer over HTTP. `POST` takes `{ "message": "…" }` and answers with `{ text, output, complete }`. A client that
 * accepts `text/event-stream` gets the events of the run (docs/nestjs-reference.md lists them). A client that disconnects ends the run.
 * If `open` returns a conversation, the next message continues after that run, and a client that sends `Last-Event-ID` with the same
 * `runId` continues to read it. A call that waits for a person is answered with 202 and the question; with `openReply`, `POST reply`
 * takes the decision and answers as a message is answered. The subclass declares path, guards and everything else.
 *
 * @example
 * @Controller('chat')
 * @UseGuards(SignedIn)
 * export class DeskChat extends ChatController {
 *   open(content: string): ChatRun {
 *     return { prompt: this.toolwright.app.prompt(SupportDesk), adapter, messages: [{ role: 'user', content }] };
 *   }
 * }
 */
@Injectable()
export abstract class ChatController {
  constructor(readonly toolwright: Toolwright) {}

  /**
   * Returns the prompt, the model, the user's session and the earlier messages with which a message is answered.
   *
   * @param request Nest's request; a guard may have added the user to it
   */
  abstract open(message: string, request: object): Awaitable<ChatRun>;

  /**
   * Returns the conversation of a user whose call waits for a decision, with the same prompt, model and session as `open`, and without
   * messages. Without this method, `POST reply` is answered with 404.
   *
   * @param request Nest's request; a guard may have added the user to it
   */
  openReply?(request: object): Awaitable<ChatRun & { readonly conversation: Conversation }>;

  /**
   * Answers a message.
   *
   * @throws BadRequestException (400) for a body without a message, PayloadTooLargeException (413) for more than 200,000 characters,
   * ConflictException (409) for a conversation that answers another message, ServiceUnavailableException (503) for a model provider that
   * is down, and when Nest shuts down before the answer; other errors of `open` and `app.evaluate`, unchanged. Wrong messages of `open`
   * (E412) are a fault of the host, so Nest answers with 500
   */
  @Post()
  async chat(@Body() body: unknown, @Req() request: object, @Res() response: object): Promise<void> {
    const message = messageIn(body);
    await this.#respond(request, response, () => this.open(message, request));
  }

  /**
   * Takes the decision about a call that waits: `{ question, approved, reason? }`. The run continues, and is answered as a message is.
   *
   * @throws BadRequestException (400) for a body without a decision, NotFoundException (404) for an unknown question, ConflictException
   * (409) for one that was answered before; otherwise as `chat`
   */
  @Post('reply')
  async reply(@Body() body: unknown, @Req() request: object, @Res() response: object): Promise<void> {
    const { question, reply } = decisionIn(body);
    if (this.openReply === undefined) throw new NotFoundException('This chat takes no replies.');
    const open = this.openReply.bind(this);
    await this.#respond(request, response, async () => {
      const run = await open(request);
      const taken = await run.conversation.reply(question, reply).catch((error: unknown) => {
        throw codeOf(error) === 'E709' ? new NotFoundException('There is no such question.') : error;
      });
      if (taken === 'late') throw new ConflictException('The question was answered before, or its run has ended.');
      return run;
    });
  }

  async #respond(request: object, response: object, open: () => Awaitable<ChatRun>): Promise<void> {
    const stop = new AbortController();
    const { closing } = this.toolwright;
    const letGo = [onClientLeave(response, () => stop.abort()), relayAbort(closing, stop)];
    try {
      const { prompt, runMetadata, ...options } = await open();
      const answer = (ids: RunMetadata): Promise<void> =>
        this.#answer(prompt, { ...options, runMetadata: ids, signal: stop.signal }, request, response);
      await this.toolwright.withRequest(request, answer, runMetadata);
    } catch (error) {
      // A client that has disconnected gets no answer. Once an answer has begun, Nest cannot send another.
      if (hasLeft(response)) return;
      if (isBegun(response)) new Logger(ChatController.name).error(messageOf(error));
      else
        throw closing.aborted
          ? new ServiceUnavailableException('The server is shutting down.')
          : toHttpError(error, response);
    } finally {
      for (const release of letGo) release();
    }
  }

  async #answer(
    prompt: ChatRun['prompt'],
    options: EvaluateOptions & { readonly signal: AbortSignal },
    request: object,
    response: object,
  ): Promise<void> {
    const { app } = this.toolwright;
    if (acceptsEvents(request)) {
      const after = readLastEventId(request);
      const stream = app.stream(prompt, after === undefined ? options : { ...options, after });
      await sendEvents(toNodeResponse(response), stream, { signal: options.signal, closing: this.toolwright.closing });
      return;
    }
    try {
      sendJson(response, 200, toChatAnswer(await app.evaluate(prompt, options)));
    } catch (error) {
      if (!isParked(error)) throw error;
      sendJson(response, 202, { questions: await this.#listQuestions(prompt, options) });
    }
  }

  /** Returns the questions of a parked run as a stream shows them, without secrets. */
  async #listQuestions(
    prompt: ChatRun['prompt'],
    { conversation, session }: EvaluateOptions,
  ): Promise<readonly ChatQuestion[]> {
    const rendered = 'render' in prompt ? await prompt.render({ session }) : prompt;
    const { redaction } = getApplicationParts(this.toolwright.app).services;
    const view = new EntryView(redaction, rendered);
    return (conversation?.questions ?? []).flatMap((question) => {
      const shown = view.show(question, undefined);
      return shown?.kind === 'question' ? [toChatQuestion(shown)] : [];
    });
  }
}

/** Returns the answer of Nest to an error that is not the host's fault; other errors unchanged. */
function toHttpError(error: unknown, response: object): unknown {
  if (error instanceof ThrottleError) {
    const { retryAfter = DEFAULT_RETRY_SECONDS } = error;
    setHeader(response, 'retry-after', String(Math.ceil(retryAfter)));
    return new ServiceUnavailableException('The model cannot answer at the moment. Try again.');
  }
  switch (codeOf(error)) {
    case 'E756':
      setHeader(response, 'retry-after', String(DEFAULT_RETRY_SECONDS));
      return new ServiceUnavailableException('The model cannot answer at the moment. Try again.');
    case 'E728':
      return new ConflictException('The conversation answers another message.');
    case 'E709':
      return new ConflictException('The conversation was continued by another request, or cannot be written.');
    case 'E735':
      // The message of the error names ids of the server.
      return new BadRequestException(
        'The decision does not fit the question, or the tool refuses the edited arguments.',
      );
    default:
      return error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ToolwrightError ? error.code : undefined;
}

/** Returns the decision in a body. A client may have sent anything. */
function decisionIn(body: unknown): { readonly question: string; readonly reply: QuestionReply } {
  const { question, approved, reason } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof question !== 'string' || question === '' || typeof approved !== 'boolean')
    throw new BadRequestException(['question and approved are expected: the id of the question, and true or false']);
  if (approved) return { question, reply: { kind: 'approved' } };
  return {
    question,
    reply: { kind: 'denied', reason: typeof reason === 'string' && reason !== '' ? reason : 'It was denied.' },
  };
}

/** Returns the message in a body. A client may have sent anything. */
function messageIn(body: unknown): string {
  const { message } = (body ?? {}) as { readonly message?: unknown };
  if (typeof message === 'string' && message.length > MAX_MESSAGE_CHARS)
    throw new PayloadTooLargeException([`message: at most ${String(MAX_MESSAGE_CHARS)} characters are expected`]);
  if (typeof message === 'string' && message.trim() !== '') return message;
  const parsed = body === undefined ? '; no parser has read the body: send it with content-type: application/json' : '';
  throw new BadRequestException([`message: a text that is not empty is expected, in a body of JSON${parsed}`]);
}

function acceptsEvents(request: object): boolean {
  const { headers } = request as { readonly headers?: IncomingHttpHeaders };
  return headers?.accept?.includes('text/event-stream') === true;
}

/** Returns the event id after which a client continues to read; undefined for a client that connects for the first time. */
function readLastEventId(request: object): number | undefined {
  const { headers } = request as { readonly headers?: IncomingHttpHeaders };
  const id = Number(headers?.['last-event-id']);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
