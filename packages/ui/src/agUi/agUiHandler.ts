import type { JsonValue } from 'toolwright';
import {
  type ChatHandler,
  type ChatProtocol,
  type ChatRequest,
  type ChatSource,
  makeHandler,
} from '../chats/ChatService.js';
import type { ChatOptions, ChatUser } from '../chats/ChatOptions.js';
import { endWithError } from '../http/endWithError.js';
import { streamEvents } from '../http/streamEvents.js';
import type { AgUiEvent } from './agUiEvents.js';
import type { AgUiEventOptions } from './AgUiEventWriter.js';
import { beginStream, resumeStream, type StreamPlace } from './beginStream.js';
import { readGeneration, readAgUiInput } from './readAgUiInput.js';
import { toAgUiMessages } from './toAgUiMessages.js';
import { writeStream } from './writeStream.js';

/**
 * Serves chats to clients of AG-UI, such as `HttpAgent` of `@ag-ui/client`, CopilotKit and assistant-ui, of 1.0 and before. It has the
 * routes of `chatHandler`, with another form of messages (docs/ui.md).
 *
 * @param source durable runs, which go on when the process ends; or an application with `prepare`, whose chats are in memory
 * @throws errors of `authenticate`, `input` and the store, unchanged: the host answers with 500
 * @example
 * const handler = agUiHandler(
 *   { app, prepare: () => ({ prompt: Desk, adapter }) },
 *   { authenticate: (request) => readUser(request), path: '/agent' },
 * );
 */
export function agUiHandler<I extends JsonValue = JsonValue, User extends ChatUser = ChatUser>(
  source: ChatSource<I>,
  options: ChatOptions<I, User>,
): ChatHandler {
  const protocol: ChatProtocol = {
    async post(chat, body) {
      const input = readAgUiInput(body);
      const { thread, request, generation } = input;
      const place = await beginStream(chat, input, body);
      if (!('refusal' in place)) return send(chat, { thread, request, generation }, place);
      const { refusal: message, code } = place;
      return sendOne(chat, { type: 'RUN_ERROR', message, code });
    },
    async resume(chat, thread) {
      const place = await resumeStream(chat, thread);
      const generation = readGeneration(new URL(chat.request.url).searchParams.get('protocolVersion'));
      return place && send(chat, { thread, request: place.run, generation }, place);
    },
    showMessages: (entries) => toAgUiMessages(entries),
  };
  return makeHandler(source, options, protocol);
}

function send(chat: ChatRequest, form: Omit<AgUiEventOptions, 'run'>, place: StreamPlace): Response {
  const stop = new AbortController();
  const { run } = place;
  const error = { type: 'RUN_ERROR', code: 'stream_failed', message: `An error occurred (run ${run}).` } as const;
  const texts = endWithError(toJson(writeStream(chat, form, place, stop.signal)), {
    text: JSON.stringify(error),
    signal: stop.signal,
  });
  return streamEvents(texts, chat.headers, () => {
    stop.abort();
  });
}

function sendOne({ headers }: ChatRequest, event: AgUiEvent): Response {
  async function* one(): AsyncGenerator<AgUiEvent, void> {
    yield await Promise.resolve(event);
  }
  return streamEvents(toJson(one()), headers, () => undefined);
}

async function* toJson(events: AsyncGenerator<AgUiEvent, void>): AsyncGenerator<string, void> {
  for await (const event of events) yield JSON.stringify(event);
}
