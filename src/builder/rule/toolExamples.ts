import { className } from '../../common/classes.js';
import type { Parser } from '../../metadata/ClassShape.js';
import type { ToolExample } from '../../tool/ToolHandler.js';
import { createParser } from '../../schema/parser.js';
import { resultIssues } from '../../schema/conform.js';
import type { Rule, ToolDraft } from '../PromptDraft.js';
import { descriptionProblem } from './toolDescription.js';
import { toolFinding } from './toolFinding.js';

/** E109: an example could have been a real call. */
export const toolExamples: Rule = ({ allTools }) =>
  allTools.flatMap((tool) =>
    (tool.options.examples ?? []).flatMap((example, index) => {
      const where = `example ${String(index + 1)}`;
      const words = descriptionProblem(example.description);
      if (words !== undefined) return [toolFinding('E109', tool, `${where}: ${words}`, { placeholder: 'description' })];
      const problem = inputProblem(tool, example) ?? outputProblem(tool, example);
      return problem === undefined
        ? []
        : [toolFinding('E109', tool, `${where}: ${problem}`, { placeholder: 'examples' })];
    }),
  );

function inputProblem({ params, foreignParams, options }: ToolDraft, { input }: ToolExample): string | undefined {
  if (foreignParams !== null) return refusal(foreignParams.parse, input);
  // Params that could not be read are reported; whether an example fits them cannot be said.
  if (params === null && options.params !== undefined) return undefined;
  if (params === null) return input === null ? undefined : 'its input must be null, since the tool takes no params';
  if (typeof input !== 'object' || input === null) return `its input must be a ${params.name}`;
  const prototype: unknown = Object.getPrototypeOf(input);
  if (prototype === params.type.prototype) return undefined;
  if (prototype !== Object.prototype) return `its input is a ${className(input.constructor)}, not a ${params.name}`;
  return refusal(createParser(params), input);
}

function refusal(parse: Parser, input: unknown): string | undefined {
  const parsed = parse(input);
  return parsed.ok
    ? undefined
    : `its input would be refused: ${parsed.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`;
}

function outputProblem({ result }: ToolDraft, { output }: ToolExample): string | undefined {
  if (result === null)
    return output === null ? undefined : 'its output must be null, since the tool declares no result';
  if (!('kind' in result)) return undefined;
  if (output === null) return 'its output must not be null, since the tool declares a result';
  const prototype: unknown = typeof output === 'object' ? Object.getPrototypeOf(output) : undefined;
  if (result.kind === 'object' && prototype !== Object.prototype && prototype !== result.shape.type.prototype) {
    return `its output is not a ${result.shape.name}`;
  }
  const issues = resultIssues(result, output);
  return issues.length === 0
    ? undefined
    : `its output is no declared result: ${issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`;
}
