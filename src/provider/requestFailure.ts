import { className } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { ThrottleError, type ThrottleDetails } from '../error/ThrottleError.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import { redactText, redactValue } from './redact.js';

const LONGEST_MESSAGE = 500;
const DEEPEST_CAUSE = 4;

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [400, 'The request is at fault; the message says where.'],
  [401, 'Check the key that the client was given.'],
  [403, 'Check that the key may use this model, from this region and project.'],
  [404, 'Check the name of the model and the base URL of the client.'],
]);

/** Errors of the AI SDK about an answer that is not what it should be. */
const UNREADABLE = /^AI_(JSONParse|TypeValidation|InvalidResponseData|NoContentGenerated|EmptyResponseBody)Error$/;

/** The client of OpenAI looks for a field in every response body, even in the HTML page of a gateway. */
const NO_OBJECT = "Cannot use 'in' operator to search for 'object' in ";

/** The statuses of providers' error codes and types. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_prompt', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['insufficient_quota', 429],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/**
 * Returns the error for a failed request. The client's errors are recognised by their fields, since only the client's types are
 * imported (docs/contract.md, 16).
 *
 * @param adapter the name that the error shows
 * @param thrown what the client threw; an error of Toolwright is returned unchanged
 * @param key the key in use, which no part of the error shows afterwards
 */
export function requestFailure(adapter: string, thrown: unknown, key: unknown): ToolwrightError {
  if (ToolwrightError.is(thrown)) return thrown;
  const cause = redactValue(thrown, key);
  const status = statusOf(thrown) ?? statusByCode(providerError(thrown));
  if (isUnreadable(thrown, status)) {
    return new PromptEvaluationError(
      `${adapter} answered what could not be read: ${cut(redactText(chainOf(thrown), key))}`,
      {
        phase: 'response',
        code: 'E702',
        cause,
      },
    );
  }
  if (status !== undefined) {
    const id = requestIdOf(thrown);
    const reported = cut(redactText(providerMessage(thrown, status), key));
    const problem = `${adapter} answered ${String(status)}: ${reported}${id}`;
    const throttled = throttling(thrown, status);
    if (throttled !== undefined) return new ThrottleError(problem, { ...throttled, cause });
    return new PromptEvaluationError(problem, { phase: 'request', remedy: REMEDIES.get(status), cause });
  }
  // The client parses the body itself, so an answer that is not JSON is reported as its error.
  if (field(thrown, 'name') === 'SyntaxError') {
    return new PromptEvaluationError(`${adapter} answered something that is not JSON: ${cut(messageOf(cause))}`, {
      phase: 'response',
      code: 'E702',
      cause,
    });
  }
  const problem = `The request to ${adapter} failed: ${cut(redactText(chainOf(thrown), key))}`;
  // Neither a reset connection nor an unknown host has run anything: tools run only after an answer.
  const isLost = className((thrown as object | undefined)?.constructor).startsWith('APIConnection');
  if (isLost || field(thrown, 'isRetryable') === true) return new ThrottleError(problem, { kind: 'connection', cause });
  return new PromptEvaluationError(problem, { phase: 'request', cause });
}

/**
 * Returns the error for a stream that fails after it has begun. Unless the provider reports an error, the connection was lost.
 *
 * @param adapter the name that the error shows
 * @param thrown what reading the stream threw
 * @param key the key in use, which no part of the error shows afterwards
 */
export function streamFailure(adapter: string, thrown: unknown, key: unknown): ToolwrightError {
  const isReported =
    field(thrown, 'error') !== undefined ||
    field(thrown, 'name') === 'SyntaxError' ||
    statusOf(thrown) !== undefined ||
    isUnreadable(thrown);
  if (isReported || ToolwrightError.is(thrown)) return requestFailure(adapter, thrown, key);
  const problem = `${adapter} broke off its answer: ${cut(redactText(chainOf(thrown), key))}`;
  return new ThrottleError(problem, { kind: 'connection', cause: redactValue(thrown, key) });
}

/** Returns how a status is throttled; undefined if asking again is of no use. */
function throttling(thrown: unknown, status: number): ThrottleDetails | undefined {
  const retryAfter = retryAfterOf(thrown);
  const code = field(thrown, 'code') ?? field(providerError(thrown), 'code');
  const isSpent = status === 402 || (status === 429 && code === 'insufficient_quota');
  if (isSpent) {
    const remedy = 'The account is used up; waiting does not help.';
    return { kind: 'quota_exhausted', retryAfter, retrySafe: false, remedy };
  }
  if (status === 429) return { kind: 'rate_limit', retryAfter };
  return status >= 500 || status === 408 ? { kind: 'overloaded', retryAfter } : undefined;
}

/** True if the client rejects an answer although its status is good. */
function isUnreadable(thrown: unknown, status = statusOf(thrown)): boolean {
  const isNone = UNREADABLE.test(String(field(thrown, 'name'))) || messageOf(thrown).startsWith(NO_OBJECT);
  return isNone || (status !== undefined && status >= 200 && status < 300);
}

/** Reads a header: some clients keep the headers in a plain object with lower-case names. */
function headerOf(thrown: unknown, name: string): string {
  const headers = field(thrown, 'headers');
  const found = headers instanceof Headers ? headers.get(name) : field(field(thrown, 'responseHeaders'), name);
  return typeof found === 'string' ? found : '';
}

/** Returns the seconds of the header, which may also hold a date. */
function retryAfterOf(thrown: unknown): number | undefined {
  const milliseconds = Number.parseFloat(headerOf(thrown, 'retry-after-ms'));
  if (milliseconds >= 0) return milliseconds / 1_000;
  const reported = headerOf(thrown, 'retry-after');
  const seconds = /^\s*\d/.test(reported) ? Number.parseFloat(reported) : (Date.parse(reported) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Returns the provider's error object: some clients keep the body of the answer, others only the error in it. */
function providerError(thrown: unknown): unknown {
  const body = field(thrown, 'error') ?? field(thrown, 'data');
  return field(body, 'error') ?? body;
}

function statusOf(thrown: unknown): number | undefined {
  const status = field(thrown, 'status') ?? field(thrown, 'statusCode');
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}

/** Returns the status of an error in the middle of a stream, which follows from its code or its type. */
function statusByCode(error: unknown): number | undefined {
  const code = field(error, 'code');
  return typeof code === 'number' ? code : (STATUSES.get(code) ?? STATUSES.get(field(error, 'type')));
}

/** Returns the provider's message: the client puts the status before it, as in `429 Too many requests`. */
function providerMessage(thrown: unknown, status: number): string {
  const reported = field(providerError(thrown), 'message');
  if (typeof reported === 'string' && reported !== '') return reported;
  const message = messageOf(thrown);
  return message.startsWith(`${String(status)} `) ? message.slice(String(status).length + 1) : message;
}

function requestIdOf(thrown: unknown): string {
  const id = field(thrown, 'requestID');
  return typeof id === 'string' && id !== '' ? ` (request ${id})` : '';
}

/** Joins the messages of the causes: `Connection error.` alone does not help, and the system's message is two causes deeper. */
function chainOf(thrown: unknown): string {
  const messages = [messageOf(thrown)];
  let link = field(thrown, 'cause');
  for (let depth = 1; depth < DEEPEST_CAUSE && link !== undefined; depth++) {
    const message = messageOf(link);
    if (!messages.includes(message)) messages.push(message);
    link = field(link, 'cause');
  }
  return messages.join(' ← ');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function cut(text: string): string {
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}
