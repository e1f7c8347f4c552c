import { PromptEvaluationError } from 'toolwright';
import type { ModelSettings, OutputSchema } from 'toolwright/adapters';
import { quote } from 'toolwright/internal/light';
import type { ToolPlan } from 'toolwright/internal';
import { MAX_STOP_TEXTS, MAX_FORMAT_NAME_CHARS } from './limits.js';
import type { OpenAI } from 'openai';

/**
 * Returns the choice of tools of a request; undefined if its settings choose nothing. A tool behind a bridge is chosen by choosing
 * the bridge.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError E723 with phase `request` for a choice that cannot be met
 */
export function readToolChoice(
  adapter: string,
  { toolChoice }: ModelSettings,
  { tools, bridge }: Pick<ToolPlan, 'tools' | 'bridge'>,
): 'auto' | 'none' | 'required' | { readonly name: string } | undefined {
  if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return toolChoice;
  if (toolChoice === 'required') {
    if (tools.length > 0) return toolChoice;
    throw createSettingError(
      `${adapter} cannot require a tool call: no tool is offered.`,
      'Leave toolChoice out, or offer a tool.',
    );
  }
  const { tool } = toolChoice;
  if (tools.some(({ name }) => name === tool)) return { name: tool };
  if (bridge !== undefined) return { name: bridge };
  throw createSettingError(
    `${adapter} cannot require a call of ${quote(tool)}: it is not among the tools of the request.`,
    'Name a tool that was offered when the conversation began, or require any call.',
  );
}

/**
 * Returns the stop texts of an answer for Chat Completions; undefined for none.
 *
 * @throws PromptEvaluationError E723 with phase `request` for more texts than the provider accepts
 */
export function readStops(adapter: string, { stopSequences = [] }: ModelSettings): string[] | undefined {
  if (stopSequences.length > MAX_STOP_TEXTS) {
    const count = String(stopSequences.length);
    throw createSettingError(
      `${adapter} would refuse the request: it has ${count} stop sequences, at most ${String(MAX_STOP_TEXTS)} are possible.`,
      'Leave some of stopSequences out.',
    );
  }
  return stopSequences.length === 0 ? undefined : [...stopSequences];
}

/**
 * Refuses stop texts for the Responses API, which has no field for them.
 *
 * @throws PromptEvaluationError E723 with phase `request` if the settings have any
 */
export function refuseStops(adapter: string, { stopSequences = [] }: ModelSettings): void {
  if (stopSequences.length === 0) return;
  throw createSettingError(
    `${adapter} cannot stop at given texts: the Responses API has no stop sequences.`,
    'Leave stopSequences out, or use OpenAIChatAdapter.',
  );
}

/**
 * Refuses to choose the search of a prompt where it is declared as the provider's own: the provider has no such choice.
 *
 * @param search the name of that search; undefined if there is none
 * @throws PromptEvaluationError E723 with phase `request` if the settings choose it
 */
export function refuseSearchChoice(adapter: string, { toolChoice }: ModelSettings, search: string | undefined): void {
  if (typeof toolChoice !== 'object' || toolChoice.tool !== search) return;
  throw createSettingError(
    `${adapter} cannot require a call of ${quote(search)}: it is declared as the provider's own search, which cannot be chosen.`,
    'Require any call, or create the adapter with toolSearch: false and begin a new conversation.',
  );
}

function createSettingError(problem: string, remedy: string): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase: 'request', code: 'E723', remedy });
}

type ResponseFormat = OpenAI.ResponseFormatJSONSchema;

/** Writes the schema of the answer in the form of a Chat Completions request (docs/contract.md, 14). */
export function writeResponseFormat({ name, schema, strict }: OutputSchema): ResponseFormat {
  const legalName = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_FORMAT_NAME_CHARS);
  return { type: 'json_schema', json_schema: { name: legalName, schema: { ...schema }, strict } };
}
