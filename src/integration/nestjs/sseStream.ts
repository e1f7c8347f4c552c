import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { StreamEvent } from '../../evaluate/stream/StreamEvent.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';

/** An event for the client: without arguments and texts of tools, which are for the model. */
interface ChatEvent {
  readonly event: string;
  /** The place in the log of the conversation, which a client sends as `Last-Event-ID` when it comes back. */
  readonly id?: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Converts a step of a run to an event for the client; undefined for steps that are internal. */
function chatEvent(step: StreamEvent): ChatEvent | undefined {
  switch (step.kind) {
    case 'text':
      return { event: 'text', data: { turn: step.turn, text: step.text } };
    case 'retry':
      return { event: 'retry', data: { turn: step.turn } };
    case 'tool_started':
      return { event: 'tool_started', data: { turn: step.turn, id: step.call.id, name: step.call.name } };
    case 'tool_ended': {
      const { turn, call, outcome, success } = step;
      return { event: 'tool_ended', id: step.seq, data: { turn, id: call.id, name: call.name, outcome, success } };
    }
    case 'done':
      return { event: 'done', data: chatAnswer(step.response) };
    default:
      return undefined;
  }
}

/** Returns the part of the answer that a client gets. */
export function chatAnswer(response: {
  readonly text: string | null;
  readonly output: unknown;
  readonly complete: boolean;
}): Readonly<Record<string, unknown>> {
  const { text, output, complete } = response;
  return { text, output, complete };
}

/**
 * Sends a run as server-sent events, at the client's pace; a failed run ends with the event `error`, which holds only the code
 * of the failure.
 */
export async function sendEvents(
  response: ServerResponse,
  steps: AsyncIterable<StreamEvent>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  const send = async ({ event, id, data }: ChatEvent): Promise<void> => {
    const place = id === undefined ? '' : `id: ${String(id)}\n`;
    const isTaken = response.write(`event: ${event}\n${place}data: ${JSON.stringify(data)}\n\n`);
    if (!isTaken) await once(response, 'drain', { signal });
  };
  try {
    for await (const step of steps) {
      const event = chatEvent(step);
      if (event !== undefined) await send(event);
    }
  } catch (error) {
    if (signal.aborted) return;
    await send({ event: 'error', data: { code: ToolwrightError.is(error) ? error.code : 'E701' } });
    throw error;
  } finally {
    response.end();
  }
}
