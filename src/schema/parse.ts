import { className } from '../common/classes.js';
import type { Constructor } from '../common/types.js';
import { ParseError } from '../error/ParseError.js';
import { parserOf } from './classReading.js';
import type { ParseOptions } from './slowParser.js';

/**
 * Makes an instance of a params, result or state class from unknown data, by the rules that hold for a tool's arguments
 * (docs/contract.md, 2). Reading the class and making its parser is done once for each class.
 *
 * @param value plain data by wire names: what `JSON.parse` gave
 * @throws ParseError with every issue when the value does not fit; PromptValidationError when the class itself is at fault
 * @example
 * class Settings { @Param('Seconds') timeout = 30; }
 * const settings = parse(Settings, JSON.parse(text));
 * settings.timeout;
 */
export function parse<T extends object>(type: Constructor<T>, value: unknown, options: ParseOptions = {}): T {
  const parsed = parserOf(type, options)(value);
  if (!parsed.ok) throw new ParseError(className(type), parsed.issues);
  return parsed.value as T;
}
