import { brand, hasBrand } from '../common/brand.js';
import type { Usage } from '../value/Usage.js';
import type { EventHead } from './ToolInvoked.js';

/** The fields of `PromptRendered`. */
export interface PromptRenderedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  readonly text: string;
  readonly toolNames: readonly string[];
}

/** A prompt was rendered for a run (docs/contract.md, 9). */
export class PromptRendered {
  constructor(fields: PromptRenderedFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  /** True if the value is an event of this class, of any copy of the package. */
  static is(this: void, value: unknown): value is PromptRendered {
    return hasBrand(value, 'PromptRendered');
  }
}
brand(PromptRendered, 'PromptRendered');
export interface PromptRendered extends PromptRenderedFields {}

/** The fields of `PromptExecuted`. */
export interface PromptExecutedFields extends EventHead {
  readonly prompt: string;
  readonly text: string | null;
  /** Of all requests of the run. */
  readonly usage: Usage | undefined;
  /** In the currency of `prices`; undefined without a price for the model. */
  readonly cost?: number | undefined;
  readonly turns: number;
  /** False if a completion checker refused the answer, and it was accepted nevertheless. */
  readonly complete: boolean;
}

/** A run returned its answer (docs/contract.md, 9). */
export class PromptExecuted {
  constructor(fields: PromptExecutedFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  /** True if the value is an event of this class, of any copy of the package. */
  static is(this: void, value: unknown): value is PromptExecuted {
    return hasBrand(value, 'PromptExecuted');
  }
}
brand(PromptExecuted, 'PromptExecuted');
export interface PromptExecuted extends PromptExecutedFields {}
