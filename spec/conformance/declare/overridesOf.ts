import type { JsonValue } from 'toolwright';
import type { ExampleOverride, PromptOverrides } from 'toolwright/overrides';
import type { ExampleSpec, OverridesSpec } from '../format';

/** The overrides of a case in our form; hashes that it does not name are those of what is declared. */
export function overridesOf({ sections = {}, tools = {} }: OverridesSpec): PromptOverrides {
  return {
    sections: Object.fromEntries(
      Object.entries(sections).map(([path, { body, summary, expected_hash: hash }]) => [
        path.replaceAll('/', '.'),
        { body, summary, bodyHash: hash, summaryHash: hash },
      ]),
    ),
    tools: Object.fromEntries(
      Object.entries(tools).map(
        ([name, { description, param_descriptions: params, examples, expected_hash: hash }]) => [
          name,
          { description, params, examples: examples?.map(exampleOf), contractHash: hash },
        ],
      ),
    ),
  };
}

/** Under which tag a case renders. */
export function renderTagOf(overrides: OverridesSpec | undefined): string | undefined {
  return overrides?.render_tag ?? overrides?.tag;
}

function exampleOf({ description, input = null, output = null }: ExampleSpec): ExampleOverride {
  return { description, input: dataOf(input), output: dataOf(output) };
}

/** Removes the marks that name the record of a value. */
function dataOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value), (key, entry: JsonValue) =>
    key === '$type' ? undefined : entry,
  ) as JsonValue;
}
