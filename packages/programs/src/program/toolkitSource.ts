import {
  type Application,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Logger,
  type RenderedPrompt,
  type ToolDefinition,
} from 'toolwright';
import { PlainContainer } from 'toolwright/adapters';
import { describeValue } from 'toolwright/internal/light';
import {
  getArgs,
  classChain,
  className,
  isClass,
  isInstance,
  isStandardSchema,
  findArgs,
  ProgramError,
} from 'toolwright/internal';

/** A rendering, and the application that runs its calls. */
export interface ToolkitSource {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
}

/** A sorted list of tools: classes that are tools, and classes with tool methods. */
interface Sorted {
  readonly tools: Constructor[];
  readonly sections: Constructor[];
  /** The instances in the list, by the sections created for them. */
  readonly instances: Map<Constructor, object>;
}

/**
 * Creates an application for a list of tools.
 *
 * @throws ProgramError E671 for an entry that is not a tool; PromptValidationError for faults of the tools; ContainerError
 */
export async function createApplicationOf(
  entries: readonly unknown[],
  logger: Logger | undefined,
): Promise<ToolkitSource> {
  const sorted: Sorted = { tools: [], sections: [], instances: new Map() };
  for (const [index, entry] of entries.entries()) sortEntry(entry, index, sorted);
  const { tools, sections, instances } = sorted;
  const listed = defineSection({ key: 'tools', title: 'Tools', tools });
  const prompt = definePrompt({ ns: 'toolkit', key: 'tools', sections: [listed, ...sections] });
  const plain = new PlainContainer();
  const container = {
    get: <T extends object>(type: Constructor<T>) => (instances.get(type) as T | undefined) ?? plain.get(type),
  };
  const app = await createApplication({ prompts: [prompt], container, logger });
  return { app, rendered: await app.prompt(prompt).render() };
}

function sortEntry(entry: unknown, index: number, { tools, sections, instances }: Sorted): void {
  if (isClass(entry) && hasToolAt(entry, 'class')) tools.push(entry);
  else if (isClass(entry) && hasToolAt(entry, 'method')) sections.push(createSection(entry, index));
  else if (isObject(entry) && isClass(entry.constructor) && hasToolAt(entry.constructor, 'method')) {
    const section = createSection(entry.constructor, index);
    instances.set(section, entry);
    sections.push(section);
  } else if (isObject(entry) && isDefinition(entry)) tools.push(defineForeignTool(entry));
  else
    throw new ProgramError(`entry ${String(index)} of the list is ${labelOf(entry)}`, {
      code: 'E671',
      place: 'Toolkit.from',
    });
}

function hasToolAt(type: Constructor, place: 'class' | 'method'): boolean {
  return [type, ...classChain(type)].some(
    (each) => findArgs(each)?.tools.some((tool) => tool.place === place) === true,
  );
}

/** Creates a section from the methods of a class, with the name of the class. */
function createSection(type: Constructor, index: number): Constructor {
  const section = class extends type {};
  Object.defineProperty(section, 'name', { value: className(type) });
  getArgs(section).section = { key: `tools-${String(index)}`, title: className(type) };
  return section;
}

/** A tool of another library: `inputSchema` and `execute` correspond to `params` and `handler`. */
interface ForeignTool {
  readonly inputSchema?: unknown;
  readonly execute?: unknown;
}

function isDefinition(entry: object): boolean {
  const {
    handler,
    execute,
    params,
    inputSchema = params,
  } = entry as ForeignTool & Partial<ToolDefinition<unknown, undefined>>;
  const takes = inputSchema ?? undefined;
  return (
    typeof (handler ?? execute) === 'function' && (takes === undefined || isClass(takes) || isStandardSchema(takes))
  );
}

function defineForeignTool(entry: object): Constructor {
  const { inputSchema, execute, ...own } = entry as ForeignTool & ToolDefinition<unknown, undefined>;
  return defineTool({
    ...own,
    params: own.params ?? (inputSchema as typeof own.params),
    handler: own.handler ?? (execute as typeof own.handler),
  });
}

function isObject(value: unknown): value is object {
  return isInstance(value, Object) && typeof value === 'object' && !Array.isArray(value);
}

function labelOf(entry: unknown): string {
  if (typeof entry === 'function')
    return isClass(entry) ? `the class ${className(entry)}, which has no tools` : 'a function';
  return describeValue(entry);
}
