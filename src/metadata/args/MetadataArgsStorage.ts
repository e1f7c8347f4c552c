import type { Constructor } from '../../common/types.js';
import type { ContextMetadataArgs, ParameterMetadataArgs, PropertyMetadataArgs } from './ParamMetadataArgs.js';
import type { PromptOptions, SectionOptions } from './SectionMetadataArgs.js';
import type { ReducerMetadataArgs } from './ReducerMetadataArgs.js';
import type { DefinedHandler, ToolMetadataArgs } from './ToolMetadataArgs.js';

/** Everything that decorators wrote about one class, in the order in which they ran. */
export interface ClassArgs {
  readonly tools: ToolMetadataArgs[];
  readonly properties: PropertyMetadataArgs[];
  readonly parameters: ParameterMetadataArgs[];
  readonly contexts: ContextMetadataArgs[];
  readonly reducers: ReducerMetadataArgs[];
  /** Null when the decorator was called without options. */
  section: SectionOptions | null | undefined;
  prompt: PromptOptions | null | undefined;
  /** Set by defineTool; the builder judges whether it can be called. */
  definedHandler: DefinedHandler | undefined;
  /** True for classes made by define…: they have no constructor arguments, and no container knows them. */
  defined: boolean;
  /** What a tool that runs elsewhere is called there; undefined for all others. */
  remoteName: string | undefined;
}

// Behind a registered symbol, because two copies of the package (ESM and CJS) must see each other's classes.
// Per class and weak, because a global list keeps every class of every test alive and mixes them.
const STORAGE = Symbol.for('toolwright/metadata/1');
const holder = globalThis as unknown as Record<symbol, WeakMap<Constructor, ClassArgs> | undefined>;
const storage = (holder[STORAGE] ??= new WeakMap<Constructor, ClassArgs>());

/** The record of exactly this class, made when it has none. */
export function argsOf(type: Constructor): ClassArgs {
  const known = storage.get(type);
  if (known !== undefined) return known;
  const args: ClassArgs = {
    tools: [],
    properties: [],
    parameters: [],
    contexts: [],
    reducers: [],
    section: undefined,
    prompt: undefined,
    definedHandler: undefined,
    defined: false,
    remoteName: undefined,
  };
  storage.set(type, args);
  return args;
}

/** The record of exactly this class, if any decorator wrote one. */
export function knownArgs(type: Constructor): ClassArgs | undefined {
  return storage.get(type);
}
