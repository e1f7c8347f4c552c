import { brand, hasBrand } from '../common/brand.js';
import type { EventHead } from './ToolInvoked.js';

/** The progress of a handler. */
export interface ToolProgress {
  /** From 0 to 1; left out if unknown. */
  readonly fraction?: number | undefined;
  readonly message?: string | undefined;
}

/** The fields of `ToolProgressed`. */
export interface ToolProgressedFields extends EventHead, ToolProgress {
  readonly name: string;
  readonly callId: string;
}

/** A handler reported its progress through `context.reportProgress` (docs/contract.md, 6). */
export class ToolProgressed {
  constructor(fields: ToolProgressedFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  /** True if the value is an event of this class, of any copy of the package. */
  static is(this: void, value: unknown): value is ToolProgressed {
    return hasBrand(value, 'ToolProgressed');
  }
}
brand(ToolProgressed, 'ToolProgressed');
export interface ToolProgressed extends ToolProgressedFields {}
