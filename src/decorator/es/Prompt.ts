import type { Constructor } from '../../common/types.js';
import type { CheckedOutput, OutputReference } from '../../metadata/args/OutputReference.js';
import type { PromptOptions } from '../../metadata/args/SectionMetadataArgs.js';
import { Prompt as ExperimentalPrompt } from '../Prompt.js';
import { adaptDecorator } from './adaptDecorator.js';
import type { ClassContext } from './checkedTypes.js';

/**
 * Declares a class as a prompt: a tree of sections under one namespace and key.
 *
 * @throws PromptValidationError E115, E116, E312
 */
export function Prompt<const O extends OutputReference | undefined = undefined>(
  options: PromptOptions<O>,
): <Instance extends object>(type: Constructor<Instance> & CheckedOutput<Instance, O>, context: ClassContext) => void;
export function Prompt(...given: readonly unknown[]): (value: unknown, context: unknown) => void {
  return adaptDecorator('Prompt', ['class'], given, ExperimentalPrompt);
}
