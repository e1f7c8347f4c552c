import { brand } from '../common/brand.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `PromptDrifted`. */
export interface PromptDriftedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The id of the conversation. */
  readonly conversation: string;
  /** The paths of the sections that would have another text now. */
  readonly sections: readonly string[];
}

/**
 * The text of a prompt has changed since a conversation began, and the conversation keeps the old text. Published once
 * for each conversation and process (docs/contract.md, 17).
 */
export class PromptDrifted extends FrozenEvent<PromptDriftedFields> {}
brand(PromptDrifted, 'PromptDrifted');
export interface PromptDrifted extends PromptDriftedFields {}
