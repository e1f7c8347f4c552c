import type { ModelSettings } from '../interface/ModelAdapter.js';
import type { EvaluateOptions } from './RunOptions.js';

/** Returns the settings of a request; undefined if the run leaves all of them to its adapter. */
export function settingsOf(
  options: Pick<EvaluateOptions, 'toolChoice' | 'parallelToolCalls' | 'stopSequences' | 'temperature'>,
  turn: number,
): ModelSettings | undefined {
  const { toolChoice: choice, parallelToolCalls, stopSequences, temperature } = options;
  const toolChoice = typeof choice === 'function' ? choice(turn) : choice;
  const given = Object.entries({ toolChoice, parallelToolCalls, stopSequences, temperature });
  const settings = given.filter(([, value]) => value !== undefined);
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}
