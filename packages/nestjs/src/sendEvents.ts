import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { ApprovalPendingError, type StreamEvent, ToolwrightError } from 'toolwright';
import type { ShownEntry } from 'toolwright/conversations';

/** An event for the client. Arguments and texts of tools are for the model; only a question has the arguments of its call. */
interface ChatEvent {
  readonly event: string;
  /** The position in the log of the conversation. A client sends it as `Last-Event-ID` when it reconnects. */
  readonly id?: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A call that waits for a person, as the client gets it: its arguments without secrets. */
export type ChatQuestion = Pick<ShownEntry<'question'>, 'id' | 'name' | 'arguments' | 'about' | 'askedAt'>;

/** Returns the fields of a question that a client gets. */
export function toChatQuestion({ id, name, arguments: given, about, askedAt }: ChatQuestion): ChatQuestion {
  return { id, name, arguments: given, about, askedAt };
}

/** Returns true for the error of a run that waits for a decision. */
export function isParked(error: unknown): boolean {
  return error instanceof ApprovalPendingError || (error instanceof ToolwrightError && error.code === 'E731');
}

/** Returns the part of an event that a client gets; undefined for internal steps. */
function toChatEvent(step: StreamEvent): ChatEvent | undefined {
  switch (step.kind) {
    case 'text':
      return { event: 'text', data: { turn: step.turn, text: step.text } };
    case 'retry':
      return { event: 'retry', data: { turn: step.turn } };
    case 'begun':
      return { event: 'begun', data: { turn: step.turn, id: step.id, name: step.name } };
    case 'outcome': {
      const { turn, seq, name, outcome, message } = step;
      const data = { turn, id: message.toolCallId, name, outcome, success: !message.failed };
      return { event: 'outcome', id: seq, data };
    }
    case 'question':
      return { event: 'question', id: step.seq, data: { turn: step.turn, ...toChatQuestion(step) } };
    case 'done':
      return { event: 'done', data: toChatAnswer(step.response) };
    default:
      return undefined;
  }
}

/** Returns the fields of an answer that a client gets. */
export function toChatAnswer(response: {
  readonly text: string | null;
  readonly output: unknown;
  readonly complete: boolean;
}): Readonly<Record<string, unknown>> {
  const { text, output, complete } = response;
  return { text, output, complete };
}

/**
 * Sends a run as server-sent events, at the client's pace. A failed run ends with the event `error`, which holds only the code of the
 * error.
 *
 * @param signal aborts when the client has disconnected and when the host shuts down
 * @param closing aborts when the host shuts down; the code is then E955, whatever the run was doing
 * @throws the error of the run, unless the client has disconnected
 */
export async function sendEvents(
  response: ServerResponse,
  steps: AsyncIterable<StreamEvent>,
  { signal, closing }: { readonly signal: AbortSignal; readonly closing: AbortSignal },
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  // The headers tell the client at once that it is connected, before the model begins to answer.
  response.flushHeaders();
  const send = ({ event, id, data }: ChatEvent): boolean => {
    const place = id === undefined ? '' : `id: ${String(id)}\n`;
    return response.write(`event: ${event}\n${place}data: ${JSON.stringify(data)}\n\n`);
  };
  try {
    for await (const step of steps) {
      const event = toChatEvent(step);
      if (event !== undefined && !send(event)) await once(response, 'drain', { signal });
    }
  } catch (error) {
    // The questions of a run that waits were the last events.
    if (response.destroyed || isParked(error)) return;
    send({ event: 'error', data: { code: codeOf(error, closing) } });
    throw error;
  } finally {
    response.end();
  }
}

function codeOf(error: unknown, closing: AbortSignal): string {
  if (closing.aborted) return 'E955';
  return error instanceof ToolwrightError ? error.code : 'E701';
}
