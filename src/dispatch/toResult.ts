import { ToolResult } from '../value/ToolResult.js';

/** A handler gave something that is not a value: a stream, an async iterable, a Response. */
class StreamingValueError extends TypeError {
  constructor(what: string) {
    super(`it returned ${what}; a tool gives one complete value`);
    this.name = 'TypeError';
  }
}

/**
 * Makes what a handler gave a result: a plain value becomes an ok result without message, `undefined` one without value.
 *
 * @throws StreamingValueError
 */
export function toResult(returned: unknown): ToolResult {
  const result = ToolResult.is(returned)
    ? returned
    : returned === undefined
      ? ToolResult.ok()
      : new ToolResult({ message: '', value: returned });
  const { value } = result;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) refuseStreams(value);
  return result;
}

function refuseStreams(value: object): void {
  const probe = value as {
    [Symbol.asyncIterator]?: unknown;
    getReader?: unknown;
    arrayBuffer?: unknown;
    body?: unknown;
  };
  if (typeof probe[Symbol.asyncIterator] === 'function') throw new StreamingValueError('an async iterable');
  if (typeof probe.getReader === 'function') throw new StreamingValueError('a stream');
  if (typeof probe.arrayBuffer === 'function' && 'body' in value) throw new StreamingValueError('a Response');
}
