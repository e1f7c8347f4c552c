import type { IncomingMessage, ServerResponse } from 'node:http';
import { ToolwrightError } from 'toolwright';
import { InspectorError } from './InspectorError.js';

/** Answers a request with what was thrown while it was handled: the status of an `InspectorError`, otherwise 413, 422 or 500. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // What was not read must not be read: a refused upload may be endless.
  if (!request.complete) {
    response.setHeader('connection', 'close');
    response.on('finish', () => request.destroy());
  }
  const problem = error instanceof Error ? error.message : 'the inspector failed';
  const { code, place, remedy } = ToolwrightError.is(error)
    ? error
    : { code: undefined, place: undefined, remedy: undefined };
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
