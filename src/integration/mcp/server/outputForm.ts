import type { JsonSchema } from '../../../common/types.js';
import type { ToolMetadata } from '../../../metadata/ToolMetadata.js';
import type { RenderedTool } from '../../../prompt/RenderedTool.js';
import { schemaOf } from '../../../schema/jsonSchema.js';

/** The form of a tool's structured result. */
export interface OutputForm {
  readonly schema: JsonSchema;
  /** True where the value stands under `result`, since the protocol takes objects only. */
  readonly isWrapped: boolean;
}

const known = new WeakMap<ToolMetadata, { readonly form: OutputForm | undefined }>();

/** What a tool declares of its result, as MCP says it; undefined where it declares nothing, or what cannot be said. */
export function outputForm({ metadata }: RenderedTool): OutputForm | undefined {
  const before = known.get(metadata);
  if (before !== undefined) return before.form;
  const form = formOf(metadata);
  known.set(metadata, { form });
  return form;
}

function formOf({ result, returnSchema }: ToolMetadata): OutputForm | undefined {
  const schema = returnSchema ?? (result === null ? undefined : (withoutRest(schemaOf(result)) as JsonSchema));
  if (schema === undefined || result?.kind === 'null') return undefined;
  if (schema['type'] === 'object') return { schema, isWrapped: false };
  // Within a wrapper, its own root would be another one.
  if (refersToRoot(schema)) return undefined;
  const { $defs, $schema, ...value } = schema;
  return {
    schema: {
      ...($schema === undefined ? {} : { $schema }),
      type: 'object',
      properties: { result: value },
      required: ['result'],
      additionalProperties: false,
      ...($defs === undefined ? {} : { $defs }),
    },
    isWrapped: true,
  };
}

/**
 * The same schema, in which a tuple does without `items: false`: it says no more than `maxItems` does, and the validator of the
 * SDK's client, which does not know `prefixItems`, refuses every item for it.
 */
function withoutRest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRest);
  if (typeof value !== 'object' || value === null) return value;
  const isTuple = 'prefixItems' in value && 'maxItems' in value;
  const entries = Object.entries(value).filter(([key, entry]) => !(isTuple && key === 'items' && entry === false));
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutRest(entry)]));
}

function refersToRoot(schema: JsonSchema): boolean {
  return /"\$(?:ref|dynamicRef)":"#(?!\/\$defs\/)/.test(JSON.stringify(schema)) || '$id' in schema;
}
