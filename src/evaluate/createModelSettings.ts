import { requireValue } from '../error/optionNames.js';
import type { ModelSettings } from '../interface/ModelAdapter.js';
import type { EvaluateOptions } from './RunOptions.js';
import { toolChoiceForm } from './runOptionForms.js';

/**
 * Returns the settings of a request; undefined if the run leaves all of them to its adapter.
 *
 * @throws PromptError E413 for a choice that no model can be given
 */
export function createModelSettings(
  options: Pick<EvaluateOptions, 'toolChoice' | 'parallelToolCalls' | 'stopSequences' | 'temperature'>,
  turn: number,
): ModelSettings | undefined {
  const { toolChoice: choice, parallelToolCalls, stopSequences, temperature } = options;
  const toolChoice = typeof choice === 'function' ? choice(turn) : choice;
  if (toolChoice !== undefined)
    requireValue('app.evaluate', `toolChoice of turn ${String(turn)}`, toolChoice, toolChoiceForm);
  const given = Object.entries({ toolChoice, parallelToolCalls, stopSequences, temperature });
  const settings = given.filter(([, value]) => value !== undefined);
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}
