import { className } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import { MAX_FAILURE_CAUSES, MAX_FAILURE_CHARS } from '../common/limits.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ProviderFailure } from '../error/ProviderFailure.js';
import { ThrottleError, type ThrottleDetails } from '../error/ThrottleError.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import { redactText, redactValue } from './redact.js';

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [400, 'The request is invalid; the message says where.'],
  [401, 'Check the key that the client was given.'],
  [403, 'Check that the key may use this model, from this region and project.'],
  [404, 'Check the name of the model and the base URL of the client.'],
]);

/** Errors of the AI SDK about an invalid answer. */
const UNREADABLE = /^AI_(JSONParse|TypeValidation|InvalidResponseData|NoContentGenerated|EmptyResponseBody)Error$/;

/** The client of OpenAI looks for a field in every response body, even in the HTML page of a gateway. */
const NO_OBJECT = "Cannot use 'in' operator to search for 'object' in ";

/** The statuses of providers' error codes and types. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
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
 * Returns the error for a failed request. Errors of the client are recognised by their fields, because only its types
 * are imported (docs/contract.md, 16).
 *
 * @param thrown the error of the client; an error of Toolwright is returned unchanged
 * @param key the key in use, which is removed from the error
 */
export function createRequestError(adapter: string, thrown: unknown, key: unknown): ToolwrightError {
  if (thrown instanceof ToolwrightError) return thrown;
  const cause = redactValue(thrown, key);
  const status = getStatus(thrown) ?? findStatusByCode(getProviderError(thrown));
  const createUnreadable = (problem: string): ToolwrightError =>
    new PromptEvaluationError(`${adapter} ${problem}`, { phase: 'response', code: 'E702', failure: 'down', cause });
  if (isUnreadable(thrown, status))
    return createUnreadable(`answered what could not be read: ${listCauses(thrown, key)}`);
  if (status !== undefined) {
    const id = readRequestId(thrown);
    const reported = cutMessage(redactText(readProviderMessage(thrown, status), key));
    const problem = `${adapter} answered ${String(status)}: ${reported}${id}`;
    const throttled = findThrottle(thrown, status);
    if (throttled !== undefined) return new ThrottleError(problem, { ...throttled, cause });
    const failure = findRefusal(thrown, status);
    return new PromptEvaluationError(problem, { phase: 'request', failure, remedy: REMEDIES.get(status), cause });
  }
  // The client parses the body itself, so an answer that is not JSON is reported as its error.
  if (getField(thrown, 'name') === 'SyntaxError')
    return createUnreadable(`answered something that is not JSON: ${cutMessage(messageOf(cause))}`);
  const problem = `The request to ${adapter} failed: ${listCauses(thrown, key)}`;
  // After a reset connection or an unknown host, nothing has run: tools run only after an answer.
  const isLost = className((thrown as object | undefined)?.constructor).startsWith('APIConnection');
  if (isLost || getField(thrown, 'isRetryable') === true)
    return new ThrottleError(problem, { kind: 'connection', cause });
  return new PromptEvaluationError(problem, { phase: 'request', cause });
}

/**
 * Returns the error for a stream that fails after it has begun. Unless the provider reports an error, the connection
 * was lost.
 */
export function createStreamError(adapter: string, thrown: unknown, key: unknown): ToolwrightError {
  const isReported =
    getField(thrown, 'error') !== undefined ||
    getField(thrown, 'name') === 'SyntaxError' ||
    getStatus(thrown) !== undefined ||
    isUnreadable(thrown);
  if (isReported || thrown instanceof ToolwrightError) return createRequestError(adapter, thrown, key);
  const problem = `${adapter} broke off its answer: ${listCauses(thrown, key)}`;
  return new ThrottleError(problem, { kind: 'connection', failure: 'cut_off', cause: redactValue(thrown, key) });
}

/** Codes of providers for content that they do not answer. */
const POLICY_CODES: ReadonlySet<unknown> = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
  'moderation_blocked',
]);

/** How providers say that a request is longer than the context of the model; some have no code for it. */
const TOO_LONG = new RegExp(
  [
    'context[_ ](length|window|limit|size)',
    'maximum (context|prompt length)',
    'prompt is too long',
    'input (is too long|token count)',
    'too many (input )?tokens',
  ].join('|'),
  'i',
);

