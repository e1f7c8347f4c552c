import { PromptEvaluationError } from 'toolwright';
import type { ModelSettings, ToolChoice } from 'toolwright/adapters';
import { quote } from 'toolwright/internal/light';
import type { AiLanguageModel, AiModelParameters, AiProviderOptions } from './AiLanguageModel.js';
import type { AiTools } from './writeModelTools.js';
import { findProviderFamily, refusesForcedCalls } from './findProviderFamily.js';

/** The settings of a request, in the specification's fields. */
export interface RequestSettings {
  readonly parameters: Pick<AiModelParameters, 'temperature' | 'stopSequences' | 'toolChoice'>;
  readonly providerOptions: AiProviderOptions | undefined;
}

/**
 * Maps the settings of a request to the specification's fields and to options of the provider.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError E723 with phase `request` for a setting that the provider cannot express, or refuses
 */
export function writeRequestSettings(
  adapter: string,
  model: AiLanguageModel,
  settings: ModelSettings | undefined,
  tools: AiTools,
): RequestSettings {
  const { temperature, stopSequences, toolChoice, parallelToolCalls } = settings ?? {};
  const refuse = (what: string, remedy?: string): never => {
    throw new PromptEvaluationError(`${adapter} cannot take ${what}.`, { phase: 'request', code: 'E723', remedy });
  };
  const { oneCall } = findProviderFamily(model.provider);
  if (parallelToolCalls === false && oneCall === undefined)
    refuse('parallelToolCalls: false', 'Leave it out, and set what your provider has for it in providerOptions.');
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
  if (isForced && refusesForcedCalls(model))
    refuse('a toolChoice that forces a call', 'Ask for the call in the prompt.');
  if (typeof toolChoice === 'object' && !isForcible(toolChoice.tool, tools))
    refuse(`the toolChoice ${quote(toolChoice.tool, 100)}, which is not in the list of its tools`);
  return {
    parameters: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
      ...(toolChoice === undefined ? {} : { toolChoice: writeToolChoice(toolChoice) }),
    },
    providerOptions: parallelToolCalls === false ? oneCall : undefined,
  };
}

function isForcible(name: string, { tools, later }: AiTools): boolean {
  return !later.has(name) && tools.some((tool) => tool.name === name);
}

function writeToolChoice(choice: ToolChoice): NonNullable<AiModelParameters['toolChoice']> {
  return typeof choice === 'object' ? { type: 'tool', toolName: choice.tool } : { type: choice };
}
