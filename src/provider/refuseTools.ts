import { listed, quote } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ToolSchema } from '../interface/ModelAdapter.js';

const LONGEST_NAME = 64;

/** What a provider takes of tools; the rest it would answer with 400 for the whole request, naming a position. */
export interface ToolLimits {
  /** How many tools one request may offer. */
  readonly count: number;
  /** How many characters a description may have. */
  readonly description: number;
  /** Further problems of one tool. */
  readonly problems?: ((tool: ToolSchema) => readonly string[]) | undefined;
}

/**
 * Looks at the tools of a request before it is sent (docs/contract.md, 2).
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

/** A made-up name like `functions.find` has been answered already; sent back as it is, the provider would refuse it. */
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
