import { listed, quote } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ToolSchema } from '../interface/ModelAdapter.js';

const LONGEST_NAME = 64;

/** The limits of a provider for tools. Beyond them it answers the whole request with 400, and names only a position. */
export interface ToolLimits {
  /** The most tools in one request. */
  readonly count: number;
  /** The most characters of a description. */
  readonly description: number;
  /** Returns further problems of one tool. */
  readonly problems?: ((tool: ToolSchema) => readonly string[]) | undefined;
}

/**
 * Checks the tools of a request before it is sent (docs/contract.md, 2).
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every limit that is exceeded
 */
export function refuseTools(adapter: string, schemas: readonly ToolSchema[], limits: ToolLimits): void {
  const { count, problems: further } = limits;
  const problems = [
    ...(schemas.length > count
      ? [`${String(schemas.length)} tools are offered, and at most ${String(count)} are possible`]
      : []),
    ...schemas.flatMap((tool) => [...textProblems(tool, limits), ...(further?.(tool) ?? [])]),
  ];
  if (problems.length === 0) return;
  throw new PromptEvaluationError(`${adapter} would refuse the request: ${listed(problems, 5)}.`, {
    phase: 'request',
    remedy: 'Summarise or disable sections to offer fewer tools; shorten or change what is named.',
  });
}

/** Rewrites a name that a model made up, like `functions.find`: providers refuse it in the conversation. */
export function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed';
}

function textProblems({ name, description }: ToolSchema, limits: ToolLimits): readonly string[] {
  const longest = limits.description;
  const tooLong = (what: string, length: number, limit: number): string =>
    `${what} has ${String(length)} characters, at most ${String(limit)} are possible`;
  return [
    ...(name.length > LONGEST_NAME ? [tooLong(`the tool name ${quote(name, 100)}`, name.length, LONGEST_NAME)] : []),
    ...(/^[a-zA-Z0-9_-]+$/.test(name)
      ? []
      : [`the tool name ${quote(name)} is not made of a-z, A-Z, 0-9, _ and - only`]),
    ...(description.length > longest
      ? [tooLong(`the description of ${quote(name)}`, description.length, longest)]
      : []),
  ];
}
