import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import type { ClassShape, Parser, TypeShape } from '../../metadata/ClassShape.js';
import type { ToolTexts } from '../../metadata/args/ToolMetadataArgs.js';
import type { ToolExample } from '../../tool/ToolHandler.js';
import { createParser } from '../../schema/parse/parser.js';
import { findResultIssues } from '../../schema/write/Conformity.js';
import { findOutputIssues } from '../findOutputIssues.js';
import type { Rule, ToolDraft } from '../PromptDraft.js';
import { findDescriptionProblem } from './checkToolDescriptions.js';
import { createToolFinding } from './createFindings.js';

/** The types that an example must match. Undefined for types that could not be read, which are reported elsewhere. */
interface ExampleTarget {
  readonly params: ClassShape | null | undefined;
  /** The parser of params described by a schema of another library. */
  readonly parse: Parser | null;
  readonly result: TypeShape | null | undefined;
  /** True if a JSON Schema declares the result: other properties are allowed. */
  readonly isOpen: boolean;
  readonly texts: ToolTexts;
}

/** Returns the reason why an example cannot be a real call, and the invalid part; undefined for a valid example. */
export function findExampleProblem(
  target: ExampleTarget,
  example: ToolExample,
): { readonly problem: string; readonly placeholder: 'description' | 'examples' } | undefined {
  const wrongDescription = findDescriptionProblem(example.description, target.texts);
  if (wrongDescription !== undefined) return { problem: wrongDescription, placeholder: 'description' };
  const problem = findInputProblem(target, example) ?? findOutputProblem(target, example);
  return problem === undefined ? undefined : { problem, placeholder: 'examples' };
}

/** Checks that an example could have been a real call (E109). */
export const checkToolExamples: Rule = ({ allTools, toolTexts }) =>
  allTools.flatMap((tool) =>
    (tool.options.examples ?? []).flatMap((example, index) => {
      const found = findExampleProblem(createTarget(tool, toolTexts), example);
      if (found === undefined) return [];
      const { problem, placeholder } = found;
      return [createToolFinding('E109', tool, `example ${String(index + 1)}: ${problem}`, { placeholder })];
    }),
  );

function createTarget({ params, foreignParams, result, options }: ToolDraft, texts: ToolTexts): ExampleTarget {
  const parse = foreignParams?.parse ?? null;
  return {
    params: params === null && options.params !== undefined ? undefined : params,
    parse,
    result: result === null || 'kind' in result ? result : undefined,
    isOpen: options.returnSchema !== undefined,
    texts,
  };
}

function findInputProblem({ params, parse }: ExampleTarget, { input }: ToolExample): string | undefined {
  if (parse !== null) return explainRefusal(parse, input);
  if (params === undefined) return undefined;
  if (params === null) return input === null ? undefined : 'its input must be null, since the tool takes no params';
  if (!isObject(input)) return `its input must be a ${params.name}`;
  const prototype: unknown = Object.getPrototypeOf(input);
  if (prototype === params.type.prototype) {
    return formatRefusal('its input would be refused', findResultIssues({ kind: 'object', shape: params }, input));
  }
  if (prototype !== Object.prototype) return `its input is a ${className(input.constructor)}, not a ${params.name}`;
  return explainRefusal(createParser(params), input);
}

function explainRefusal(parse: Parser, input: unknown): string | undefined {
  const parsed = parse(input);
  return parsed.ok ? undefined : formatRefusal('its input would be refused', parsed.issues);
}

function findOutputProblem({ result, isOpen }: ExampleTarget, { output }: ToolExample): string | undefined {
  if (result === undefined) return undefined;
  if (result === null)
    return output === null ? undefined : 'its output must be null, since the tool declares no result';
  if (output === null) return 'its output must not be null, since the tool declares a result';
  return formatRefusal(
    'its output is not a declared result',
    (isOpen ? findResultIssues : findOutputIssues)(result, output),
  );
}

function formatRefusal(
  problem: string,
  issues: readonly { readonly path: string; readonly message: string }[],
): string | undefined {
  return issues.length === 0
    ? undefined
    : `${problem}: ${issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`;
}
