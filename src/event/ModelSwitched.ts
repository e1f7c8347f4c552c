import { brand } from '../common/brand.js';
import type { ProviderFailure } from '../error/ProviderFailure.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `ModelSwitched`. */
export interface ModelSwitchedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The id of the conversation; empty for a run without a conversation. */
  readonly conversation: string;
  /** The request that is repeated; 1 for the first request of the run. */
  readonly turn: number;
  /** The name of the adapter that did not answer. */
  readonly from: string;
  /** The name of the adapter that gets the request, and the run with it. */
  readonly to: string;
  readonly failure: ProviderFailure;
  /** The message of the first one's error, redacted. */
  readonly problem: string;
}

/** A run goes on with another model, because its model did not answer (docs/providers.md). */
export class ModelSwitched extends FrozenEvent<ModelSwitchedFields> {}
brand(ModelSwitched, 'ModelSwitched');
export interface ModelSwitched extends ModelSwitchedFields {}
