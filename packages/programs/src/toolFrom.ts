import { type Constructor, defineTool, type ParamOptions, type ToolOptions } from 'toolwright';
import { describeValue, isRecord } from 'toolwright/internal/light';
import type { TypeReference } from 'toolwright/types';
import { getArgs, isClass, isTypeReference, ProgramError, setPropertyType, snakeCase } from 'toolwright/internal';
import { noteFunction, type AnyFunction } from './KitTool.js';
import { parseFunctionDoc, type FunctionDoc } from './parseFunctionDoc.js';

/** The parameters of a function, by name and in order: the type of each, or its options. */
export type FunctionParams = Readonly<Record<string, TypeReference | ParamOptions>>;

/** Options of a tool made of a function: all that cannot be inferred from the function. */
export interface FunctionToolOptions extends Omit<ToolOptions, 'params' | 'description' | 'name'> {
  readonly params: FunctionParams;
  /** The function's name in snake_case by default. */
  readonly name?: string | undefined;
  /** The first paragraph of `doc` by default. */
  readonly description?: string | undefined;
  /** The function's doc comment, in TSDoc or in Google's style, with the descriptions of its parameters. */
  readonly doc?: string | undefined;
}

/**
 * Turns an existing function into a tool. The result can be called like the function itself, and can be listed like a tool of
 * `defineTool` (docs/contract.md, 20).
 *
 * @param fn takes its arguments one by one
 * @throws ProgramError E675; faults of the tool itself are reported when an application or toolkit is created with it
 * @example
 * const getWeather = toolFrom(weatherAt, {
 *   params: { location: String, unit: { type: String, default: 'celsius' } },
 *   doc: 'Get current weather for a location.\n\nArgs:\n  location: City name',
 * });
 * getWeather('Oslo', 'celsius');
 */
export function toolFrom<F extends AnyFunction>(fn: F, options: FunctionToolOptions): F & Constructor {
  if (typeof fn !== 'function') throw createFunctionError(`${describeValue(fn)} is not a function`, 'toolFrom');
  const { params, doc = '', name = snakeCase(fn.name), ...others } = options;
  const names = readParamNames(params, fn);
  const said = parseFunctionDoc(doc);
  const description = options.description ?? said.description;
  if (name === '')
    throw createFunctionError('the function has no name of its own, and the options give none', 'toolFrom');
  if (description === '') throw createFunctionError('nothing says what it does: give a doc or a description', name);
  const type = defineTool({
    ...(others as object),
    name,
    description,
    params: names.length === 0 ? undefined : createParamsClass(name, params, said),
    handler: (given: unknown) => {
      const values = (given ?? {}) as Readonly<Record<string, unknown>>;
      return fn(...(names.map((each) => values[each]) as never[]));
    },
  });
  // A class cannot be called without new.
  const callable = new Proxy(type, { apply: (_type, self, args) => Reflect.apply(fn, self, args) as unknown });
  Object.assign(getArgs(callable), getArgs(type));
  noteFunction(callable, fn);
  return callable as F & Constructor;
}

function readParamNames(params: unknown, fn: AnyFunction): readonly string[] {
  if (!isRecord(params))
    throw createFunctionError(
      `params is ${describeValue(params)}; a type for each parameter, by name, is expected`,
      fn.name,
    );
  const names = Object.keys(params);
  if (fn.length > names.length)
    throw createFunctionError(
      `it takes ${String(fn.length)} parameters, and params names ${String(names.length)}`,
      fn.name,
    );
  return names;
}

function createParamsClass(name: string, params: FunctionParams, { params: described }: FunctionDoc): Constructor {
  const type = class {};
  Object.defineProperty(type, 'name', { value: name });
  for (const [property, given] of Object.entries(params)) {
    const options: ParamOptions = isTypeReference(given) ? { type: given } : given;
    const description = described.get(property);
    getArgs(type).properties.push({
      property,
      options: { ...(description === undefined ? {} : { description }), ...options },
      misused: false,
    });
    const emitted = typeOf(options);
    if (emitted !== undefined) setPropertyType(type.prototype, property, emitted);
  }
  return type;
}

/** Infers the type from the default value if none is given. */
function typeOf({ type, default: initial }: ParamOptions): Constructor | undefined {
  if (type !== undefined || initial === undefined || initial === null) return undefined;
  const shown: unknown = Object(initial) === initial ? undefined : (Object(initial) as object).constructor;
  return isClass(shown) ? shown : undefined;
}

function createFunctionError(problem: string, place: string): ProgramError {
  return new ProgramError(problem, { code: 'E675', place });
}
