import { createFinding } from '../../error/Finding.js';
import { OutputParseError } from '../../error/OutputParseError.js';
import { PromptValidationError } from '../../error/PromptError.js';
import type { OutputOf, OutputReference } from '../../metadata/args/OutputReference.js';
import { resolveOutput } from '../../metadata/args/resolveOutput.js';
import { readClass } from '../read/readClass.js';
import { getOutput } from './getOutput.js';
import type { ParseOptions } from './ParseOptions.js';

/**
 * Parses the answer of a model, for applications with their own loop: the JSON in the first fence marked `json`, else the whole
 * text, else the first object or array in it; a list may be wrapped as `{ items: […] }` (docs/contract.md, 14).
 *
 * @param output a class, or `{ array: X }` for a list of instances
 * @param text the answer of the model, at most 1 MiB
 * @throws OutputParseError E530 with every issue if the text has no such value; PromptValidationError if the class itself is
 * invalid
 * @example
 * class Review { @Field('1 to 5') stars!: number; }
 * const reviews = parseOutput({ array: Review }, 'Here they are: [{"stars":5}]');
 */
export function parseOutput<const O extends OutputReference>(
  output: O,
  text: string,
  options: ParseOptions = {},
): OutputOf<O> {
  const resolved = resolveOutput(output);
  if ('code' in resolved) {
    throw new PromptValidationError([createFinding(resolved.code, resolved.problem, { place: 'parseOutput' })]);
  }
  const { label, read } = getOutput(readClass(resolved.type), resolved.container, options);
  const parsed = read(text);
  if (!parsed.ok) throw new OutputParseError({ expected: label, rawText: text, issues: parsed.issues });
  return parsed.value as OutputOf<O>;
}
