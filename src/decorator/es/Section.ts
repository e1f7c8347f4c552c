import type { Constructor } from '../../common/types.js';
import type { CheckedHooks } from '../../metadata/args/CheckedHooks.js';
import type { CheckedTemplate } from '../../metadata/args/CheckedTemplate.js';
import type { SectionOptions } from '../../metadata/args/SectionMetadataArgs.js';
import type { TemplateSource } from '../../metadata/Template.js';
import { Section as ExperimentalSection } from '../Section.js';
import { adaptDecorator } from './adaptDecorator.js';
import type { CheckedConstructor, ClassContext, Inject, InjectList } from './checkedTypes.js';

/**
 * Declares a class as a section of a prompt: its text, its tools and its child sections.
 *
 * @throws PromptValidationError E115, E116, E312
 */
export function Section<
  P = unknown,
  const T extends TemplateSource<never> = string,
  const S extends TemplateSource<never> = string,
  const I extends InjectList | undefined = undefined,
>(
  options: SectionOptions<P, T, S> &
    CheckedTemplate<T, NoInfer<P>> &
    CheckedTemplate<S, NoInfer<P>, 'summary'> &
    Inject<I>,
): <C extends Constructor>(
  type: C & CheckedHooks<InstanceType<C>, P> & CheckedConstructor<C, I>,
  context: ClassContext,
) => void;
export function Section(...given: readonly unknown[]): (value: unknown, context: unknown) => void {
  return adaptDecorator('Section', ['class'], given, ExperimentalSection, 'inject');
}
