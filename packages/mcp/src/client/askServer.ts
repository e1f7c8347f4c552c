import type { ToolContext } from 'toolwright';
import { messageOf, isObject } from 'toolwright/internal/light';
import { MAX_TIMER_MS } from 'toolwright/internal';
import { McpCallError } from './mcpErrors.js';
import { MAX_ANSWER_VALUES, MAX_PROGRESS_CHARS, MAX_PROGRESS_REPORTS } from '../limits.js';
import {
  isModern,
  type McpAnswerSchema,
  type McpConnection,
  type McpConnectionSource,
  type McpRequestOptions,
} from './McpConnection.js';
import { measureAnswer } from './measureAnswer.js';
import { sanitizeText } from './sanitizeText.js';

/** A request to a server. */
export interface McpQuestion {
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** Arguments that servers of revision 2026-07-28 want to have repeated in headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Limits of a request. */
export interface QuestionLimits {
  /** The timeout in milliseconds. */
  readonly timeoutMs: number;
  /** The most bytes of the answer. */
  readonly maxBytes: number;
  /** The most values of the answer; 20,000 when left out. */
  readonly maxValues?: number;
}

/** The codes of clients of 1.x are numbers; newer ones have names. */
const CONNECTION_CLOSED = -32_000;
const TIMED_OUT = new Set<unknown>([-32_001, 'REQUEST_TIMEOUT']);
const MALFORMED = new Set<unknown>(['INVALID_RESULT', 'UNSUPPORTED_RESULT_TYPE']);
const UNAUTHORIZED = new Set<unknown>([401, 403, 'CLIENT_HTTP_AUTHENTICATION', 'CLIENT_HTTP_FORBIDDEN']);
const UNKNOWN_METHOD = new Set<unknown>([-32_601, 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION']);
const NOT_ANSWERED: Readonly<Record<string, string>> = {
  CAPABILITY_NOT_SUPPORTED:
    'asked for input that this host cannot give: no handler of the client is registered for its question',
  INPUT_REQUIRED_ROUNDS_EXCEEDED: 'asked for input again and again',
};

/**
 * Accepts every answer, because the bridge checks answers itself. Newer clients read `~standard`, and clients of 1.x call
 * `safeParse`.
 */
const anyAnswer: McpAnswerSchema & { readonly safeParse: (data: unknown) => object } = {
  '~standard': { version: 1, vendor: 'toolwright', validate: (value) => ({ value }) },
  safeParse: (data) => ({ success: true, data }),
};

/** Returns the client of a source. */
export async function clientOf(source: McpConnectionSource): Promise<McpConnection> {
  return typeof source === 'function' ? source() : source;
}

/**
 * Sends a request to a server, and returns its answer within limits. Error messages contain no details of the host.
 *
 * @param context the context of the tool call: its signal cancels the request, and it receives progress reports
 * @throws McpCallError E678 for a missing authorization, E684 for an error of the server, E685 if it is unreachable, E686 for an answer that is not accepted
 */
export async function askServer(
  source: McpConnectionSource,
  { method, params, headers }: McpQuestion,
  { timeoutMs, maxBytes, maxValues = MAX_ANSWER_VALUES }: QuestionLimits,
  context?: ToolContext,
): Promise<Record<string, unknown>> {
  let answer: unknown;
  try {
    const client = await clientOf(source);
    const options = optionsFor(timeoutMs, context);
    const withHeaders = headers !== undefined && isModern(client) ? { ...options, headers } : options;
    answer = await client.request({ method, params }, anyAnswer, withHeaders);
  } catch (thrown) {
    throw failureOf(thrown, method);
  }
  if (!isObject(answer)) throw createMalformedError(method);
  if (measureAnswer(answer, maxBytes, maxValues) === undefined)
    throw new McpCallError(
      `The answer of the MCP server is larger than ${String(maxBytes)} bytes, holds more than ${String(maxValues)} values, or is too deep. It was dropped.`,
      { code: 'E686', place: method },
    );
  return answer as Record<string, unknown>;
}

/** Checks for the error of a server that does not support a request. */
export function isUnknownMethod(error: unknown): boolean {
  const code =
    error instanceof McpCallError ? (error.cause as { readonly code?: unknown } | undefined)?.code : undefined;
  return UNKNOWN_METHOD.has(code);
}

function optionsFor(timeout: number, context: ToolContext | undefined): McpRequestOptions {
  if (context === undefined) return { timeout };
  const { signal } = context;
  let reports = 0;
  return {
    // The dispatcher ends the call by its signal. With a second timer, the reported reason would be random.
    timeout: MAX_TIMER_MS,
    signal,
    onprogress: ({ progress, total, message }) => {
      if (signal.aborted || ++reports > MAX_PROGRESS_REPORTS) return;
      const isKnown = typeof total === 'number' && total > 0 && Number.isFinite(progress / total);
      try {
        context.reportProgress({
          ...(isKnown ? { fraction: Math.min(1, Math.max(0, progress / total)) } : {}),
          ...(typeof message === 'string' ? { message: sanitizeText(message, MAX_PROGRESS_CHARS) } : {}),
        });
      } catch {
        // The call has ended meanwhile, so the report is dropped.
      }
    },
  };
}

function failureOf(thrown: unknown, place: string): McpCallError {
  const { code } = Object(thrown) as { readonly code?: unknown };
  if (isUnauthorized(thrown))
    return new McpCallError('The MCP server wants an authorization that this host does not have yet.', {
      code: 'E678',
      place,
      cause: thrown,
    });
  if (MALFORMED.has(code)) return createMalformedError(place, thrown);
  const isAnswer = typeof code === 'number' && code !== CONNECTION_CLOSED && !TIMED_OUT.has(code);
  if (isAnswer) {
    const said = sanitizeText(messageOf(thrown).replace(/^(?:MCP error -?\d+: )+/, ''), MAX_PROGRESS_CHARS);
    return new McpCallError(`The MCP server refused the request: ${said}`, { code: 'E684', place, cause: thrown });
  }
  const asked = typeof code === 'string' && Object.hasOwn(NOT_ANSWERED, code) ? NOT_ANSWERED[code] : undefined;
  if (asked !== undefined) return new McpCallError(`The MCP server ${asked}.`, { code: 'E684', place, cause: thrown });
  const problem = TIMED_OUT.has(code) ? 'did not answer in time' : 'is out of reach';
  return new McpCallError(`The MCP server ${problem}.`, {
    code: 'E685',
    place,
    cause: thrown,
  });
}

function isUnauthorized(thrown: unknown): boolean {
  const { code, constructor } = Object(thrown) as {
    readonly code?: unknown;
    readonly constructor?: { readonly name?: unknown };
  };
  return UNAUTHORIZED.has(code) || constructor?.name === 'UnauthorizedError';
}

function createMalformedError(place: string, cause?: unknown): McpCallError {
  return new McpCallError('The answer of the MCP server does not follow the protocol. It was dropped.', {
    code: 'E686',
    place,
    cause,
  });
}
