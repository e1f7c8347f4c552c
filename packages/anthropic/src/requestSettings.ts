import type { Anthropic } from '@anthropic-ai/sdk';
import { PromptEvaluationError } from 'toolwright';
import type { ModelSettings } from 'toolwright/adapters';
import { quote } from 'toolwright/internal/light';
import { canForceChoice } from './decideMeans.js';

type ToolChoice = Anthropic.Beta.Messages.BetaToolChoice;

/** Everything that the choice of a tool depends on. */
export interface ChoiceRules {
  /** The adapter's name, for errors. */
  readonly adapter: string;
  readonly model: string;
  readonly tools: readonly string[];
  /** The choice in the adapter's parameters. */
  readonly chosen?: ToolChoice | undefined;
}

/** Writes the settings that have their own fields in a request. */
export function writeSettings({ stopSequences, temperature }: ModelSettings = {}): {
  stop_sequences?: string[];
  temperature?: number;
} {
  return {
    ...(stopSequences === undefined ? {} : { stop_sequences: [...stopSequences] }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

/**
 * Writes the choice of tools; undefined if the provider decides. A request without tools has none, since the provider refuses it.
 *
 * @throws PromptEvaluationError E723 with phase `request` if the model cannot be forced to call a tool, or the request lacks that tool
 */
export function writeToolChoice(
  { toolChoice: wanted, parallelToolCalls: isParallel }: ModelSettings = {},
  { adapter, model, tools, chosen }: ChoiceRules,
): ToolChoice | undefined {
  if (tools.length === 0) return undefined;
  const choice = wanted === undefined ? chosen : choiceOf(wanted);
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  if (isForced && !canForceChoice(model)) {
    throw new PromptEvaluationError(`${adapter} takes no choice that forces a call: the model answers 400 to it.`, {
      phase: 'request',
      code: 'E723',
      place: 'settings.toolChoice',
      remedy: "Leave the choice to the model ('auto'), and say in the prompt which tool to call; or use another model.",
    });
  }
  if (choice?.type === 'tool' && !tools.includes(choice.name)) {
    throw new PromptEvaluationError(`${adapter} is to call ${quote(choice.name)}, which the request does not offer.`, {
      phase: 'request',
      code: 'E723',
      place: 'settings.toolChoice',
      remedy: 'Name a tool that is enabled, as it is advertised.',
    });
  }
  if (isParallel !== false || choice?.type === 'none') return choice;
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
}

function choiceOf(wanted: NonNullable<ModelSettings['toolChoice']>): ToolChoice {
  if (typeof wanted === 'object') return { type: 'tool', name: wanted.tool };
  return { type: wanted === 'required' ? 'any' : wanted };
}
