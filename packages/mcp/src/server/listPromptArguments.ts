import { ErrorCode, type McpError } from '@modelcontextprotocol/sdk/types.js';
import { type BoundPrompt, PromptRenderError } from 'toolwright';
import {
  parseExactNumber,
  type FieldShape,
  mayBeAbsent,
  type SectionMetadata,
  type TypeShape,
} from 'toolwright/internal';
import type { McpPromptArgument } from './McpPrompt.js';
import { createProtocolError } from './createProtocolError.js';

/** Returns the params of a prompt that a text can express, each name once, in the order of declaration. */
export function listPromptArguments(prompt: BoundPrompt): readonly McpPromptArgument[] {
  const all = new Map<string, McpPromptArgument>();
  for (const section of findParamSections(prompt)) {
    const isBound = readBoundParams(prompt, section) !== undefined;
    for (const field of listScalarFields(section)) {
      const { wireName: name, description } = field;
      const required = (!isBound && !mayBeAbsent(field)) || all.get(name)?.required === true;
      all.set(name, { name, description, required, values: all.get(name)?.values ?? valuesOf(field.type) });
    }
  }
  return [...all.values()];
}

/**
 * Binds the arguments of a client to the prompt. They override existing bindings.
 *
 * @throws McpError -32602 for unknown, missing and wrong arguments
 */
export function bindArguments(prompt: BoundPrompt, args: Readonly<Record<string, string>>): BoundPrompt {
  const known = listPromptArguments(prompt);
  const strange = Object.keys(args).find((name) => !known.some((argument) => argument.name === name));
  if (strange !== undefined) throw createArgumentsError(`there is no argument ${JSON.stringify(strange.slice(0, 64))}`);
  const missing = known.find(({ name, required }) => required === true && !Object.hasOwn(args, name));
  if (missing !== undefined) throw createArgumentsError(`the argument ${JSON.stringify(missing.name)} is missing`);
  return findParamSections(prompt).reduce((bound, section) => withParams(bound, section, args), prompt);
}

function withParams(
  prompt: BoundPrompt,
  section: SectionMetadata,
  args: Readonly<Record<string, string>>,
): BoundPrompt {
  const given = listScalarFields(section).filter(({ wireName }) => Object.hasOwn(args, wireName));
  if (given.length === 0 || section.params === null) return prompt;
  const before = readBoundParams(prompt, section) ?? {};
  const own = section.params.fields.flatMap(({ property, wireName }) => {
    const value = (before as Readonly<Record<string, unknown>>)[property];
    return value === undefined ? [] : [[wireName, value] as const];
  });
  const read = given.map((field) => [field.wireName, scalarOf(field, args[field.wireName] ?? '')] as const);
  const parsed = section.parseParams(Object.fromEntries([...own, ...read]));
  if (parsed.ok) return prompt.bind(parsed.value as object);
  throw createArgumentsError(parsed.issues.map(({ path, message }) => `${path}: ${message}`).join('; '));
}

/** Returns one section for each class of params. */
function findParamSections({ metadata }: BoundPrompt): readonly SectionMetadata[] {
  const types = new Set<unknown>();
  return metadata.allSections.filter(({ params }) => {
    if (params === null || types.has(params.type)) return false;
    types.add(params.type);
    return true;
  });
}

function listScalarFields({ params }: SectionMetadata): readonly FieldShape[] {
  return (params?.fields ?? []).filter(({ type, secret }) => isScalar(type) && !secret);
}

function isScalar({ kind }: TypeShape): boolean {
  return ['string', 'number', 'integer', 'boolean', 'enum'].includes(kind);
}

/** Returns the bound params of a section; undefined if some are missing. */
function readBoundParams(prompt: BoundPrompt, section: SectionMetadata): object | undefined {
  try {
    return prompt.params.paramsOf(section) ?? undefined;
  } catch (error) {
    if (error instanceof PromptRenderError) return undefined;
    throw error;
  }
}

function valuesOf(type: TypeShape): readonly string[] | undefined {
  if (type.kind === 'boolean') return ['true', 'false'];
  return type.kind === 'enum' ? type.values.map(String) : undefined;
}

/** Converts a text to the type of a field. Returns unsuitable text unchanged, so that the parser reports the problem. */
function scalarOf({ type }: FieldShape, text: string): unknown {
  switch (type.kind) {
    case 'number':
    case 'integer':
      return parseExactNumber(text.trim()) ?? text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'enum':
      return type.values.find((value) => String(value) === text) ?? text;
    default:
      return text;
  }
}

function createArgumentsError(problem: string): McpError {
  return createProtocolError(ErrorCode.InvalidParams, `The arguments of the prompt do not fit: ${problem}.`);
}
