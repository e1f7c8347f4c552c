import { isRecord } from '../common/guards.js';
import type { Constructor } from '../common/types.js';
import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { CheckedTemplate } from '../metadata/args/CheckedTemplate.js';
import type { PromptOptions, SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { ToolOptions, ToolParams } from '../metadata/args/ToolMetadataArgs.js';
import type { ResultOf, ResultReference } from '../metadata/args/TypeReference.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { TemplateSource } from '../metadata/Template.js';
import type { ToolReturn } from '../tool/ToolHandler.js';
import { nullIfAbsent } from './place.js';

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
  const type = createNamedClass(isRecord(definition) ? others.name : undefined, 'defineTool');
  const args = getArgs(type);
  args.defined = true;
  args.definedHandler = handler;
  args.tools.push({ place: 'class', member: undefined, options: options as ToolOptions });
  return type;
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
  const type = createNamedClass((options as { readonly key: string } | undefined)?.key, 'defineSection');
  const args = getArgs(type);
  args.defined = true;
  args.section = nullIfAbsent(options as SectionOptions);
  return type;
}

/**
 * Defines a prompt without decorators. Returns a class to list in `createApplication({ prompts })`.
 *
 * @example
 * const desk = definePrompt({ ns: 'support', key: 'desk', sections: [orders] });
 */
export function definePrompt(options: PromptOptions): Constructor {
  const type = createNamedClass((options as PromptOptions | undefined)?.key, 'definePrompt');
  const args = getArgs(type);
  args.defined = true;
  args.prompt = nullIfAbsent(options);
  return type;
}

/** Creates an empty class with a name for messages. In JavaScript, the name may be any value. */
function createNamedClass(name: unknown, otherwise: string): Constructor {
  const type = class {};
  Object.defineProperty(type, 'name', { value: typeof name === 'string' ? name : otherwise });
  return type;
}
