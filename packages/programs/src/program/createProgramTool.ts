import {
  definePrompt,
  defineSection,
  defineTool,
  type JsonSchema,
  Param,
  type ToolContext,
  type ToolResult,
} from 'toolwright';
import { memoize } from 'toolwright/internal/light';
import type { Awaitable, ToolMetadata } from 'toolwright/types';
import { buildPrompts, freezePlain } from 'toolwright/internal';

/** The name of the tool that runs programs. */
export const PROGRAM_TOOL = 'execute_program';

/** Runs a program within the call that contains it. */
export type ProgramHandler = (code: string, context: ToolContext) => Awaitable<ToolResult>;

/** The parameters of `execute_program`. */
class ExecuteProgramParams {
  @Param({ description: 'The program', type: String })
  code!: string;
}

/** Compiled like a user's tool, once. */
const compiled = memoize((): ToolMetadata => {
  const tool = defineTool({
    name: PROGRAM_TOOL,
    description:
      'Run one TypeScript program that calls tools, with variables, branches and loops. The description of its code declares the tools.',
    params: ExecuteProgramParams,
    handler: null,
  });
  const sections = [defineSection({ key: 'programs', title: 'Programs', tools: [tool] })];
  const prompts = buildPrompts([definePrompt({ ns: 'toolwright', key: 'programs', sections })], {
    fieldNames: 'as-is',
    parse: {},
  });
  // It belongs to the prompt, not to a section.
  return { ...(prompts[0]?.allSections[0]?.tools[0] as ToolMetadata), sectionPath: '' };
});

/**
 * Creates the tool `execute_program {code}`.
 *
 * @param description of the parameter `code`: the declarations of the tools, and the rules for programs
 */
export function createProgramTool(run: ProgramHandler, description?: string): ToolMetadata {
  const metadata = compiled();
  return Object.freeze({
    ...metadata,
    invoke: (_owner: object, params: unknown, context: ToolContext) =>
      run((params as ExecuteProgramParams).code, context),
    ...(description === undefined ? {} : { params: null, schema: describeSchema(metadata.schema, description) }),
  });
}

function describeSchema(schema: JsonSchema, description: string): JsonSchema {
  const { code } = schema['properties'] as { readonly code: JsonSchema };
  return freezePlain({ ...schema, properties: { code: { ...code, description } } });
}
