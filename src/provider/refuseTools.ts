import { MAX_DEFERRED_BYTES, MAX_DEFERRED_TOOLS, MAX_TOOL_NAME_CHARS } from '../common/limits.js';
import { getOrCreate } from '../common/memoize.js';
import { joinBounded, quote } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ToolSchema } from '../interface/ModelAdapter.js';

/** The limits of a provider for tools. Beyond them it answers the whole request with 400, and names only a position. */
export interface ToolLimits {
  /** Maximum number of tools in one request. */
  readonly count: number;
  /** Maximum number of characters of a description. */
  readonly description: number;
  /** Returns further problems of one tool. */
  readonly problems?: ((tool: ToolSchema) => readonly string[]) | undefined;
}

/**
 * Checks the tools of a request before it is sent (docs/contract.md, 2).
 *
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function refuseTools(adapter: string, schemas: readonly ToolSchema[], limits: ToolLimits): void {
  const { count, description, problems: further } = limits;
  const problems = schemas.flatMap((tool) => [...findTextProblems(tool, description), ...(further?.(tool) ?? [])]);
  if (schemas.length > count)
    problems.unshift(`${String(schemas.length)} tools are offered, at most ${String(count)} are allowed`);
  if (problems.length === 0) return;
  throw new PromptEvaluationError(`${adapter} would refuse the request: ${joinBounded(problems, 5)}.`, {
    phase: 'request',
    remedy: 'Summarise or disable sections to offer fewer tools, or shorten the named texts.',
  });
}

const definitionBytes = new WeakMap<ToolSchema, number>();

/** Like `refuseTools`, for the tools that a request to Anthropic defers. */
export function refuseDeferred(adapter: string, deferred: readonly ToolSchema[]): void {
  const count = deferred.length;
  const bytes = count > MAX_DEFERRED_TOOLS ? 0 : sumDefinitions(deferred);
  if (count <= MAX_DEFERRED_TOOLS && bytes <= MAX_DEFERRED_BYTES) return;
  const problem =
    count > MAX_DEFERRED_TOOLS
      ? `${String(count)} tools are deferred, at most ${String(MAX_DEFERRED_TOOLS)} are allowed`
      : `the definitions of deferred tools have ${String(bytes)} bytes, at most ${String(MAX_DEFERRED_BYTES)} are allowed`;
  throw new PromptEvaluationError(`${adapter} would refuse the request: ${problem}.`, {
    phase: 'request',
    remedy: 'Disable sections to close fewer tools, defer fewer, or shorten their descriptions and schemas.',
  });
}

function sumDefinitions(tools: readonly ToolSchema[]): number {
  return tools.reduce((sum, tool) => sum + getOrCreate(definitionBytes, tool, measureDefinition), 0);
}

function measureDefinition({ name, description, parameters }: ToolSchema): number {
  return Buffer.byteLength(JSON.stringify({ name, description, input_schema: parameters }));
}

/** Rewrites an illegal name that a model made up, like `functions.find`: providers refuse it in the conversation. */
export function makeLegalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_TOOL_NAME_CHARS) || 'unnamed';
}

function findTextProblems({ name, description }: ToolSchema, longest: number): readonly string[] {
  const problems: string[] = [];
  const tooLong = (what: string, length: number, limit: number): string =>
    `${what} has ${String(length)} characters, at most ${String(limit)} are allowed`;
  if (name.length > MAX_TOOL_NAME_CHARS)
    problems.push(tooLong(`the tool name ${quote(name, 100)}`, name.length, MAX_TOOL_NAME_CHARS));
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    problems.push(`the tool name ${quote(name)} has characters other than a-z, A-Z, 0-9, _ and -`);
  if (description.length > longest)
    problems.push(tooLong(`the description of ${quote(name)}`, description.length, longest));
  return problems;
}
