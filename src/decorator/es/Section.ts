import { setParameterTypes } from '../../common/reflect.js';
import type { Constructor } from '../../common/types.js';
import type { CheckedHooks } from '../../metadata/args/CheckedHooks.js';
import type { CheckedTemplate } from '../../metadata/args/CheckedTemplate.js';
import type { SectionOptions } from '../../metadata/args/SectionMetadataArgs.js';
import type { TemplateSource } from '../../metadata/Template.js';
import { Section as ExperimentalSection } from '../Section.js';
import type { CheckedConstructor, ClassContext, InjectList } from './checkedTypes.js';
import { recordLater, requireCall, resolveClasses, splitList } from './recordLater.js';

/** The options that only a standard decorator has. */
interface Inject<I extends InjectList | undefined> {
  /** The classes of the arguments of its constructor. */
  readonly inject?: I;
}

/** The class decorator returned by `@Section` of `toolwright/es`. Checks the hooks and the constructor of the class. */
export type StandardSectionDecorator<P, I> = <C extends Constructor>(
  type: C & CheckedHooks<InstanceType<C>, P> & CheckedConstructor<C, I>,
  context: ClassContext,
) => void;

/**
 * Declares a class as a section of a prompt: its text, its tools and its child sections.
 *
 * @throws PromptValidationError E115, E116, E312
 * @example
 * @Section({ title: 'Orders', template: 'Look an order up before you change it.', inject: [Orders] })
 * export class OrdersSection { constructor(private readonly orders: Orders) {} }
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
): StandardSectionDecorator<P, I>;
export function Section(options: unknown, second?: unknown): (value: unknown, context: unknown) => void {
  requireCall('Section', second);
  const { list, others } = splitList('Section', options, 'inject');
  const declare: (type: Constructor) => void = ExperimentalSection(others);
  return (_value, context) => {
    recordLater('Section', context, ['class'], (type) => {
      if (list !== undefined) setParameterTypes(type, undefined, resolveClasses(list));
      declare(type);
    });
  };
}
