import type { IncomingMessage, ServerResponse } from 'node:http';
import { ToolwrightError } from 'toolwright';
import { LINGER_MS } from '../limits.js';
import { InspectorError } from './InspectorError.js';

/** Answers a request with the error of its handler. An `InspectorError` has its own status; other errors get 413, 422 or 500. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // A refused upload may be endless, so its connection is closed soon. With `connection: close`, Node would close it at once, and the
  // client could fail to write before it reads the answer.
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

export function sendJson(response: ServerResponse, status: number, data: unknown): void {
  const text = JSON.stringify(data);
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(text);
}

/** Converts a value of an application to plain JSON. Returns a text instead if that fails, so that an answer can always be sent. */
export function toPlain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null)) as unknown;
  } catch {
    return '[not JSON]';
  }
}
