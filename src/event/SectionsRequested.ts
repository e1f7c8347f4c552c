import type { SectionCost } from '../value/SectionCost.js';
import type { EventHead } from './ToolInvoked.js';

/** The fields of `SectionsRequested`. */
export interface SectionsRequestedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The call that asks; its tool is usually `open_sections`. */
  readonly name: string;
  readonly callId: string;
  /** The keys as the model gave them. */
  readonly sectionKeys: readonly string[];
  /** Why it needs them. */
  readonly reason: string;
  /** What opening each of them costs; empty where nothing of the prompt would be opened, or it cannot be rendered. */
  readonly costs: readonly SectionCost[];
}

/** The model asked for summarised sections in full; what becomes of that, `ToolInvoked` tells (docs/contract.md, 9 and 12). */
export class SectionsRequested {
  constructor(fields: SectionsRequestedFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }
}
export interface SectionsRequested extends SectionsRequestedFields {}
