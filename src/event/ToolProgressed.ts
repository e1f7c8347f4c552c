import { brand } from '../common/brand.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

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
export class ToolProgressed extends FrozenEvent<ToolProgressedFields> {}
brand(ToolProgressed, 'ToolProgressed');
export interface ToolProgressed extends ToolProgressedFields {}
