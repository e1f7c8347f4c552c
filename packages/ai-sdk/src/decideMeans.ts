import { type JsonValue, type ModelRequest, ToolwrightError } from 'toolwright';
import { formatMessage, isRecord } from 'toolwright/internal/light';
import { chooseBridgeName, recordMeans } from 'toolwright/internal';
import type { AiLanguageModel, AiProviderTool, AiProviderOptions } from './AiLanguageModel.js';
import { findNativeMeans, findProviderFamily, type NativeMeans } from './findProviderFamily.js';
import { recordModes, readModes, type RecordedModes, type ToolModes } from './toolModes.js';

/** How tools of sections that are closed when a conversation begins reach the model. */
export type ClosedTools = 'native' | 'listed' | 'bridge';

/** Decisions that are made and recorded when a conversation begins. */
export interface AiMeans {
  readonly closedTools: NativeMeans | 'listed' | 'bridge';
  /** The name of the bridge tool. */
  readonly bridge?: string;
  /** Where notes of a run may be system messages: `anywhere`, only after a message of the `user` or a result, or `never`. */
  readonly systemNotes: 'anywhere' | 'user' | 'never';
  /** How tools are written; undefined in means that were recorded before this field existed. */
  readonly tools: RecordedModes | undefined;
}

/** Settings that the means depend on. */
export interface MeansOptions {
  readonly model: AiLanguageModel;
  readonly toolModes: ToolModes;
  readonly providerTools: readonly AiProviderTool[];
  readonly closedTools?: ClosedTools | undefined;
}

type Begin = Pick<ModelRequest, 'offeredTools' | 'closedTools'>;

/** Returns true if a search of the provider is among the tools: it would find closed tools. */
function hasSearchTool({ providerTools }: MeansOptions): boolean {
  return providerTools.some(({ id }) => id.startsWith('anthropic.tool_search'));
}

/** @throws ToolwrightError E723 for `native` if the model's provider does not support it */
export function checkClosedTools(options: MeansOptions): void {
  const { model, closedTools } = options;
  const hasSearch = hasSearchTool(options);
  if (closedTools !== 'native' || (trustNativeMeans(model) !== undefined && !hasSearch)) return;
  const why = hasSearch ? "the provider's search among the tools would open closed ones" : 'none are known';
  const details = { code: 'E723', place: `AiSdkAdapter for ${model.provider}` } as const;
  throw new ToolwrightError(
    formatMessage(`closedTools 'native' needs means of the provider, but ${why}`, details),
    details,
  );
}

export function decideMeans(begin: Begin, options: MeansOptions): AiMeans {
  return { ...planClosedTools(begin, options), tools: recordModes(begin, options.toolModes, options.providerTools) };
}

/** Decides how closed tools are reached, and where notes are put. */
function planClosedTools(begin: Begin, options: MeansOptions): Omit<AiMeans, 'tools'> {
  const { model, closedTools } = options;
  const { target, strict } = options.toolModes;
  const hasSearch = hasSearchTool(options);
  const known = findNativeMeans(model);
  const native = closedTools === 'native' ? trustNativeMeans(model) : closedTools === undefined ? known : undefined;
  const systemNotes = systemNotesOf(model, native);
  if (native !== undefined && !(native === 'toolChanges' && hasSearch)) return { closedTools: native, systemNotes };
  if (closedTools === 'listed') return { closedTools: 'listed', systemNotes };
  if (closedTools === 'bridge') {
    const all = [...(begin.offeredTools?.(target, { strict }) ?? []), ...(begin.closedTools?.(target) ?? [])];
    return { closedTools: 'bridge', bridge: chooseBridgeName(all.map(({ name }) => name)), systemNotes };
  }
  const planned = readPlan(recordMeans(begin, target, { strict }));
  return { ...planned, systemNotes };
}

/** Reads recorded means; undefined for means of another adapter. */
export function readMeans(means: JsonValue | undefined): AiMeans | undefined {
  if (!isRecord(means)) return undefined;
  const { closedTools, bridge, systemNotes } = means;
  if (!MEANS.has(closedTools) || !NOTES.has(systemNotes)) return undefined;
  if (closedTools === 'bridge' && typeof bridge !== 'string') return undefined;
  return {
    closedTools: closedTools as AiMeans['closedTools'],
    ...(typeof bridge === 'string' ? { bridge } : {}),
    systemNotes: systemNotes as AiMeans['systemNotes'],
    tools: readModes(means['tools']),
  };
}

const MEANS: ReadonlySet<unknown> = new Set(['toolChanges', 'additionalTools', 'listed', 'bridge']);
const NOTES: ReadonlySet<unknown> = new Set(['anywhere', 'user', 'never']);

function readPlan(means: JsonValue): Pick<AiMeans, 'closedTools' | 'bridge'> {
  const bridge = isRecord(means) ? means['bridge'] : undefined;
  return typeof bridge === 'string' ? { closedTools: 'bridge', bridge } : { closedTools: 'listed' };
}

/** Returns the native means that the user asked for: package version and model are not checked. */
function trustNativeMeans({ specificationVersion, provider }: AiLanguageModel): NativeMeans | undefined {
  if (provider.includes('anthropic')) return 'toolChanges';
  return /^(openai|azure).*\bresponses/.test(provider) && specificationVersion === 'v4' ? 'additionalTools' : undefined;
}

function systemNotesOf(model: AiLanguageModel, native: NativeMeans | undefined): AiMeans['systemNotes'] {
  if (findProviderFamily(model.provider).laterSystem === true) return 'anywhere';
  return native === 'toolChanges' || findNativeMeans(model) === 'toolChanges' ? 'user' : 'never';
}

const NOTES_BETA = 'mid-conversation-system-2026-04-07';
const TOOL_CHANGES_BETA = 'mid-conversation-tool-changes-2026-07-01';

/**
 * Returns the betas of a conversation with Claude. `@ai-sdk/anthropic` would add them with the first message that needs them, which
 * would change the request in the middle of the conversation.
 */
export function pinBetas(given: AiProviderOptions | undefined, { closedTools, systemNotes }: AiMeans): string[] {
  if (systemNotes !== 'user') return [];
  const anthropic = given?.['anthropic'];
  const own = isRecord(anthropic) ? anthropic['anthropicBeta'] : undefined;
  const named = Array.isArray(own) ? own.filter((beta) => typeof beta === 'string') : [];
  return [...new Set([...named, NOTES_BETA, ...(closedTools === 'toolChanges' ? [TOOL_CHANGES_BETA] : [])])];
}
