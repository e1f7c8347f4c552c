import { getOrCreate } from '../common/memoize.js';
import type { Constructor, JsonSchema } from '../common/types.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import type { LoweredToolSchema, SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import type { ToolView } from '../interface/PromptView.js';
import type { ToolHints } from '../value/ToolHints.js';
import type { TypeShape } from '../metadata/ClassShape.js';
import type { ToolMetadata } from '../metadata/ToolMetadata.js';
import { lowerSchema } from '../schema/lowering/lowerSchema.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolExample } from '../tool/ToolHandler.js';
import { createSerialiser } from '../schema/write/createSerialiser.js';

/** A tool of a rendering, with the instance that its handler runs on. */
export class RenderedTool implements ToolView {
  readonly metadata: ToolMetadata;
  /** @internal */
  readonly owner: object;
  /**
   * The container that built the owner; undefined for a tool without a section.
   *
   * @internal
   */
  readonly container: ContainerAdapter | undefined;

  /** @internal */
  constructor(metadata: ToolMetadata, owner: object, container?: ContainerAdapter) {
    this.metadata = metadata;
    this.owner = owner;
    this.container = container;
  }

  get name(): string {
    return this.metadata.name;
  }

  get description(): string {
    return this.metadata.description;
  }

  get sectionPath(): string {
    return this.metadata.sectionPath;
  }

  get schema(): JsonSchema {
    return this.metadata.schema;
  }

  /** The params class; null for a tool without params. */
  get paramsType(): Constructor | null {
    return this.metadata.params?.type ?? null;
  }

  get resultType(): TypeShape | null {
    return this.metadata.result;
  }

  get resultContainer(): 'object' | 'array' {
    return this.metadata.resultContainer;
  }

  get examples(): readonly ToolExample[] {
    return this.metadata.examples;
  }

  get hints(): ToolHints {
    return this.metadata.hints;
  }

  get acceptsOverrides(): boolean {
    return this.metadata.acceptsOverrides;
  }

  /** Calls the handler directly, without parsing and without a transaction. Null if the tool has no handler. */
  get handler(): ((params: unknown, context: ToolContext) => unknown) | null {
    const { invoke } = this.metadata;
    return invoke === null ? null : (params, context) => invoke(this.owner, params, context);
  }

  /** Returns the tool in a provider's dialect, with the losses of the conversion. Returns the same object each time. */
  schemaFor(target: SchemaTarget, options: SchemaOptions): LoweredToolSchema {
    return getLoweredSchema(this.metadata, target, options);
  }
}

const loweredSchemas = new WeakMap<ToolMetadata, Map<string, LoweredToolSchema>>();

function getLoweredSchema(tool: ToolMetadata, target: SchemaTarget, options: SchemaOptions): LoweredToolSchema {
  const known = getOrCreate(loweredSchemas, tool, () => new Map<string, LoweredToolSchema>());
  return getOrCreate(known, `${target} ${String(options.strict === true)}`, () => {
    const { schema, strict, losses } = lowerSchema(tool.schema, target, options);
    const { name, description } = tool;
    return Object.freeze({ name, description, parameters: schema, strict, losses });
  });
}

/** Renders the examples of a section's tools as a short block; empty if there are none. */
export function renderExamples(tools: readonly RenderedTool[]): string {
  const lines = tools.flatMap((tool) => {
    const serialiser = createSerialiser(tool.metadata.fieldNames);
    return tool.examples.map(({ description, input, output }) => {
      const call = `${tool.name}(${input === null ? '' : JSON.stringify(serialiser.toPlain(input))})`;
      return `- ${description.trim()}: \`${call}\`${output === null ? '' : ` gives \`${JSON.stringify(serialiser.toPlain(output))}\``}`;
    });
  });
  return lines.length === 0 ? '' : `Examples:\n${lines.join('\n')}`;
}
