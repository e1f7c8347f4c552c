import type { JsonSchema } from 'toolwright';
import type { ToolMetadata } from 'toolwright/types';
import { isSchema, mapChildren, SchemaWriter } from 'toolwright/internal';
import type { CheckedDeclarations } from '../check/types/TypeCheck.js';
import { listIdentifiers, listRemoteNames } from './programNames.js';
import { writeDocComment, writePropertyName } from './writeTokens.js';
import { TypeWriter } from './TypeWriter.js';

export interface DeclarationOptions {
  /** True if result types are declared; `Promise<unknown>` otherwise. */
  readonly results: boolean;
}

/** The parts of a tool that its declaration depends on. */
export type DeclaredTool = Pick<
  ToolMetadata,
  'name' | 'remoteName' | 'description' | 'params' | 'schema' | 'result' | 'returnSchema'
>;

/**
 * Declares tools as a program sees them: the named types, then a function for each tool (docs/contract.md, 21).
 * Descriptions are untrusted text and cannot leave their comments.
 *
 * @throws ProgramError E661, E662 for a tool without a unique name in programs
 */
export function writeDeclarations(tools: readonly DeclaredTool[], { results }: DeclarationOptions): string {
  return declareFunctions(tools, new TypeWriter('unknown'), results);
}

/**
 * Writes the declarations for the compiler: always with results, with `any` for undeclared results, and with the table `tools`.
 * Optional arguments accept `null` here, as in a call. The `null` of a result without a value is left out: a program that does not
 * expect it fails only when it occurs, and the error says so.
 */
export function writeCheckedDeclarations(given: readonly DeclaredTool[]): CheckedDeclarations {
  const tools = given.map((tool) => ({
    ...tool,
    returnSchema: requireProperties(tool.returnSchema) as JsonSchema | null,
  }));
  const identifiers = listIdentifiers(tools.map(({ name }) => name));
  const further = [...listRemoteNames(tools)].map(([key, name]) => [key, identifiers.get(name) ?? name] as const);
  const keys = [
    ...[...identifiers].flatMap(([name, identifier]) =>
      [...new Set([name, identifier])].map((key) => [key, identifier]),
    ),
    ...further,
  ];
  const entries = keys.map(
    ([key = '', identifier = '']) => `readonly ${writePropertyName(key)}: typeof ${identifier};`,
  );
  const aliases = further.map(([key, identifier]) => `\ndeclare const ${key}: typeof ${identifier};`);
  const table = `declare const tools: { ${entries.join(' ')} };`;
  const text = `${declareFunctions(tools, new TypeWriter('any'), true)}\n${table}${aliases.join('')}`;
  return { text, positional: `${text}\n${declarePositional(tools)}` };
}

/**
 * Marks all properties of a result's schema as required if it has no `required`: authors who leave it out do not mean that every
 * property may be absent, and programs should not have to check.
 */
function requireProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(requireProperties);
  if (!isSchema(schema)) return schema;
  const { properties, required } = schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, requireProperties(value)]));
  return isSchema(properties) && required === undefined ? { ...inner, required: Object.keys(properties) } : inner;
}

function declareFunctions(tools: readonly DeclaredTool[], types: TypeWriter, results: boolean): string {
  const functions = signaturesOf(tools, types, results).map(
    ({ tool, name, args, result }) =>
      `${writeDocComment(tool.description)}declare function ${name}(${writeParameter(args, types)}): Promise<${result}>;`,
  );
  return [...types.named.values(), ...functions].join('\n\n');
}

/** Declares the same functions with positional arguments. */
function declarePositional(tools: readonly DeclaredTool[]): string {
  const types = new TypeWriter('any');
  return signaturesOf(tools, types, true)
    .map(({ name, args, result }) => `declare function ${name}(${writePositions(args, types)}): Promise<${result}>;`)
    .join('\n');
}

interface Signature {
  readonly tool: DeclaredTool;
  readonly name: string;
  readonly args: RootedSchema;
  readonly result: string;
}

