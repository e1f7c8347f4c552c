import type { Constructor, JsonSchema } from '../common/types.js';
import type { OutputSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { ParseOutcome } from './ClassShape.js';

/** Whether an answer is one instance or a list of them. */
export type OutputContainer = 'object' | 'array';

/** The form that a final answer must have. Frozen. */
export interface OutputMetadata {
  /** The class of the answer, or of its items. */
  readonly type: Constructor;
  readonly container: OutputContainer;
  /** `Review`, or `an array of Review`: for messages. */
  readonly label: string;
  /** Always of an object: an array is its property `items`. Draft 2020-12. */
  readonly schema: JsonSchema;
  /** Reads the text of an answer. */
  readonly read: (text: string) => ParseOutcome;
  /** The schema as a provider is told of it; the same object each time. */
  readonly schemaFor: (target: SchemaTarget, options?: SchemaOptions) => OutputSchema;
}
