import { brand } from '../common/brand.js';
import type { SectionCost } from '../value/SectionCost.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `SectionsRequested`. */
export interface SectionsRequestedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The name of the called tool, usually `open_sections`. */
  readonly name: string;
  readonly callId: string;
  /** The keys as sent by the model. */
  readonly sectionKeys: readonly string[];
  /** The reason given by the model. */
  readonly reason: string;
  /**
   * The cost of opening each of them; empty if the request would open nothing in the prompt, or the prompt cannot be
   * rendered.
   */
  readonly costs: readonly SectionCost[];
}

/** The model requested summarised sections in full. `ToolInvoked` reports the outcome (docs/contract.md, 9 and 12). */
export class SectionsRequested extends FrozenEvent<SectionsRequestedFields> {}
brand(SectionsRequested, 'SectionsRequested');
export interface SectionsRequested extends SectionsRequestedFields {}
