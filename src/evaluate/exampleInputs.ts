import type { Serialiser } from '../schema/serialise.js';
import type { ToolExample } from '../tool/ToolHandler.js';

/** Returns the inputs of a tool's examples as a model would write them (docs/contract.md, 2). */
export function exampleInputs(
  examples: readonly ToolExample[] = [],
  serialiser: Serialiser,
): readonly Readonly<Record<string, unknown>>[] {
  return examples.flatMap(({ input }) =>
    input === null ? [] : [serialiser.toPlain(input) as Readonly<Record<string, unknown>>],
  );
}
