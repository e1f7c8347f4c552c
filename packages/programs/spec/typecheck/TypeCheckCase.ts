import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeclaredTool } from '../../src/declare/writeDeclarations.js';
import type { JsonSchema } from 'toolwright';

/** A program, and its expected verdict. */
export interface TypeCheckCase {
  readonly id: string;
  readonly tools: readonly DeclaredTool[];
  readonly code: string;
  readonly verdict: 'ok' | 'wrong';
  readonly at?: { readonly line: number } | undefined;
}

/** A tool as a file has it: with a schema of its arguments, or with a list of them as in the cases of code mode. */
interface ToolText {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
  readonly params?: readonly { readonly name: string; readonly type: string; readonly default?: unknown }[];
  readonly returns?: JsonSchema | null;
}

/** Those of the file that TYPECHECK_CASES names, else our own. */
export function loadCases(file = process.env['TYPECHECK_CASES']): readonly TypeCheckCase[] {
  if (file === undefined) return [...ownCases('right.txt', 'ok'), ...ownCases('wrong.txt', 'wrong')];
  const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly (Omit<TypeCheckCase, 'tools'> & {
    readonly tools: readonly ToolText[];
  })[];
  return cases.map((each) => ({ ...each, tools: each.tools.map(toolOf) }));
}

/** Programs below lines such as `=== id @2`: the number is the line that is wrong. */
function ownCases(file: string, verdict: TypeCheckCase['verdict']): readonly TypeCheckCase[] {
  const tools = (JSON.parse(readFileSync(join(__dirname, 'tools.json'), 'utf8')) as readonly ToolText[]).map(toolOf);
  const parts = readFileSync(join(__dirname, file), 'utf8').split(/^=== /m).slice(1);
  return parts.map((part) => {
    const [head = '', ...lines] = part.trimEnd().split('\n');
    const [id = '', line] = head.split(' @');
    const code = lines.join('\n');
    return {
      id: `${verdict} ${id}`,
      tools,
      code,
      verdict,
      at: line === undefined ? undefined : { line: Number(line) },
    };
  });
}

function toolOf({ name, description = '', parameters, params = [], returns = null }: ToolText): DeclaredTool {
  const properties = Object.fromEntries(
    params.map(({ name: key, type, default: initial }) => [
      key,
      { ...(type === 'any' ? {} : { type }), ...(initial === undefined ? {} : { default: initial }) },
    ]),
  );
  const required = params.filter((each) => each.default === undefined).map((each) => each.name);
  const schema = parameters ?? { type: 'object', properties, required, additionalProperties: false };
  return { name, description, params: null, schema, result: null, returnSchema: returns };
}
