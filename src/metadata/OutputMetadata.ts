import type { Constructor, JsonSchema } from '../common/types.js';
import type { OutputSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { ParseOutcome } from './ClassShape.js';

/** The form of an answer: one instance, or a list of them. */
export type OutputContainer = 'object' | 'array';

/** The required form of a final answer. Frozen. */
export interface OutputMetadata {
  /** The class of the answer, or of its items. */
  readonly type: Constructor;
  readonly container: OutputContainer;
  /** Label for messages: `Review`, or `an array of Review`. */
  readonly label: string;
  /** Schema of the answer: always an object. A list is its property `items`. Draft 2020-12. */
  readonly schema: JsonSchema;
  /** Parses the text of an answer. */
  readonly read: (text: string) => ParseOutcome;
  /** Returns the schema as sent to a provider, the same object each time. */
  readonly schemaFor: (target: SchemaTarget, options?: SchemaOptions) => OutputSchema;
}