function signaturesOf(tools: readonly DeclaredTool[], types: TypeWriter, results: boolean): readonly Signature[] {
  const identifiers = listIdentifiers(tools.map(({ name }) => name));
  const schemas = schemasOf(tools, types);
  // All parameters first: the names of their types must not depend on whether results are written.
  for (const { args } of schemas) writeParameter(args, types);
  return tools.map((tool, index) => {
    const { args, result } = schemas[index] as RootedSchemas;
    const name = identifiers.get(tool.name) ?? tool.name;
    const type = types.type(results ? result.schema : {}, result.root);
    const mayBeNull = tool.result !== null && tool.returnSchema === null && types.anything === 'unknown';
    return { tool, name, args, result: results && mayBeNull ? allowNull(type) : type };
  });
}

/** Adds `null` to the type of a result that a class declares: such a tool may return no value. Other schemas say so themselves. */
function allowNull(type: string): string {
  return type === 'unknown' || /(?:^|\| )null$/.test(type) ? type : `${type} | null`;
}

interface RootedSchema {
  /** Null if nothing is declared. */
  readonly schema: JsonSchema | null;
  /** The schema that its references are resolved against. */
  readonly root: JsonSchema;
}

interface RootedSchemas {
  readonly args: RootedSchema;
  readonly result: RootedSchema;
}

/** Writes all schemas with one writer, so that a class has the same name in all of them. */
function schemasOf(tools: readonly DeclaredTool[], { anything }: TypeWriter): readonly RootedSchemas[] {
  const writer = new SchemaWriter();
  const ofClasses = tools.map(({ params }) => (params === null ? null : writer.inline(params)));
  const values = tools.map(({ result }) => (result === null ? null : writer.type(result)));
  const root: JsonSchema = { $defs: Object.fromEntries(writer.definitions) };
  const taken = anything === 'any' ? addNull : (schema: JsonSchema) => schema;
  const rootOfArgs = taken(root);
  return tools.map(({ schema, returnSchema }, index) => {
    const ofClass = ofClasses[index] ?? null;
    return {
      args: ofClass === null ? { schema, root: schema } : { schema: taken(ofClass), root: rootOfArgs },
      result:
        returnSchema === null ? { schema: values[index] ?? null, root } : { schema: returnSchema, root: returnSchema },
    };
  });
}

/** Lets every optional property accept `null` as well, as the parsers of classes do. */
function addNull(schema: JsonSchema): JsonSchema {
  const inner = mapChildren(schema, addNull);
  const { properties, required } = inner;
  if (!isSchema(properties)) return inner;
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const entries = Object.entries(properties).map(([key, type]) => [
    key,
    needed.includes(key) ? type : { anyOf: [type, { type: 'null' }] },
  ]);
  return { ...inner, properties: Object.fromEntries(entries) as JsonSchema };
}

/** Returns the parameter list: one object, which is optional if none of its properties is required. */
function writeParameter({ schema, root }: RootedSchema, types: TypeWriter): string {
  const { properties, required } = schema ?? {};
  const isEmpty = isSchema(properties) && Object.keys(properties).length === 0;
  if (isEmpty && types.anything === 'unknown') return '';
  const isOptional = !Array.isArray(required) || required.length === 0;
  return `args${isOptional ? '?' : ''}: ${types.inline(schema ?? {}, root)}`;
}

function writePositions({ schema, root }: RootedSchema, types: TypeWriter): string {
  const { properties, required } = schema ?? {};
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const entries = Object.entries(isSchema(properties) ? properties : {});
  const lastNeeded = entries.map(([key]) => needed.includes(key)).lastIndexOf(true);
  return entries
    .map(([key, type], index) => {
      const rest = needed.includes(key) ? ':' : index > lastNeeded ? '?:' : ': undefined |';
      return `p${String(index)}${rest} ${types.type(type, root)}`;
    })
    .join(', ');
}
