import { findDescriptionProblem } from '../builder/rule/checkToolDescriptions.js';
import { findExampleProblem } from '../builder/rule/checkToolExamples.js';
import { freezePlain } from '../common/objects.js';
import type { JsonSchema } from '../common/types.js';
import { createFinding, type Finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { ToolOverride } from '../interface/OverridesStore.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { ToolMetadata } from '../metadata/ToolMetadata.js';
import { parseNothing } from '../schema/parse/parser.js';

/**
 * Returns the tool with overridden texts; its parser, checks and handler stay the same.
 *
 * @throws PromptValidationError E527 with every problem
 */
export function overrideTool(tool: ToolMetadata, override: ToolOverride): ToolMetadata {
  const [first, ...others] = listProblems(tool, override).map((problem) => createProblemFinding(tool, problem));
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  const { description, params = {}, examples } = override;
  const descriptions = new Map(Object.entries(params).map(([name, text]) => [name, text.trim()]));
  return Object.freeze({
    ...tool,
    ...(description === undefined ? {} : { description: description.trim() }),
    ...(descriptions.size === 0
      ? {}
      : { schema: describeSchema(tool.schema, descriptions), params: describeShape(tool.params, descriptions) }),
    ...(examples === undefined ? {} : { examples: freezePlain(examples) }),
  });
}

function listProblems(
  tool: ToolMetadata,
  { description, params = {}, examples = [] }: ToolOverride,
): readonly string[] {
  const { params: shape, parse, result, returnSchema, texts } = tool;
  const ofTool = description === undefined ? undefined : findDescriptionProblem(description, texts);
  const ofParams = Object.entries(params).flatMap(([name, text]) =>
    text.trim() === '' ? [`the description of the parameter "${name}" is empty`] : [],
  );
  const foreign = shape === null && parse !== parseNothing ? parse : null;
  const ofExamples = examples.flatMap((example, index) => {
    const problem = findExampleProblem(
      { params: shape, parse: foreign, result, isOpen: returnSchema !== null, texts },
      example,
    );
    return problem === undefined ? [] : [`example ${String(index + 1)}: ${problem.problem}`];
  });
  return [...(ofTool === undefined ? [] : [ofTool]), ...ofParams, ...ofExamples];
}

function createProblemFinding({ name, place, owner, sectionPath, params }: ToolMetadata, problem: string): Finding {
  return createFinding('E527', `in its override, ${problem}`, {
    place,
    className: owner.name,
    sectionPath,
    toolName: name,
    paramsType: params?.name,
  });
}

function describeSchema(schema: JsonSchema, descriptions: ReadonlyMap<string, string>): JsonSchema {
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>);
  return freezePlain({
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const description = descriptions.get(name);
        if (description === undefined) return [name, property];
        const { default: initial, ...rest } = property;
        return [name, { ...rest, description, ...(initial === undefined ? {} : { default: initial }) }];
      }),
    ),
  });
}

function describeShape(shape: ClassShape | null, descriptions: ReadonlyMap<string, string>): ClassShape | null {
  if (shape === null) return null;
  const fields = shape.fields.map((field) => {
    const description = descriptions.get(field.wireName);
    return description === undefined ? field : Object.freeze({ ...field, description });
  });
  const byWireName = new Map(fields.map((field) => [field.wireName, field]));
  return Object.freeze({ ...shape, fields: Object.freeze(fields), byWireName });
}
