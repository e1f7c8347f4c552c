import { isRecord } from '../common/guards.js';
import type { Constructor } from '../common/types.js';
import { getArgs, type ClassArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { CheckedTemplate } from '../metadata/args/CheckedTemplate.js';
import type { PromptOptions, SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { ToolOptions, ToolParams } from '../metadata/args/ToolMetadataArgs.js';
import type { ResultOf, ResultReference } from '../metadata/args/TypeReference.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { TemplateSource } from '../metadata/Template.js';
import type { ToolReturn } from '../tool/ToolHandler.js';

/** Options of `defineTool`. A tool with a null handler is offered to the model but not executed. */
export interface ToolDefinition<P, R extends ResultReference | undefined> extends Omit<ToolOptions<P, R>, 'params'> {
  readonly name: string;
  /**
   * A class, or a schema of zod, valibot (through `toStandardJsonSchema`), arktype or any other library that implements
   * Standard Schema and Standard JSON Schema. The handler gets the output of the schema. The schema must validate
   * synchronously: otherwise it is refused at creation (E212), or in the call if this shows only later. The
   * application's `coerce` and `fieldNames` do not apply to it.
   */
  readonly params?: ToolParams<P> | null | undefined;
  readonly handler:
    ((params: P, context: ToolContext) => ToolReturn<R extends ResultReference ? ResultOf<R> | null : unknown>) | null;
}

/**
 * Defines a tool without decorators. Returns a class to list in the `tools` of a section.
 *
 * @example
 * const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => ToolResult.ok('pong') });
 * const weather = defineTool({
 *   name: 'weather',
 *   description: 'Current weather for a city.',
 *   params: z.strictObject({ city: z.string() }),
 *   handler: ({ city }) => forecast(city),
 * });
 */
export function defineTool<P = unknown, const R extends ResultReference | undefined = undefined>(
  definition: ToolDefinition<P, R>,
): Constructor {
  // A definition that is not an object has no members. The builder reports it.
  const { handler, params, ...others } = Object(definition) as ToolDefinition<P, R>;
  const options = isRecord(definition) ? { ...others, params: params ?? undefined } : definition;
  return defineClass(isRecord(definition) ? others.name : undefined, 'defineTool', {
    definedHandler: handler,
    tools: [{ place: 'class', member: undefined, options: options as ToolOptions }],
  });
}

/**
 * Defines a section without decorators. Returns a class to list in `sections` or `children`.
 *
 * @example
 * const orders = defineSection({ key: 'orders', title: 'Orders', template: '…', tools: [ping] });
 */
export function defineSection<
  P = unknown,
  const T extends TemplateSource<never> = string,
  const S extends TemplateSource<never> = string,
>(
  options: SectionOptions<P, T, S> &
    CheckedTemplate<T, NoInfer<P>> &
    CheckedTemplate<S, NoInfer<P>, 'summary'> & { readonly key: string },
): Constructor {
  const section = (options as SectionOptions | undefined) ?? null;
  return defineClass(section?.key, 'defineSection', { section });
}

/**
 * Defines a prompt without decorators. Returns a class to list in `createApplication({ prompts })`.
 *
 * @example
 * const desk = definePrompt({ ns: 'support', key: 'desk', sections: [orders] });
 */
export function definePrompt(options: PromptOptions): Constructor {
  const prompt = (options as PromptOptions | undefined) ?? null;
  return defineClass(prompt?.key, 'definePrompt', { prompt });
}

/** Creates an empty class with a record, and a name for messages. In JavaScript, the name may be any value. */
function defineClass(name: unknown, otherwise: string, args: Partial<ClassArgs>): Constructor {
  const type = class {};
  Object.defineProperty(type, 'name', { value: typeof name === 'string' ? name : otherwise });
  Object.assign(getArgs(type), args, { defined: true });
  return type;
}
