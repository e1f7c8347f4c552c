import type { ToolMetadata } from '../metadata/ToolMetadata.js';
import { serialiserOf } from '../schema/write/serialise.js';

/** Returns the inputs of a tool's examples as a model would write them (docs/contract.md, 2). */
export function exampleInputs({
  examples,
  fieldNames,
}: Pick<ToolMetadata, 'examples' | 'fieldNames'>): readonly Readonly<Record<string, unknown>>[] {
  const serialiser = serialiserOf(fieldNames);
  return examples.flatMap(({ input }) =>
    input === null ? [] : [serialiser.toPlain(input) as Readonly<Record<string, unknown>>],
  );
}
