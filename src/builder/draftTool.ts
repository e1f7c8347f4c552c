import { isClass, memberLabel, resolveClass } from '../common/classes.js';
import { snakeCase } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { findArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { ToolMetadataArgs, ToolOptions } from '../metadata/args/ToolMetadataArgs.js';
import { isResultOptions, type ResultMismatch } from '../metadata/args/TypeReference.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { Fault } from '../error/Finding.js';
import type { ShapeReader } from '../schema/read/ShapeReader.js';
import { writeForeignSchema } from '../schema/standard/writeAdvertisedSchema.js';
import { isStandardSchema } from '../schema/standard/standardSchemas.js';
import { readForeignSchema } from '../schema/standard/readForeignSchema.js';
import { planHandler, type GivenParams, type HandlerFault, type HandlerPlan } from './planHandler.js';
import type { ToolDraft } from './PromptDraft.js';
import { readSchemaShape } from './readSchemaShape.js';

export interface FoundTool {
  readonly args: ToolMetadataArgs;
  /** The declared options, without values of the wrong type. */
  readonly options: ToolOptions;
  /** The class of the instance that holds the handler. */
  readonly owner: Constructor;
  /** The class with the `@Tool` that counts: an override without `@Tool` keeps its parent's declaration. */
  readonly declaredBy: Constructor;
}

export interface SectionPlace {
  readonly sectionPath: string;
  readonly acceptsOverrides: boolean;
}

export function draftTool(found: FoundTool, section: SectionPlace, reader: ShapeReader): ToolDraft {
  const { args, owner, declaredBy } = found;
  const { options, mismatch, fault } = unwrapResult(found.options);
  const { member } = args;
  const defined = findArgs(owner)?.defined === true;
  const given = resolveParams(options.params);
  const plan = planToolHandler(found, defined, given);
  const params = 'code' in plan ? given : plan.params;
  const foreign = isStandardSchema(params) ? readForeignSchema(params) : undefined;
  const shape = isClass(params) && foreign === undefined ? reader.read(params) : null;
  return {
    args,
    options,
    owner,
    defined,
    place: memberLabel(owner, member),
    member: member === undefined ? undefined : String(member),
    sectionPath: section.sectionPath,
    name: options.name ?? snakeCase(member === undefined ? declaredBy.name : String(member)),
    handler: foreign !== undefined && 'code' in foreign ? foreign : (findUndeclared(shape, 'params', reader) ?? plan),
    params: shape,
    foreignParams: foreign === undefined || 'code' in foreign ? null : foreign,
    result: fault ?? resolveResult(options, reader),
    resultMismatch: mismatch,
    acceptsOverrides: section.acceptsOverrides && options.acceptsOverrides !== false,
  };
}

function planToolHandler(
  { args, declaredBy }: FoundTool,
  defined: boolean,
  given: GivenParams | HandlerFault | undefined,
): HandlerPlan | HandlerFault {
  if (isFault(given)) return given;
  if (defined) return { slots: [{ kind: 'params' }, { kind: 'context' }], params: given };
  return planHandler(declaredBy, args.member ?? 'handle', given);
}

/** Describes the fault of a class without declared properties: its instances would always be empty. */
function findUndeclared(
  shape: ClassShape | null,
  what: 'params' | 'result',
  reader: ShapeReader,
): (HandlerFault & { readonly code: 'E219' }) | undefined {
  if (shape === null || shape.fields.length > 0 || reader.faults.some(({ type }) => type === shape.type))
    return undefined;
  const problem = `its ${what} class ${shape.name} declares no property`;
  // A class returned by createZodDto of nestjs-zod.
  const { schema } = shape.type as { readonly schema?: unknown };
  if (what === 'result' || !isStandardSchema(schema)) return { code: 'E219', problem };
  return { code: 'E219', problem, remedy: `Name the schema of the class: @Tool({ params: ${shape.name}.schema }).` };
}

/** Returns true for a fault. The value may also be a class with static members of any name. */
function isFault(given: GivenParams | HandlerFault | undefined): given is HandlerFault {
  return typeof given === 'object' && 'code' in given && 'problem' in given;
}

/** Resolves `params`. Checks for a schema first, because schemas of arktype are functions. */
function resolveParams(params: ToolOptions['params']): GivenParams | HandlerFault | undefined {
  if (params === undefined || isStandardSchema(params)) return params;
  if (typeof params === 'object')
    return {
      code: 'E307',
      problem: 'params is neither a class nor a Standard Schema',
      remedy: 'Pass a class, a schema of zod, valibot or arktype, or wrap a JSON Schema: jsonSchema<T>({ … }).',
    };
  return resolveClass(params) ?? { code: 'E307', problem: 'the class in params was undefined when it was read' };
}

/** Unwraps a result with options, and converts one of another library to a JSON Schema, or returns its fault. */
function unwrapResult(given: ToolOptions): {
  readonly options: ToolOptions;
  readonly mismatch: ResultMismatch;
  readonly fault?: Fault;
} {
  const { type: result, mismatch = 'fail' } = isResultOptions(given.result) ? given.result : { type: given.result };
  const options: ToolOptions = result === given.result ? given : { ...given, result };
  if (!isStandardSchema(result) || given.returnSchema !== undefined) return { options, mismatch };
  const written = writeForeignSchema(result['~standard'], 'result');
  if ('code' in written) return { options, mismatch, fault: written };
  return { options: { ...options, result: undefined, returnSchema: written.schema }, mismatch };
}

function resolveResult({ result, returnSchema }: ToolOptions, reader: ShapeReader): ToolDraft['result'] {
  if (result !== undefined && !isStandardSchema(result) && !isResultOptions(result)) {
    const type = reader.types.readReference(result);
    return (
      ('kind' in type && type.kind === 'object' ? findUndeclared(type.shape, 'result', reader) : undefined) ?? type
    );
  }
  return returnSchema === undefined ? null : readSchemaShape(returnSchema);
}
