import { className } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ThrottleError, type ThrottleDetails } from '../../error/ThrottleError.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import { redactText, redactValue } from './redact.js';

const LONGEST_MESSAGE = 500;
const DEEPEST_CAUSE = 4;

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [400, 'The request is at fault; the message says where.'],
  [401, 'Check the key that the client was given.'],
  [403, 'Check that the key may use this model, from this region and project.'],
  [404, 'Check the name of the model and the base URL of the client.'],
]);

/**
 * What a failed request is told as. The client's errors are recognised by their fields, since the client is a type here
 * and no import (runtime contract, 16).
 *
 * @param adapter the name that the error shows
 * @param thrown what the client threw; an error of our own comes back as it is
 * @param key the key in use, which no part of the error shows afterwards
 */
export function requestFailure(adapter: string, thrown: unknown, key: unknown): ToolwrightError {
  if (ToolwrightError.is(thrown)) return thrown;
  const cause = redactValue(thrown, key);
  const status = statusOf(thrown);
  if (status !== undefined) {
    const id = requestIdOf(thrown);
    const said = cut(redactText(providerMessage(thrown, status), key));
    const problem = `${adapter} answered ${String(status)}: ${said}${id}`;
    const throttled = throttling(thrown, status);
    if (throttled !== undefined) return new ThrottleError(problem, { ...throttled, cause });
    return new PromptEvaluationError(problem, { phase: 'request', remedy: REMEDIES.get(status), cause });
  }
  // The client parses the body itself, so an answer that is no JSON arrives as its error.
  if (field(thrown, 'name') === 'SyntaxError') {
    return new PromptEvaluationError(`${adapter} answered something that is no JSON: ${cut(messageOf(cause))}`, {
      phase: 'response',
      code: 'E702',
      cause,
    });
  }
  const problem = `The request to ${adapter} failed: ${cut(redactText(chainOf(thrown), key))}`;
  // Neither a reset connection nor an unknown host has run anything: tools run only after an answer.
  if (className((thrown as object | undefined)?.constructor).startsWith('APIConnection'))
    return new ThrottleError(problem, { kind: 'connection', cause });
  return new PromptEvaluationError(problem, { phase: 'request', cause });
}

/** What a status says about asking again; undefined when asking again is no use. */
function throttling(thrown: unknown, status: number): ThrottleDetails | undefined {
  const retryAfter = retryAfterOf(field(thrown, 'headers'));
  if (status === 429 && field(thrown, 'code') === 'insufficient_quota') {
    const remedy = 'The account is used up; waiting does not help.';
    return { kind: 'quota_exhausted', retryAfter, retrySafe: false, remedy };
  }
  if (status === 429) return { kind: 'rate_limit', retryAfter };
  return status >= 500 || status === 408 ? { kind: 'overloaded', retryAfter } : undefined;
}

/** Seconds: the header holds them, or a date. */
function retryAfterOf(headers: unknown): number | undefined {
  if (!(headers instanceof Headers)) return undefined;
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds / 1_000;
  const said = headers.get('retry-after') ?? '';
  const seconds = /^\s*\d/.test(said) ? Number.parseFloat(said) : (Date.parse(said) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function statusOf(thrown: unknown): number | undefined {
  const status = field(thrown, 'status');
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}

/** The client writes `429 Too many requests` where the provider only wrote the words. */
function providerMessage(thrown: unknown, status: number): string {
  const said = field(field(thrown, 'error'), 'message');
  if (typeof said === 'string' && said !== '') return said;
  const message = messageOf(thrown);
  return message.startsWith(`${String(status)} `) ? message.slice(String(status).length + 1) : message;
}

function requestIdOf(thrown: unknown): string {
  const id = field(thrown, 'requestID');
  return typeof id === 'string' && id !== '' ? ` (request ${id})` : '';
}

/** `Connection error.` alone helps nobody: what the system said stands two causes further down. */
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
