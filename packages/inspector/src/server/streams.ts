import type { ServerResponse, IncomingMessage } from 'node:http';
import { InspectorError } from './InspectorError.js';
import type { Row } from './rows.js';
import type { Inspector } from './Inspector.js';

/** Rows are sent in parts of this many, so that the page shows the first ones at once. */
const PART = 5_000;
/** Rows that change together are sent together. */
const GATHER_MS = 40;

/**
 * Sends the rows of a source, and of a live one each change, as server-sent events: `rows`, `ready`, and `dropped` with what is not
 * kept any more.
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
  // Every page has a list of its own of what it has not been sent.
  const changed = new Set<Row>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    // A page that does not read gets the latest of each row once it does: what it was sent would pile up here otherwise.
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

/** Sends the calls that wait for an approval, after each change. */
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
