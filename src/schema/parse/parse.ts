import { className } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import { ParseError } from '../../error/ParseError.js';
import { getParser } from '../read/readClass.js';
import type { ParseOptions } from './ParseOptions.js';

/**
 * Creates an instance of a params, result or state class from unknown data, by the rules for a tool's arguments
 * (docs/contract.md, 2). Reads the class and creates its parser only once.
 *
 * @param value plain data by wire names, as `JSON.parse` returns it
 * @throws ParseError with every issue if the value does not match the class; PromptValidationError if the class itself is invalid
 * @example
 * class Settings { @Param('Seconds') timeout = 30; }
 * const settings = parse(Settings, JSON.parse(text));
 * settings.timeout;
 */
export function parse<T extends object>(type: Constructor<T>, value: unknown, options: ParseOptions = {}): T {
  const parsed = getParser(type, options)(value);
  if (!parsed.ok) throw new ParseError(className(type), parsed.issues);
  return parsed.value as T;
}
