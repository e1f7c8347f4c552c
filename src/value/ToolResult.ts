import { brand } from '../common/brand.js';
import { isArray, isRecord } from '../common/guards.js';
import { messageOf } from '../common/text.js';
import type { ContentPart } from './ContentPart.js';

/** The message of a success without a message. */
export const NO_MESSAGE = 'OK';

/** The message of a failure without a reason. */
const NO_REASON = 'The tool failed, and gave no reason.';

/** The fields of a result. Only the message is required. */
export interface ToolResultFields<T> {
  readonly message: string;
  readonly value?: T | null | undefined;
  readonly success?: boolean | undefined;
  readonly excludeValueFromContext?: boolean | undefined;
  /** Images, files, audio and further texts that the model gets after the text. A failed result has none. */
  readonly parts?: readonly ContentPart[] | undefined;
}

/**
 * The result of a tool call: a message for the model, a value, parts such as images, and a success flag. Immutable. The
 * model reads the message and the rendered value, then the parts. `excludeValueFromContext` keeps the value out of that
 * text; it is not a security boundary, because events and transcripts still hold the value. Implements
 * docs/contract.md, 5.
 *
 * @example
 * return order ? ToolResult.ok(order, 'Order found.') : ToolResult.error(`No order ${params.orderId}.`);
 */
export class ToolResult<T = unknown> {
  readonly message: string;
  readonly value: T | null;
  readonly success: boolean;
  readonly excludeValueFromContext: boolean;
  /** Undefined if the result has no parts. Checked when the call reads the result (docs/contract.md, 5). */
  declare readonly parts?: readonly ContentPart[] | undefined;

  constructor({ message, value = null, success = true, excludeValueFromContext = false, parts }: ToolResultFields<T>) {
    this.message = describeMessage(message, success, value);
    this.value = value;
    this.success = success;
    this.excludeValueFromContext = excludeValueFromContext;
    const own = success ? copyParts(parts) : undefined;
    if (own !== undefined) this.parts = own;
    Object.freeze(this);
  }

  /**
   * Creates a successful result. Without a message, the model reads only the value, as if the handler had returned it,
   * or `OK` if there is no value.
   *
   * @example
   * return ToolResult.ok(null, 'The floor plan.', { parts: [{ kind: 'image', mediaType: 'image/png', data: png.toString('base64') }] });
   */
  static ok<T = null>(
    value?: T,
    message = value === undefined || value === null ? NO_MESSAGE : '',
    options: { readonly parts?: readonly ContentPart[] | undefined } = {},
  ): ToolResult<T> {
    return new ToolResult<T>({ message, value, parts: options.parts });
  }

  /**
   * Creates a failed result. The call is rolled back, and the model reads the message and the value, if there is one.
   *
   * @param options `value` may be anything; the declared type applies only to successful results
   */
  static error(message: string, options: { readonly value?: unknown } = {}): ToolResult<never> {
    return new ToolResult<unknown>({ message, value: options.value, success: false }) as ToolResult<never>;
  }
}
brand(ToolResult, 'ToolResult');

/**
 * Returns the message as text. A handler may pass a caught error, or anything if it is written without types. A message
 * that is not a string would end the run, and "undefined" tells the model nothing.
 */
function describeMessage(message: unknown, success: boolean, value: unknown): string {
  if (typeof message === 'string') return success || message.trim() !== '' ? message : NO_REASON;
  if (message === undefined || message === null || typeof message === 'function') {
    if (!success) return NO_REASON;
    return value === null ? NO_MESSAGE : '';
  }
  return messageOf(message);
}

/**
 * Copies the parts, because the handler may change its own list later. A value that is not a list is kept, so that the
 * check reports it.
 */
function copyParts(given: unknown): readonly ContentPart[] | undefined {
  if (!isArray(given)) return (given ?? undefined) as readonly ContentPart[] | undefined;
  if (given.length === 0) return undefined;
  // Spreading a list or a buffer would copy it entry by entry, and neither is a part.
  const isCopied = (part: unknown): part is object => isRecord(part) && !ArrayBuffer.isView(part);
  const copies = Array.from(given, (part) => (isCopied(part) ? Object.freeze({ ...part }) : part));
  return Object.freeze(copies) as readonly ContentPart[];
}
