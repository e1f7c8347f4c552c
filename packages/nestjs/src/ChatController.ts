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
 * Lets a model answer over HTTP: `POST` takes `{ "message": "…" }` and answers with `{ text, output, complete }`; a client that
 * accepts `text/event-stream` gets the events of the run (docs/nestjs.md lists them). A client that disconnects ends the run; in a
 * conversation that `open` returns, the next message goes on after it, and a client that sends `Last-Event-ID` with the same
 * `runId` reads on. The subclass declares path, guards and everything else.
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
   * Returns the prompt, the model, the session of the user and the earlier messages for a message.
   *
   * @param request Nest's request, to which a guard may have added the user
   */
  abstract open(message: string, request: object): Awaitable<ChatRun>;

  /**
   * @throws BadRequestException (400) for a body without a message, PayloadTooLargeException (413) for more than 200,000 characters,
   * ServiceUnavailableException (503) when Nest shuts down before the answer; what `open` and `app.evaluate` throw. Messages that
   * `open` got wrong (E412) are the host's fault: Nest answers with 500
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
      // A client that disconnected gets no answer; and once the answer has begun, Nest cannot send another.
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

/** Returns the message in a body, which a client may have sent in any form. */
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

/** The place after which a client that comes back reads on; undefined for one that comes for the first time. */
function readLastEventId(request: object): number | undefined {
  const { headers } = request as { readonly headers?: IncomingHttpHeaders };
  const id = Number(headers?.['last-event-id']);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
