import type { Constructor } from '../common/types.js';
import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { CheckedTemplate } from '../metadata/args/CheckedTemplate.js';
import type { CheckedHooks } from '../metadata/args/CheckedHooks.js';
import type { SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { TemplateSource } from '../metadata/Template.js';
import { requireLegacyDecorators, requireParentheses } from './place.js';

/** The class decorator returned by `@Section`. Checks the hooks of the class against its params. */
export type SectionDecorator<P> = <Instance extends object>(
  type: Constructor<Instance> & CheckedHooks<Instance, P>,
) => void;

/**
 * Declares a class as a section of a prompt: its text, its tools and its child sections (docs/contract.md, 3).
 *
 * @example
 * @Section({ title: 'Orders', template: 'Look an order up before you change it.' })
 * export class OrdersSection { … }
 */
export function Section<
  P = unknown,
  const T extends TemplateSource<never> = string,
  const S extends TemplateSource<never> = string,
>(
  options: SectionOptions<P, T, S> & CheckedTemplate<T, NoInfer<P>> & CheckedTemplate<S, NoInfer<P>, 'summary'>,
): SectionDecorator<P> {
  requireParentheses('Section', options);
  return (type: Constructor, ...rest: unknown[]) => {
    requireLegacyDecorators('Section', rest[0]);
    getArgs(type).section = (options as SectionOptions | undefined) ?? null;
  };
}
