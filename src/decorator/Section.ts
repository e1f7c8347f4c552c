import type { Constructor } from '../common/types.js';
import { argsOf } from '../metadata/args/MetadataArgsStorage.js';
import type { SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import { requireLegacyDecorators } from './place.js';

/**
 * Makes a class a section of a prompt: its text, its tools, and the sections below it (runtime contract, 3).
 *
 * @example
 * @Section({ title: 'Orders', template: 'Look an order up before you change it.' })
 * export class OrdersSection { … }
 */
export function Section<P = unknown>(options: SectionOptions<P>): (type: Constructor) => void {
  return (type, ...rest: unknown[]) => {
    requireLegacyDecorators('Section', rest[0]);
    argsOf(type).section = options as SectionOptions;
  };
}