/** Returns why the provider refuses a request that another one may answer; undefined if the request is at fault. */
function findRefusal(thrown: unknown, status: number): ProviderFailure | undefined {
  if (status === 401 || status === 403) return 'auth';
  if (status === 413) return 'too_long';
  if (status !== 400 && status !== 422) return undefined;
  const code = getCode(thrown);
  if (POLICY_CODES.has(code)) return 'content_policy';
  const said = `${String(code)} ${readProviderMessage(thrown, status)}`;
  // Anthropic has no status of its own for it.
  if (/credit balance is too low/i.test(said)) return 'quota';
  return TOO_LONG.test(said) ? 'too_long' : undefined;
}

/** Returns how a status is throttled, or undefined if another request would not help. */
function findThrottle(thrown: unknown, status: number): ThrottleDetails | undefined {
  const retryAfter = readRetryAfter(thrown);
  if (status === 402 || (status === 429 && getCode(thrown) === 'insufficient_quota')) {
    const remedy = 'The account is used up; waiting does not help.';
    return { kind: 'quota_exhausted', retryAfter, retrySafe: false, remedy };
  }
  if (status === 429) return { kind: 'rate_limit', retryAfter };
  return status >= 500 || status === 408 ? { kind: 'overloaded', retryAfter } : undefined;
}

/** Returns true if the client rejects an answer with a good status. */
function isUnreadable(thrown: unknown, status = getStatus(thrown)): boolean {
  const isNone = UNREADABLE.test(String(getField(thrown, 'name'))) || messageOf(thrown).startsWith(NO_OBJECT);
  return isNone || (status !== undefined && status >= 200 && status < 300);
}

/** Reads a header. Some clients keep the headers in a plain object with lower-case names. */
function getHeader(thrown: unknown, name: string): string {
  const headers = getField(thrown, 'headers');
  const found = headers instanceof Headers ? headers.get(name) : getField(getField(thrown, 'responseHeaders'), name);
  return typeof found === 'string' ? found : '';
}

/** Returns the seconds of the header, which may also hold a date. */
function readRetryAfter(thrown: unknown): number | undefined {
  const milliseconds = Number.parseFloat(getHeader(thrown, 'retry-after-ms'));
  if (milliseconds >= 0) return milliseconds / 1_000;
  const reported = getHeader(thrown, 'retry-after');
  const seconds = /^\s*\d/.test(reported) ? Number.parseFloat(reported) : (Date.parse(reported) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Returns the provider's error object. Some clients keep the body of the answer, others only the error in it. */
function getProviderError(thrown: unknown): unknown {
  const body = getField(thrown, 'error') ?? getField(thrown, 'data');
  return getField(body, 'error') ?? body;
}

function getCode(thrown: unknown): unknown {
  return getField(thrown, 'code') ?? getField(getProviderError(thrown), 'code');
}

function getStatus(thrown: unknown): number | undefined {
  const status = getField(thrown, 'status') ?? getField(thrown, 'statusCode');
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}

/** Returns the status of an error in the middle of a stream, derived from its code or type. */
function findStatusByCode(error: unknown): number | undefined {
  const code = getField(error, 'code');
  return typeof code === 'number' ? code : (STATUSES.get(code) ?? STATUSES.get(getField(error, 'type')));
}

/** Returns the provider's message. The client puts the status in front of it, as in `429 Too many requests`. */
function readProviderMessage(thrown: unknown, status: number): string {
  const reported = getField(getProviderError(thrown), 'message');
  if (typeof reported === 'string' && reported !== '') return reported;
  const message = messageOf(thrown);
  return message.startsWith(`${String(status)} `) ? message.slice(String(status).length + 1) : message;
}

function readRequestId(thrown: unknown): string {
  const id = getField(thrown, 'requestID');
  return typeof id === 'string' && id !== '' ? ` (request ${id})` : '';
}

/**
 * Joins the messages of the causes, without the key: `Connection error.` does not help, and the message of the system is
 * two causes deeper.
 */
function listCauses(thrown: unknown, key: unknown): string {
  const messages = [messageOf(thrown)];
  let link = getField(thrown, 'cause');
  for (let depth = 1; depth < MAX_FAILURE_CAUSES && link !== undefined; depth++) {
    const message = messageOf(link);
    if (!messages.includes(message)) messages.push(message);
    link = getField(link, 'cause');
  }
  return cutMessage(redactText(messages.join(' ← '), key));
}

function getField(value: unknown, name: string): unknown {
  return isObject(value) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function cutMessage(text: string): string {
  return text.length > MAX_FAILURE_CHARS ? `${text.slice(0, MAX_FAILURE_CHARS)}…` : text;
}
