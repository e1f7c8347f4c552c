import { className } from '../../common/classes.js';
import type { Parser } from '../../metadata/ClassShape.js';
import type { ToolExample } from '../../tool/ToolHandler.js';
import { createParser } from '../../schema/parser.js';
import { resultIssues } from '../../schema/conform.js';
import { outputIssues } from '../outputIssues.js';
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
  if (prototype === params.type.prototype) {
    return refused('its input would be refused', resultIssues({ kind: 'object', shape: params }, input));
  }
  if (prototype !== Object.prototype) return `its input is a ${className(input.constructor)}, not a ${params.name}`;
  return refusal(createParser(params), input);
}

function refusal(parse: Parser, input: unknown): string | undefined {
  const parsed = parse(input);
  return parsed.ok ? undefined : refused('its input would be refused', parsed.issues);
}

function outputProblem({ result, options }: ToolDraft, { output }: ToolExample): string | undefined {
  if (result === null)
    return output === null ? undefined : 'its output must be null, since the tool declares no result';
  if (!('kind' in result)) return undefined;
  if (output === null) return 'its output must not be null, since the tool declares a result';
  // What a JSON Schema does not name may be there all the same.
  const issues = options.returnSchema === undefined ? outputIssues(result, output) : resultIssues(result, output);
  return refused('its output is no declared result', issues);
}

function refused(
  problem: string,
  issues: readonly { readonly path: string; readonly message: string }[],
): string | undefined {
  return issues.length === 0
    ? undefined
    : `${problem}: ${issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`;
}
