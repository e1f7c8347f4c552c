import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Inspector } from './Inspector.js';

/** A request for data. */
export interface ApiRequest {
  readonly inspector: Inspector;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
