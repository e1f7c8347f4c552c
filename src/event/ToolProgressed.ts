import type { EventHead } from './ToolInvoked.js';

/** How far a handler has come. */
export interface ToolProgress {
  /** From 0 to 1, when it can be said. */
  readonly fraction?: number | undefined;
  readonly message?: string | undefined;
}

/** The fields of `ToolProgressed`. */
export interface ToolProgressedFields extends EventHead, ToolProgress {
  readonly name: string;
  readonly callId: string;
}

/** A handler told how far it has come, by `context.reportProgress` (docs/contract.md, 6). */
export class ToolProgressed {
  constructor(fields: ToolProgressedFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }
}
export interface ToolProgressed extends ToolProgressedFields {}
