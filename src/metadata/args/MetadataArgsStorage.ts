import type { Constructor, ClassOrThunk } from '../../common/types.js';
import type { ContextMetadataArgs, ParameterMetadataArgs, PropertyMetadataArgs } from './ParamMetadataArgs.js';
import type { PromptOptions, SectionOptions } from './SectionMetadataArgs.js';
import { runDeclarations } from './standardDeclarations.js';
import type { DefinedHandler, ToolMetadataArgs } from './ToolMetadataArgs.js';

/** Everything that decorators recorded about one class, in the order in which they ran. */
export interface ClassArgs {
  readonly tools: ToolMetadataArgs[];
  readonly properties: PropertyMetadataArgs[];
  readonly parameters: ParameterMetadataArgs[];
  readonly contexts: ContextMetadataArgs[];
  readonly reducers: ReducerMetadataArgs[];
  /** Null if the decorator was called without options: the builder must know that there was one. */
  section: SectionOptions | null | undefined;
  prompt: PromptOptions | null | undefined;
  /** Set by defineTool; the builder checks that it can be called. */
  definedHandler: DefinedHandler | undefined;
  /**
   * True for classes created by `defineTool`, `defineSection` and `definePrompt`, which have no constructor arguments
   * and are unknown to containers.
   */
  defined: boolean;
  /** The name of a remote tool on its server; undefined for all other tools. */
  remoteName: string | undefined;
}

// Stored under a registered symbol, because two copies of the package (ESM and CJS) must see each other's classes. Weak
// and per class, because a global list would keep every class of every test alive and mix them.
const STORAGE = Symbol.for('toolwright/metadata/1');
const holder = globalThis as unknown as Record<symbol, WeakMap<Constructor, ClassArgs> | undefined>;
const storage = (holder[STORAGE] ??= new WeakMap<Constructor, ClassArgs>());

/** Returns the record of exactly this class, and creates it if necessary. */
export function getArgs(type: Constructor): ClassArgs {
  const known = findArgs(type);
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

/** Returns the record of exactly this class, if a decorator has written one. */
export function findArgs(type: Constructor): ClassArgs | undefined {
  runDeclarations(type);
  return storage.get(type);
}

/** `@Reducer` on a method of a state class, as declared. */
interface ReducerMetadataArgs {
  readonly member: string | symbol;
  readonly event: ClassOrThunk;
  readonly isStatic: boolean;
}
