import type { Constructor } from '../../common/types.js';
import type { OutputReference } from '../../metadata/args/OutputReference.js';
import type { PromptOptions } from '../../metadata/args/SectionMetadataArgs.js';
import { Prompt as ExperimentalPrompt, type PromptDecorator } from '../Prompt.js';
import type { ClassContext } from './checkedTypes.js';
import { recordLater, requireCall } from './recordLater.js';

/** The class decorator returned by `@Prompt` of `toolwright/es`. Checks the property `output` of the class. */
export type StandardPromptDecorator<O> = (
  ...args: [...Parameters<PromptDecorator<O>>, context: ClassContext]
) => void;

/**
 * Declares a class as a prompt: a tree of sections under one namespace and key.
 *
 * @throws PromptValidationError E115, E116, E312
 * @example
 * @Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection] })
 * export class SupportDesk {}
 */
export function Prompt<const O extends OutputReference | undefined = undefined>(
  options: PromptOptions<O>,
): StandardPromptDecorator<O>;
export function Prompt(options: PromptOptions, second?: unknown): (value: unknown, context: unknown) => void {
  requireCall('Prompt', second);
  const declare: (type: Constructor) => void = ExperimentalPrompt(options);
  return (_value, context) => {
    recordLater('Prompt', context, ['class'], declare);
  };
}
