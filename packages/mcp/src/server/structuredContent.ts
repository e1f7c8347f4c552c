import type { RenderedTool } from 'toolwright';
import { serialiserOf } from 'toolwright/internal';
import { outputForm } from './outputForm.js';

type Plain = Readonly<Record<string, unknown>>;

/**
 * Returns a tool's value so that it fits the published schema: clients validate it, and refuse answers with additional keys.
 * Undefined if no schema is published, or if there is no value.
 */
export function structuredContent(tool: RenderedTool, value: unknown): Plain | undefined {
  const form = outputForm(tool);
  if (form === undefined || value === null || value === undefined) return undefined;
  const { result, returnSchema, fieldNames } = tool.metadata;
  const declared = returnSchema === null ? result : null;
  const options = declared === null ? {} : { type: declared, declaredOnly: true };
  const plain = serialiserOf(fieldNames).toPlain(value, options);
  return form.isWrapped ? { result: plain } : (plain as Plain);
}
