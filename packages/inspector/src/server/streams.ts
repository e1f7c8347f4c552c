import type { ServerResponse, IncomingMessage } from 'node:http';
import { InspectorError } from './InspectorError.js';
import type { Row } from './rows.js';
import type { Inspector } from './Inspector.js';

/** The number of rows in one event. The page shows the first rows at once. */
const PART = 5_000;
/** Milliseconds in which changed rows are collected before they are sent. */
const GATHER_MS = 40;

/**
 * Sends the rows of a source, and every change of a live source, as server-sent events: `rows`, `ready`, and `dropped` with the
 * counts of dropped entries and runs.
 */
export function streamRows({ inspector, query, response }: ApiRequest): undefined {
  const source = inspector.source(query.get('source') ?? '');
  const isLive = source.id === 'live';
  beginStream(response);
  let { dropped } = source;
  if (dropped.entries > 0) sendEvent(response, 'dropped', dropped);
  for (let at = 0; at < source.rows.length; at += PART) sendEvent(response, 'rows', source.rows.slice(at, at + PART));
  sendEvent(response, 'ready', { count: source.rows.length });
  if (!isLive) {
    response.end();
    return undefined;
  }
  // Rows that this page has not received yet.
  const changed = new Set<Row>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    // While the page does not read, rows are held back, so that they do not pile up. It gets their latest version later.
    if (response.writableNeedDrain) return;
    if (dropped !== source.dropped) sendEvent(response, 'dropped', (dropped = source.dropped));
    if (changed.size > 0)
      sendEvent(
        response,
        'rows',
        [...changed].filter(({ seq }) => seq >= dropped.before),
      );
    changed.clear();
  };
  const leave = source.listen((rows) => {
    for (const row of rows) changed.add(row);
    if (source.dropped !== dropped && response.writableNeedDrain)
      for (const row of changed) if (row.seq < source.dropped.before) changed.delete(row);
    timer ??= setTimeout(tell, GATHER_MS);
  });
  response.on('drain', tell);
  response.on('close', () => {
    leave();
    clearTimeout(timer);
  });
  return undefined;
}

/** Sends the waiting calls after each change, as server-sent events. */
export function streamApprovals({ inspector, response }: ApiRequest): undefined {
  const { inbox } = inspector;
  if (!inbox.isOpen) throw new InspectorError(404, 'the application has no inbox of approvals');
  beginStream(response);
  const tell = (): void => {
    sendEvent(response, 'waiting', inbox.waiting);
  };
  tell();
  response.on('close', inbox.listen(tell));
  return undefined;
}

function beginStream(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  response.flushHeaders();
}

function sendEvent(response: ServerResponse, event: string, data: unknown): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A request for data. */
export interface ApiRequest {
  readonly inspector: Inspector;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
