import type { JsonValue, ModelRequest } from 'toolwright';
import type { SchemaTarget, ToolSchema } from 'toolwright/adapters';
import { type ToolLimits } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import type { AiFunctionTool, AiProviderOptions, AiProviderTool } from './AiLanguageModel.js';

export interface ToolModes {
  readonly target: SchemaTarget;
  readonly strict: boolean;
  readonly inputExamples: boolean;
  readonly limits: ToolLimits;
  readonly optionsOf: (tool: ToolSchema) => AiProviderOptions | undefined;
  /** Provider options that every tool of a conversation gets. */
  readonly fixedOptions: AiProviderOptions | undefined;
  /** The tools of conversations as first written. */
  readonly written: WeakMap<ToolSchema, Map<string, AiFunctionTool>>;
}

/** Adapter settings that shape the tools of a conversation. */
export interface RecordedModes {
  readonly target: SchemaTarget;
  readonly strict: boolean;
  readonly inputExamples: boolean;
  readonly options: Readonly<Record<string, AiProviderOptions>>;
  readonly providerTools: readonly AiProviderTool[];
}

/** Returns the settings that a new conversation records. */
export function recordModes(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>,
  { target, strict, inputExamples, optionsOf }: ToolModes,
  providerTools: readonly AiProviderTool[],
): RecordedModes {
  const tools = [
    ...(begin.offeredTools?.(target, { strict }) ?? []),
    ...(begin.closedTools?.(target, { strict }) ?? []),
  ];
  const options = tools.flatMap((tool): [string, AiProviderOptions][] => {
    const given = optionsOf(tool);
    return given === undefined ? [] : [[tool.name, given]];
  });
  return { target, strict, inputExamples, options: Object.fromEntries(options), providerTools };
}

/** Reads recorded settings; undefined if there are none. */
export function readModes(recorded: JsonValue | undefined): RecordedModes | undefined {
  if (!isRecord(recorded)) return undefined;
  const { target, strict, inputExamples, options, providerTools } = recorded;
  const isRead =
    TARGETS.has(target) &&
    typeof strict === 'boolean' &&
    typeof inputExamples === 'boolean' &&
    isRecord(options) &&
    Array.isArray(providerTools);
  return isRead ? (recorded as unknown as RecordedModes) : undefined;
}

const TARGETS: ReadonlySet<unknown> = new Set<SchemaTarget>(['json-schema', 'openai', 'anthropic', 'mcp', 'gemini']);

/** Returns how the tools of a conversation are written: as recorded when it began. */
export function modesIn(recorded: RecordedModes | undefined, own: ToolModes): ToolModes {
  if (recorded === undefined) return own;
  const { target, strict, inputExamples, options } = recorded;
  const optionsOf = ({ name }: ToolSchema): AiProviderOptions | undefined =>
    Object.hasOwn(options, name) ? options[name] : undefined;
  return { ...own, target, strict, inputExamples, optionsOf };
}
