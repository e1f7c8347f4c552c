import { brand } from '../common/brand.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `ToolsRendered`. */
export interface ToolsRenderedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The offered tools, in order. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly sectionPath: string }[];
}

/** The tools of a rendering were offered to a model (docs/contract.md, 9). */
export class ToolsRendered extends FrozenEvent<ToolsRenderedFields> {}
brand(ToolsRendered, 'ToolsRendered');
export interface ToolsRendered extends ToolsRenderedFields {}
