import {
  BadRequestException,
  Body,
  Injectable,
  Logger,
  PayloadTooLargeException,
  Post,
  Req,
  Res,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { BoundPrompt, EvaluateOptions, RenderedPrompt, RunMetadata } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import type { Awaitable } from 'toolwright/types';
import { relayAbort } from 'toolwright/internal';
import { hasLeft, isBegun, toNodeResponse, sendJson, onClientLeave } from './nodeExchange.js';
import { toChatAnswer, sendEvents } from './sendEvents.js';
import { Toolwright } from './Toolwright.js';
import { MAX_MESSAGE_CHARS } from './limits.js';

/** The prompt that answers a chat request, and the options of its evaluation. */
export interface ChatRun extends Omit<EvaluateOptions, 'signal'> {
  readonly prompt: BoundPrompt | RenderedPrompt;
}

/**
 * Lets a model answer over HTTP. `POST` takes `{ "message": "…" }` and answers with `{ text, output, complete }`. A client that
 * accepts `text/event-stream` gets the events of the run (docs/nestjs.md lists them). A client that disconnects ends the run. If
 * `open` returns a conversation, the next message continues after that run, and a client that sends `Last-Event-ID` with the same
 * `runId` continues to read it. The subclass declares path, guards and everything else.
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
   * Answers a request.
   *
   * @throws BadRequestException (400) for a body without a message, PayloadTooLargeException (413) for more than 200,000 characters,
   * ServiceUnavailableException (503) when Nest shuts down before the answer; errors of `open` and `app.evaluate`, unchanged. Wrong
   * messages of `open` (E412) are a fault of the host, so Nest answers with 500
   */
  @Post()
  async chat(@Body() body: unknown, @Req() request: object, @Res() response: object): Promise<void> {
    const message = messageIn(body);
    const stop = new AbortController();
    const { closing } = this.toolwright;
    const letGo = [onClientLeave(response, () => stop.abort()), relayAbort(closing, stop)];
    try {
      const { prompt, runMetadata, ...options } = await this.open(message, request);
      const answer = (ids: RunMetadata): Promise<void> =>
        this.#answer(prompt, { ...options, runMetadata: ids, signal: stop.signal }, request, response);
      await this.toolwright.withRequest(request, answer, runMetadata);
    } catch (error) {
      // A client that has disconnected gets no answer. Once an answer has begun, Nest cannot send another.
      if (hasLeft(response)) return;
      if (isBegun(response)) new Logger(ChatController.name).error(messageOf(error));
      else throw closing.aborted ? new ServiceUnavailableException('The server is shutting down.') : error;
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
    sendJson(response, toChatAnswer(await app.evaluate(prompt, options)));
  }
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
