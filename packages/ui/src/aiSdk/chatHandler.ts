import type { JsonValue } from 'toolwright';
import {
  type ChatHandler,
  type ChatProtocol,
  type ChatRequest,
  type ChatSource,
  makeHandler,
} from '../chats/ChatService.js';
import type { ChatOptions, ChatUser } from '../chats/ChatOptions.js';
import { checkMessage } from '../chats/readMessage.js';
import { readRun, type ChatEvent, seqOf } from '../chats/readRun.js';
import { mayChangeState, StateReader } from '../chats/StateReader.js';
import type { LateDecision, MessagePlace } from '../chats/UserChats.js';
import { endWithError } from '../http/endWithError.js';
import { streamEvents } from '../http/streamEvents.js';
import { readUiRequest } from './readUiRequest.js';
import { toUiMessages } from './toUiMessages.js';
import { type ApprovalView, UiChunkWriter } from './UiChunkWriter.js';
import type { UiChunk } from './uiChunks.js';

/** Options of `chatHandler`. */
export interface ChatHandlerOptions<
  I extends JsonValue = JsonValue,
  User extends ChatUser = ChatUser,
> extends ChatOptions<I, User> {
  /** The major version of the package `ai` in the front end; 6 by default, whose chunks a front end with 7 takes as well. */
  readonly version?: 6 | 7 | undefined;
  /** True if the front end's messages are typed by `UiMessageOf`: calls are then parts `tool-NAME` and not `dynamic-tool`. */
  readonly typedTools?: boolean | undefined;
}

/**
 * Serves chats to `useChat` of the AI SDK: messages, answers to questions, another answer, an edited message, stop, resume, steering and
 * the list of chats (docs/ui.md has all routes). The handler takes and returns web-standard objects; `toNodeHandler` mounts it on Node,
 * Express, Fastify and Nest.
 *
 * @param source durable runs, which go on when the process ends; or an application with `prepare`, whose chats are in memory
 * @throws errors of `authenticate`, `input` and the store, unchanged: the host answers with 500
 * @example
 * const handler = chatHandler(
 *   { app, prepare: () => ({ prompt: Desk, adapter }) },
 *   { authenticate: (request) => readUser(request) },
 * );
 * export { handler as GET, handler as POST };
 */
export function chatHandler<I extends JsonValue = JsonValue, User extends ChatUser = ChatUser>(
  source: ChatSource<I>,
  options: ChatHandlerOptions<I, User>,
): ChatHandler {
  const { version = 6, typedTools: hasTypedTools = false } = options;
  const form = { version, hasTypedTools } as const;
  const protocol: ChatProtocol = {
    async post(chat, body) {
      const wanted = readUiRequest(body);
      const { chats, options: rules } = chat;
      const input = (): Promise<JsonValue> => chat.input({ chat: wanted.chat, body });
      switch (wanted.kind) {
        case 'submit':
          return send(chat, form, await chats.submit(wanted.chat, checkMessage(wanted.message, rules), input));
        case 'edit':
          return send(chat, form, await chats.edit(wanted.chat, checkMessage(wanted.message, rules), input));
        case 'regenerate':
          return send(chat, form, await chats.regenerate(wanted.chat, wanted.answer, input));
        case 'answer': {
          const place = await chats.answer(wanted.chat, wanted.run, wanted.decisions, chat.approvals);
          return send(chat, form, place, place.late);
        }
      }
    },
    async resume(chat, id) {
      const run = await chat.chats.current(id);
      return run && send(chat, form, run);
    },
    showMessages: (entries) => toUiMessages(entries, form),
  };
  return makeHandler(source, options, protocol);
}

function send(
  chat: ChatRequest,
  form: { readonly version: 6 | 7; readonly hasTypedTools: boolean },
  run: MessagePlace,
  late: readonly LateDecision[] = [],
): Response {
  const stop = new AbortController();
  const headers = { ...chat.headers, 'x-vercel-ai-ui-message-stream': 'v1' };
  const { signal } = stop;
  const text = JSON.stringify({ type: 'error', errorText: `An error occurred (run ${run.run}).` } satisfies UiChunk);
  return streamEvents(endWithError(writeRun(chat, form, { ...run, late }, signal), { text, signal }), headers, () => {
    stop.abort();
  });
}

/** Yields the chunks of a run as JSON, up to its end or its next questions. */
async function* writeRun(
  chat: ChatRequest,
  form: { readonly version: 6 | 7; readonly hasTypedTools: boolean },
  place: MessagePlace & { readonly late: readonly LateDecision[] },
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { run, after, late } = place;
  const writer = new UiChunkWriter({ ...form, run });
  yield JSON.stringify(writer.start());
  for (const decision of late) yield JSON.stringify(writer.showLate(decision));
  const { state: slices } = chat.options;
  const state = slices === undefined ? undefined : new StateReader(chat.runs, run, slices);
  if (state !== undefined && (await state.refresh()))
    for (const chunk of writer.showState(state.state)) yield JSON.stringify(chunk);
  let isOver = false;
  for await (const { event, isNew } of readRun(chat, place, signal)) {
    isOver = event.kind === 'end';
    const chunks = writer.write(event, isNew ? await viewApproval(chat, run, event) : undefined);
    // Nothing may follow the last chunk of a run, and its end may have changed the session.
    if (isNew && state !== undefined && mayChangeState(event)) {
      const before = state.state;
      if (await state.refresh()) for (const chunk of writer.showState(state.state, before)) yield JSON.stringify(chunk);
    }
    if (isNew) for (const chunk of chunks) yield JSON.stringify(chunk);
    // The client has the message up to here, with the end of its first stream.
    else if (seqOf(event) === after) writer.park();
  }
  if (!isOver) for (const chunk of writer.park()) yield JSON.stringify(chunk);
  yield '[DONE]';
}

/** Computes the changes of an approval, for the person who decides. */
async function viewApproval(
  { approvals }: ChatRequest,
  run: string,
  event: ChatEvent,
): Promise<ApprovalView | undefined> {
  if (event.kind !== 'question') return undefined;
  const description = await approvals.describeAsked(run, event.id);
  return description && { descriptor: description, seen: description.seen };
}
