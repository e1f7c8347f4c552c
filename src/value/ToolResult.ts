import { brand, hasBrand } from '../common/brand.js';
import { messageOf } from '../common/text.js';

/** The fields of a result; all but the message have defaults. */
export interface ToolResultFields<T> {
  readonly message: string;
  readonly value?: T | null | undefined;
  readonly success?: boolean | undefined;
  readonly excludeValueFromContext?: boolean | undefined;
}

/**
 * The result of a tool call: a message for the model, a value, and a success flag. Immutable.
 * The model reads the message and the rendered value; `excludeValueFromContext` keeps the value out of that text
 * (it is no security boundary: events and transcripts still hold it). Implements docs/contract.md, 5.
 *
 * @example
 * return order ? ToolResult.ok(order, 'Order found.') : ToolResult.error(`No order ${params.orderId}.`);
 */
export class ToolResult<T = unknown> {
  readonly message: string;
  readonly value: T | null;
  readonly success: boolean;
  readonly excludeValueFromContext: boolean;

  constructor({ message, value = null, success = true, excludeValueFromContext = false }: ToolResultFields<T>) {
    // A handler may pass a caught error as the message, and a message that is not a string would end the run.
    this.message = messageOf(message);
    this.value = value;
    this.success = success;
    this.excludeValueFromContext = excludeValueFromContext;
    Object.freeze(this);
  }

  /** A successful result; without a value the model reads just the message. */
  static ok<T = null>(value?: T, message = 'OK'): ToolResult<T> {
    return new ToolResult<T>({ message, value });
  }

  /** A failed result: the call is rolled back, and the model reads the message (and the value, if there is one). */
  static error<T = never>(message: string, options: { readonly value?: T | undefined } = {}): ToolResult<T> {
    return new ToolResult<T>({ message, value: options.value, success: false });
  }

  /** True if the value is a `ToolResult`, of any copy of the package. */
  static is(this: void, value: unknown): value is ToolResult {
    return hasBrand(value, 'ToolResult');
  }
}
brand(ToolResult, 'ToolResult');
