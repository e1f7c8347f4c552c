import type { JsonSchema, RenderedTool } from 'toolwright';
import type { ToolMetadata } from 'toolwright/types';
import { writeShapeSchema } from 'toolwright/internal';
import { isObject } from 'toolwright/internal/light';

/** The schema of a tool's structured result. */
export interface OutputForm {
  readonly schema: JsonSchema;
  /** True if the value is wrapped as `result`, since the protocol accepts objects only. */
  readonly isWrapped: boolean;
}

const known = new WeakMap<ToolMetadata, { readonly form: OutputForm | undefined }>();

/** Returns the result schema of a tool in the form of MCP; undefined if the tool declares none, or if MCP cannot express it. */
export function findOutputForm({ metadata }: RenderedTool): OutputForm | undefined {
  const before = known.get(metadata);
  if (before !== undefined) return before.form;
  const form = formOf(metadata);
  known.set(metadata, { form });
  return form;
}

function formOf({ result, returnSchema, resultMismatch }: ToolMetadata): OutputForm | undefined {
  // Clients refuse an answer that does not match its published schema.
  if (resultMismatch === 'warn') return undefined;
  const schema =
    returnSchema ?? (result === null ? undefined : (removeTupleRest(writeShapeSchema(result)) as JsonSchema));
  if (schema === undefined || result?.kind === 'null') return undefined;
  if (schema['type'] === 'object') return { schema, isWrapped: false };
  // Inside a wrapper, a reference to the root would refer to the wrapper.
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
 * Removes `items: false` from the schemas of tuples. `maxItems` says the same, and the validator of the SDK's client does not support
 * `prefixItems`, so it would refuse every item.
 */
function removeTupleRest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeTupleRest);
  if (!isObject(value)) return value;
  const isTuple = 'prefixItems' in value && 'maxItems' in value;
  const entries = Object.entries(value).filter(([key, entry]) => !(isTuple && key === 'items' && entry === false));
  return Object.fromEntries(entries.map(([key, entry]) => [key, removeTupleRest(entry)]));
}

function refersToRoot(schema: JsonSchema): boolean {
  return /"\$(?:ref|dynamicRef)":"#(?!\/\$defs\/)/.test(JSON.stringify(schema)) || '$id' in schema;
}
