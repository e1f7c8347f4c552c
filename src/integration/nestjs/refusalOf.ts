import { ToolRefusal } from '../../error/toolErrors.js';

/** An HTTP exception of Nest; recognised by its methods, since two copies of Nest may be loaded. */
interface HttpFailure extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** Returns the text for the model of an exception that blames the caller (400 to 499); undefined for any other. */
export function refusalText(thrown: unknown): string | undefined {
  if (!isHttpFailure(thrown)) return undefined;
  const status = thrown.getStatus();
  return status >= 400 && status < 500 ? (messageIn(thrown.getResponse()) ?? thrown.message) : undefined;
}

/** Converts an exception that blames the caller to a refusal; returns any other unchanged. */
export function refusalOf(thrown: unknown): unknown {
  const text = refusalText(thrown);
  return text === undefined ? thrown : new ToolRefusal(text, { cause: thrown });
}

function isHttpFailure(value: unknown): value is HttpFailure {
  if (!(value instanceof Error)) return false;
  const { getStatus, getResponse } = value as Partial<HttpFailure>;
  return typeof getStatus === 'function' && typeof getResponse === 'function';
}

/** Returns the message of a response; pipes send a list of messages. */
function messageIn(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const { message } = response as { readonly message?: unknown };
  if (typeof message === 'string') return message;
  return Array.isArray(message) ? message.map(String).join('; ') : undefined;
}
