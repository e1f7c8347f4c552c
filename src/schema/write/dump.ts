import type { JsonValue } from '../../common/types.js';
import { createSerialiser } from './createSerialiser.js';
import type { DumpOptions } from './PlainWriter.js';

/**
 * Writes any value as plain JSON data, in the form that models receive: instances by their wire names without `@Exclude`d
 * properties; cycles, dates, maps and errors in defined forms (docs/contract.md, 5). Never throws.
 *
 * @returns undefined only for undefined
 * @example
 * JSON.stringify(dump(order, { excludeNone: true }));
 */
export function dump(value: unknown, { excludeNone }: Pick<DumpOptions, 'excludeNone'> = {}): JsonValue | undefined {
  return createSerialiser('as-is').toPlain(value, { excludeNone }) as JsonValue | undefined;
}
