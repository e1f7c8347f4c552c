import { type ToolContext, ToolResult } from 'toolwright';
import { Filesystem } from 'toolwright/resources';
import type { FakeClock } from 'toolwright/testing';
import { unknownWord } from '../ConformanceFault';
import { isJson, type HandlerStep } from '../format';
import { thrownBy } from './thrown';
import type { TypeCatalogue } from './TypeCatalogue';

/** Values that handlers of a case can use besides their context. */
export interface World {
  readonly types: TypeCatalogue;
  readonly clock: FakeClock;
}

export type CompiledHandler = (params: unknown, context: ToolContext) => Promise<unknown>;

/** Does one step; a result ends the handler. */
type Action = (step: HandlerStep, context: ToolContext, world: World) => ToolResult | undefined | Promise<undefined>;

const actions: Readonly<Record<string, Action>> = {
  'session.append': ({ slice = '', value }, context, { types }) => {
    context.session.slice(types.classOf(slice)).append(types.instance(slice, value));
    return undefined;
  },
  'fs.write': async ({ path = '', content = '' }, context) => {
    await context.resources.get(Filesystem).write(path, content);
    return undefined;
  },
  'fs.delete': async ({ path = '' }, context) => {
    await context.resources.get(Filesystem).delete(path);
    return undefined;
  },
  'clock.advance': ({ seconds = 0 }, _context, { clock }) => {
    clock.advance(seconds * 1_000);
    return undefined;
  },
  'return.ok': ({ message, value }, _context, { types }) => ToolResult.ok(types.value(value), message ?? 'OK'),
  'return.error': ({ message = '' }) => ToolResult.error(message),
  return: (
    { message = '', value, success, exclude_value_from_context: excludeValueFromContext },
    _context,
    { types },
  ) => new ToolResult({ message, value: types.value(value), success, excludeValueFromContext }),
  throw: ({ error = 'Error', message = '' }) => {
    throw thrownBy(error, message);
  },
};

/**
 * A handler that does the steps in order.
 *
 * @throws ConformanceFault C3 for a step that is not known
 */
export function compileHandler(steps: readonly HandlerStep[], world: World): CompiledHandler {
  const compiled = steps.map((step) => {
    const action = Object.hasOwn(actions, step.do) ? actions[step.do] : undefined;
    if (action === undefined) throw unknownWord('do', step.do);
    return { step, action };
  });
  return async (params, context) => {
    for (const { step, action } of compiled) {
      const result = await action(withArguments(step, params) as HandlerStep, context, world);
      if (result !== undefined) return result;
    }
    return undefined;
  };
}

/** The step with every `{ "$param": f }` replaced by the argument f. */
function withArguments(data: unknown, params: unknown): unknown {
  if (Array.isArray(data)) return data.map((item) => withArguments(item, params));
  if (!isJson(data)) return data;
  const { $param: name } = data;
  if (typeof name === 'string') return (params as Readonly<Record<string, unknown>> | null)?.[name];
  return Object.fromEntries(Object.entries(data).map(([key, entry]) => [key, withArguments(entry, params)]));
}
