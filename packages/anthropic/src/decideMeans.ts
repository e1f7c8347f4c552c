import type { JsonValue, ModelRequest } from 'toolwright';
import { createDeferredTest, recordDeferred, recordMeans } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import type { ToolModes } from './writeMessageTools.js';

/** The beta that lets messages offer and withdraw tools. */
export const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01';

/** The beta that reports whether thinking was dropped when its conversation changed. */
export const THINKING_BINDING = 'thinking-binding-controls-2026-08-01';

/** The models that take `role: "system"` messages and tool changes, and newer ones as far as the provider documents them. */
const WITH_SYSTEM_MESSAGES = matchModels('opus-4-8|opus-5-5|opus-5|fable-5-1|fable-5|mythos-5-1|mythos-5|sonnet-5-5');

/** The models that answer 400 to a forced choice of a tool. */
const WITHOUT_FORCED_CHOICE = matchModels('opus-5-5|fable-5-1|mythos-5-1|sonnet-5-5');

/** Decisions that a conversation with a model of Anthropic keeps from its first request to its last. */
export interface AnthropicMeans {
  /** True if messages offer and withdraw tools; closed ones are then in `tools`, deferred. */
  readonly toolChanges: boolean;
  /** True if the run's own notes are sent with the operator's authority. */
  readonly systemMessages: boolean;
  readonly betas: readonly string[];
  /** How closed tools are reached without tool changes, as `recordMeans` returned it. */
  readonly plan: JsonValue;
  /** How tools are written; undefined in means that were recorded before this field existed. */
  readonly tools: RecordedModes | undefined;
}

/** The `ToolModes` of a conversation, as recorded when it began. */
interface RecordedModes {
  readonly [setting: string]: JsonValue;
  readonly strict: boolean;
  readonly inputExamples: boolean;
  /** The names of the tools that the model finds by searching; left out if there are none. */
  readonly deferred?: readonly string[];
}

/** Adapter settings that decide how a conversation offers its tools. */
export interface MeansOptions {
  readonly model: string;
  /** The host's choice; undefined if the model's name decides. */
  readonly toolChanges: boolean | undefined;
  /** True if the client can send betas. */
  readonly hasBeta: boolean;
  /** The betas that its parameters need. */
  readonly betas: readonly string[];
  readonly toolModes: ToolModes;
}

/** Decides how a conversation that begins with these tools is held. */
export function decideMeans(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>,
  { model, toolChanges: wanted, hasBeta, betas, toolModes }: MeansOptions,
): AnthropicMeans {
  const offered = begin.offeredTools?.('anthropic') ?? [];
  // The provider refuses a request if all of its tools are deferred.
  const toolChanges = hasBeta && offered.length > 0 && (wanted ?? canTakeSystemMessages(model));
  const { strict, inputExamples = false, isDeferred } = toolModes;
  return {
    toolChanges,
    systemMessages: toolChanges || canTakeSystemMessages(model),
    betas: toolChanges ? withBeta(betas, TOOL_CHANGES) : betas,
    plan: toolChanges ? null : recordMeans(begin, 'anthropic'),
    tools: { strict, inputExamples, ...recordDeferred(offered, isDeferred) },
  };
}

/** Returns how the tools of a conversation are written: as recorded when it began. */
export function modesIn(means: AnthropicMeans | undefined, own: ToolModes): ToolModes {
  if (means?.tools === undefined) return own;
  const { strict, inputExamples } = means.tools;
  return { ...own, strict, inputExamples, isDeferred: createDeferredTest({ ...means.tools }, own.isDeferred) };
}

/** Reads recorded means; undefined for means of another adapter. */
export function readMeans(recorded: JsonValue | undefined): AnthropicMeans | undefined {
  if (!isRecord(recorded)) return undefined;
  const { toolChanges, systemMessages, betas, plan = null } = recorded;
  if (typeof toolChanges !== 'boolean' || typeof systemMessages !== 'boolean' || !Array.isArray(betas))
    return undefined;
  return { toolChanges, systemMessages, betas: betas.map(String), plan, tools: readModes(recorded['tools']) };
}

function readModes(recorded: JsonValue | undefined): RecordedModes | undefined {
  if (!isRecord(recorded)) return undefined;
  const { strict, inputExamples, deferred = [] } = recorded;
  if (typeof strict !== 'boolean' || typeof inputExamples !== 'boolean' || !Array.isArray(deferred)) return undefined;
  return { strict, inputExamples, deferred: deferred.map(String) };
}

/** Returns the betas with further ones, each once. */
export function withBeta(betas: readonly string[], ...more: readonly string[]): readonly string[] {
  return [...new Set([...betas, ...more])];
}

/** Returns true if the model takes `role: "system"` messages in the middle of a conversation. */
function canTakeSystemMessages(model: string): boolean {
  return WITH_SYSTEM_MESSAGES.test(normaliseModelName(model));
}

/** Returns true unless the model answers 400 to a choice that forces a call. */
export function canForceChoice(model: string): boolean {
  return !WITHOUT_FORCED_CHOICE.test(normaliseModelName(model));
}

/** Matches these models under the names of all platforms, with or without a date, but not other minor versions. */
function matchModels(names: string): RegExp {
  return new RegExp(`(?:^|[^a-z0-9])claude-(?:${names})(?!-?\\d{1,2}(?!\\d))`);
}

/** Normalises the name of a model: some platforms write `claude-opus-5.5`. */
function normaliseModelName(model: string): string {
  return model.toLowerCase().replaceAll('.', '-');
}
