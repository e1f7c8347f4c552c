import { className, isClass, classChain } from '../common/classes.js';
import { parameterTypes, setPropertyType } from '../common/reflect.js';
import type { Constructor } from '../common/types.js';
import type { Fault } from '../error/Finding.js';
import { getArgs, findArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { ParameterMetadataArgs } from '../metadata/args/ParamMetadataArgs.js';
import type { StandardSchema } from '../interface/StandardSchema.js';
import { isToolContext } from '../tool/ToolContext.js';

/** The argument at one position of a handler. */
type Slot =
  { readonly kind: 'params' } | { readonly kind: 'context' } | { readonly kind: 'scalar'; readonly name: string };

/** The arguments of a handler, by position, and its params. */
export interface HandlerPlan {
  readonly slots: readonly Slot[];
  readonly params: GivenParams | undefined;
}

/** The declared params: a class, or a schema of another library. */
export type GivenParams = Constructor | StandardSchema;

/** The reason why a handler cannot be called. */
export interface HandlerFault extends Fault {
  readonly remedy?: string;
}

interface Signature {
  readonly type: Constructor;
  readonly member: string | symbol;
  readonly emitted: readonly unknown[] | undefined;
  readonly named: ReadonlyMap<number, ParameterMetadataArgs>;
  readonly contexts: readonly number[];
  /** From `@Tool({ params })`. */
  readonly given: GivenParams | undefined;
  readonly count: number;
  /** Undefined if the member is not a function. */
  readonly method: HandlerFunction | undefined;
}

type HandlerFunction = (...args: readonly unknown[]) => unknown;

const builtIn = new Set<unknown>([Object, Function, Array, String, Number, Boolean, Promise, Symbol, BigInt, Map, Set]);

/**
 * Determines the argument at each position of a handler, from emitted types and `@Param` / `@Ctx` (decision 2).
 *
 * @param declaredBy the class with the `@Tool` that counts: an override without `@Tool` keeps its parent's declaration
 */
export function planHandler(
  declaredBy: Constructor,
  member: string | symbol,
  given: GivenParams | undefined,
): HandlerPlan | HandlerFault {
  const signature = readSignature(declaredBy, member, given);
  const slots: Slot[] = [];
  for (let index = 0; index < signature.count; index++) {
    const slot = createSlot(signature, index);
    if ('code' in slot) return slot;
    slots.push(slot);
  }
  return signature.named.size > 0 ? planScalars(signature, slots) : planParams(signature, slots);
}

function readSignature(declaredBy: Constructor, member: string | symbol, given: GivenParams | undefined): Signature {
  // Decorators of parameters count on the declared method, not on a method that it overrides.
  const owner = classChain(declaredBy).find((type) => Object.hasOwn(type.prototype as object, member)) ?? declaredBy;
  const prototype = owner.prototype as Record<string | symbol, unknown>;
  const args = findArgs(owner);
  const emitted = parameterTypes(prototype, member);
  const named = new Map((args?.parameters ?? []).filter((row) => row.member === member).map((row) => [row.index, row]));
  const contexts = (args?.contexts ?? []).filter((row) => row.member === member).map(({ index }) => index);
  const value = prototype[member];
  const method = typeof value === 'function' ? (value as HandlerFunction) : undefined;
  // The `length` of a handler excludes parameters from the first default value on, so it counts only if nothing else is
  // known. A handler with an explicit params class may take the context, too.
  const known = method === undefined ? 0 : Math.max(method.length, hasParameters(method) ? 1 : 0);
  const declared = emitted?.length ?? (given !== undefined && named.size === 0 ? Math.max(known, 2) : known);
  const count = Math.max(declared, ...[...named.keys(), ...contexts].map((index) => index + 1));
  return { type: declaredBy, member, emitted, named, contexts, given, count, method };
}

function createSlot(signature: Signature, index: number): Slot | HandlerFault {
  const named = signature.named.get(index);
  const type = signature.emitted?.[index];
  if (signature.contexts.includes(index) || isToolContext(type)) {
    return named === undefined
      ? { kind: 'context' }
      : { code: 'E105', problem: `parameter ${String(index)} is the context and a @Param at once` };
  }
  if (named !== undefined) return createScalarSlot(named);
  if (signature.named.size > 0)
    return {
      code: 'E105',
      problem: `parameter ${String(index)} has neither @Param nor @Ctx, but other parameters are @Param scalars`,
    };
  if (index === 0) return { kind: 'params' };
  // Without emitted types, the usual order is assumed: (params, context).
  if (signature.emitted === undefined && index === 1) return { kind: 'context' };
  const context = signature.contexts[0] ?? signature.emitted?.findIndex(isToolContext) ?? 1;
  if (context < 0) return findStrayParameter(index, type);
  return context === 0 && signature.count === 2
    ? {
        code: 'E105',
        problem: 'the context comes first; the params do',
        remedy: 'Swap them: (params: X, context: ToolContext).',
      }
    : { code: 'E105', problem: `parameter ${String(index)} is one too many beside the params and the context` };
}

function createScalarSlot({ index, name, misused }: ParameterMetadataArgs): Slot | HandlerFault {
  const place = `@Param on parameter ${String(index)}`;
  if (name === undefined) return { code: 'E207', problem: `${place} has no name; the name comes first` };
  if (misused)
    return { code: 'E207', problem: `${place} ("${name}") has neither a description nor options beside its name` };
  return { kind: 'scalar', name };
}

function findStrayParameter(index: number, type: unknown): HandlerFault {
  if (type === Object || type === Function || type === undefined) {
    const seen = type === undefined ? 'undefined' : className(type);
    return {
      code: 'E106',
      problem: `parameter ${String(index)} reflects as ${seen}, where the ToolContext is expected`,
      remedy:
        'Write `context: ToolContext` with the class itself imported (not `import type`), or mark the parameter with @Ctx().',
    };
  }
  return {
    code: 'E105',
    problem: `parameter ${String(index)} is of type ${className(type)}, beside the params`,
  };
}

function planParams(signature: Signature, slots: readonly Slot[]): HandlerPlan | HandlerFault {
  const contexts = slots.filter(({ kind }) => kind === 'context').length;
  if (contexts > 1) return { code: 'E105', problem: `it has ${String(contexts)} context parameters` };
  if (slots[0]?.kind !== 'params' || signature.given !== undefined) return { slots, params: signature.given };
  const [type] = signature.emitted ?? [];
  if (isClass(type) && !builtIn.has(type)) return { slots, params: type };
  if (signature.emitted === undefined) {
    return { code: 'E106', problem: 'the class of parameter 0 is unknown: the compiler emitted no types' };
  }
  if (type === undefined) {
    return {
      code: 'E307',
      problem: 'the class of its first parameter was undefined when the signature was read (a circular import)',
    };
  }
  const scalar = type === String || type === Number || type === Boolean;
  return {
    code: 'E106',
    problem: `its first parameter reflects as ${className(type)}`,
    ...(scalar ? { remedy: "Name the scalar with @Param('name', 'description'), or take a params class." } : {}),
  };
}

/** Creates the params class of scalar parameters. */
function planScalars(signature: Signature, slots: readonly Slot[]): HandlerPlan | HandlerFault {
  if (slots.filter(({ kind }) => kind === 'context').length > 1)
    return { code: 'E105', problem: 'it has several context parameters' };
  if (signature.given !== undefined)
    return { code: 'E105', problem: '@Tool({ params }) and @Param scalars exclude each other' };
  const paramsClass = class {};
  Object.defineProperty(paramsClass, 'name', { value: `${className(signature.type)}.${String(signature.member)}` });
  const rows = [...signature.named].sort(([left], [right]) => left - right);
  const names = rows.map(([, { name }]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return { code: 'E204', problem: `two parameters are named "${repeated}"` };
  for (const [index, row] of rows) {
    if (row.name === undefined) continue;
    const hidden = findHiddenDefault(signature, row);
    if (hidden !== undefined) return hidden;
    getArgs(paramsClass).properties.push({ property: row.name, options: row.options, misused: false });
    if (signature.emitted !== undefined) setPropertyType(paramsClass.prototype, row.name, signature.emitted[index]);
  }
  return { slots, params: paramsClass };
}

/**
 * Describes the fault of a parameter with a default value, `lines = 10`, that its `@Param` does not mention: the model
 * would read that it is required. Parameters after it may have a hidden default value, too.
 */
function findHiddenDefault(
  { method }: Signature,
  { index, name, options }: ParameterMetadataArgs,
): HandlerFault | undefined {
  const isStated = options.optional !== undefined || options.default !== undefined;
  if (isStated || method === undefined || index < method.length || takesAnything(method)) return undefined;
  const shown = `parameter ${String(index)} ("${name ?? ''}")`;
  return {
    code: 'E220',
    problem:
      index === method.length
        ? `${shown} has a default value, which the model does not see`
        : `${shown} follows a parameter with a default value, and does not say whether it may be left out`,
  };
}

/** Returns true if a function passes on all its arguments, like a decorated method: its `length` says nothing. */
function takesAnything(method: HandlerFunction): boolean {
  return !hasParameters(method) || /^[^(]*\(\s*\.\.\./.test(readFunctionSource(method));
}

/** Returns true if the source text shows parameters: `length` does not count those with a default value. */
function hasParameters(method: HandlerFunction): boolean {
  const source = readFunctionSource(method);
  // The name of a method may be an expression with calls, as Bun writes for standard decorators.
  if (/^(?:async\s*)?\*?\s*\[/.test(source)) return method.length > 0;
  return !/^[^(]*\(\s*\)/.test(source);
}

function readFunctionSource(method: HandlerFunction): string {
  return Function.prototype.toString.call(method);
}
