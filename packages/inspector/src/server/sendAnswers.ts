import type { IncomingMessage, ServerResponse } from 'node:http';
import { ToolwrightError } from 'toolwright';
import { LINGER_MS } from '../limits.js';
import { InspectorError } from './InspectorError.js';

/** Answers a request with what was thrown while it was handled: the status of an `InspectorError`, otherwise 413, 422 or 500. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // A refused upload may be endless, so it ends soon. With `connection: close`, Node would end it at once, and its client could fail to
  // write before it reads the answer.
  if (!request.complete) {
    response.on('finish', () => {
      request.resume();
      setTimeout(() => request.destroy(), LINGER_MS).unref();
    });
  }
  const problem = error instanceof Error ? error.message : 'the inspector failed';
  const { code, place, remedy } =
    error instanceof ToolwrightError ? error : { code: undefined, place: undefined, remedy: undefined };
  const status =
    error instanceof InspectorError ? error.status : code === 'E751' ? 413 : code === undefined ? 500 : 422;
  sendJson(response, status, { problem, code, place, remedy });
}

/** Answers with a value as JSON. */
export function sendJson(response: ServerResponse, status: number, data: unknown): void {
  const text = JSON.stringify(data);
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(text);
}

/** Returns a value of an application as plain JSON, so that it can always be sent: a text takes its place where that fails. */
export function toPlain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null)) as unknown;
  } catch {
    return '[not JSON]';
  }
}
