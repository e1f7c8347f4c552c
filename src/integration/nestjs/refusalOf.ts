import { ToolRefusal } from '../../error/toolErrors.js';

/** An exception by which Nest answers a request; told by its methods, since two copies of Nest may be loaded. */
interface HttpFailure extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** What an exception of the host says that blames the caller (400 to 499): for the model. Undefined for any other. */
export function refusalText(thrown: unknown): string | undefined {
  if (!isHttpFailure(thrown)) return undefined;
  const status = thrown.getStatus();
  return status >= 400 && status < 500 ? (messageIn(thrown.getResponse()) ?? thrown.message) : undefined;
}

/** The exception as a tool tells it: one that blames the caller is a refusal, any other stays what it is. */
export function refusalOf(thrown: unknown): unknown {
  const text = refusalText(thrown);
  return text === undefined ? thrown : new ToolRefusal(text, { cause: thrown });
}

function isHttpFailure(value: unknown): value is HttpFailure {
  if (!(value instanceof Error)) return false;
  const { getStatus, getResponse } = value as Partial<HttpFailure>;
  return typeof getStatus === 'function' && typeof getResponse === 'function';
}

/** Pipes list what is wrong in `message`. */
function messageIn(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const { message } = response as { readonly message?: unknown };
  if (typeof message === 'string') return message;
  return Array.isArray(message) ? message.map(String).join('; ') : undefined;
}
