import { getOrCreate } from '../../../common/memoize.js';
import type { ModelRequest, SchemaOptions, SchemaTarget, ToolSchema } from '../../../interface/ModelAdapter.js';
import type { ConversationHead, RecordedTool } from '../../../interface/RunEntry.js';
import type { ToolMetadata } from '../../../metadata/ToolMetadata.js';
import type { RenderedTool } from '../../../prompt/RenderedTool.js';
import { lowerSchema } from '../../../schema/lowering/lowerSchema.js';
import { createSerialiser } from '../../../schema/write/createSerialiser.js';

const recorded = new WeakMap<ToolMetadata, RecordedTool>();
const lowered = new WeakMap<RecordedTool, Map<string, ToolSchema>>();
const lists = new WeakMap<readonly RecordedTool[], Map<string, readonly ToolSchema[]>>();

/** The last list that began with a tool: most renderings of a prompt have the same ones. */
const latest = new WeakMap<ToolMetadata, readonly RecordedTool[]>();
const NO_TOOLS: readonly never[] = Object.freeze([]);

/** Returns tools as a conversation keeps them; mostly the same list each time, so that it is lowered once. */
export function recordTools(tools: readonly RenderedTool[]): readonly RecordedTool[] {
  const [first] = tools;
  if (first === undefined) return NO_TOOLS;
  const known = latest.get(first.metadata);
  if (known?.length === tools.length && tools.every((tool, at) => recordTool(tool) === known[at])) return known;
  const list = Object.freeze(tools.map(recordTool));
  latest.set(first.metadata, list);
  return list;
}

/** Returns a tool as a conversation keeps it; the same object each time. */
function recordTool({ metadata }: RenderedTool): RecordedTool {
  return getOrCreate(recorded, metadata, createRecordedTool);
}

function createRecordedTool(metadata: ToolMetadata): RecordedTool {
  const { name, description, schema, sectionPath: section } = metadata;
  const examples = listExampleInputs(metadata) as NonNullable<RecordedTool['examples']>;
  const plain = { name, description, schema, section };
  return examples.length === 0 ? plain : { ...plain, examples };
}

/** The tools of a conversation, as an adapter gets them. */
export type ToolLists = Required<Pick<ModelRequest, 'offeredTools' | 'closedTools' | 'searchTool'>>;

/** @param list writes tools in a provider's dialect */
export function createToolLists(head: ConversationHead | undefined, list: typeof lowerTools): ToolLists {
  const { offered = [], closed = [] } = head ?? {};
  return {
    offeredTools: (target, options) => list(offered, target, options),
    closedTools: (target, options) => list(closed, target, options),
    // A tool of a section may have the name of the prompt's own search.
    searchTool: offered.find(({ name, section }) => name === 'search_tools' && section === '')?.name,
  };
}

/** Writes the tools of a conversation in a provider's dialect: the same list, of the same objects, each time. */
export function lowerTools(
  tools: readonly RecordedTool[],
  target: SchemaTarget,
  options: SchemaOptions = {},
): readonly ToolSchema[] {
  return getOrCreate(
    getOrCreate(lists, tools, createMap<readonly ToolSchema[]>),
    dialectOf(target, options),
    (dialect) => {
      const lower = (tool: RecordedTool): ToolSchema =>
        getOrCreate(getOrCreate(lowered, tool, createMap<ToolSchema>), dialect, () => lowerTool(tool, target, options));
      return Object.freeze(tools.map(lower));
    },
  );
}

/** Names a dialect of schemas, as `lowerTools` writes them. */
export function dialectOf(target: SchemaTarget, { strict }: SchemaOptions): string {
  return strict === true ? `${target} strict` : target;
}

function lowerTool(
  { name, description, schema }: RecordedTool,
  target: SchemaTarget,
  options: SchemaOptions,
): ToolSchema {
  const { schema: parameters, strict } = lowerSchema(schema, target, options);
  return Object.freeze({ name, description, parameters, strict });
}

function createMap<V>(): Map<string, V> {
  return new Map();
}

/** Returns the inputs of a tool's examples as a model would write them (docs/contract.md, 2). */
export function listExampleInputs({
  examples,
  fieldNames,
}: Pick<ToolMetadata, 'examples' | 'fieldNames'>): readonly Readonly<Record<string, unknown>>[] {
  const serialiser = createSerialiser(fieldNames);
  return examples.flatMap(({ input }) =>
    input === null ? [] : [serialiser.toPlain(input) as Readonly<Record<string, unknown>>],
  );
}
