import type { BoundPrompt, JsonValue } from 'toolwright';
import { didYouMean, messageOf } from 'toolwright/internal/light';
import type { ClassShape, FieldShape } from 'toolwright/internal';
import { CliError } from './CliError.js';
import { readInputFile } from './input.js';
import { nameOf } from './load/withApplication.js';

/**
 * Binds params given as `name=value` or `name=@file`, or as `Class.name=value` if several classes have the name. A value is JSON
 * unless its property holds text.
 *
 * @throws CliError E968, E970
 */
export function bindParams(prompt: BoundPrompt, given: readonly string[], folder: string): BoundPrompt {
  const shapes = shapesOf(prompt);
  const values = new Map<ClassShape, Record<string, unknown>>();
  for (const each of given) {
    const [, name = '', text = ''] = /^([^=]+)=([^]*)$/.exec(each) ?? [];
    if (name === '') throw new CliError('expected name=value', { code: 'E968', place: `--param ${each}` });
    const { shape, field } = findField(name, shapes);
    const value = text.startsWith('@') ? readInputFile(text.slice(1), folder) : text;
    const known = values.get(shape) ?? {};
    values.set(shape, { ...known, [field.property]: readValue(field, value) });
  }
  try {
    return [...values].reduce((bound, [shape, entries]) => bound.bind(shape.type, entries), prompt);
  } catch (cause) {
    throw new CliError(messageOf(cause).split('\n\n').at(-1) ?? '', { code: 'E968', place: '--param', cause });
  }
}

/**
 * Binds params that a bundle holds by the names of their classes.
 *
 * @throws CliError E968 for a class that no section takes any more, or for values that do not match it
 */
export function bindRecorded(prompt: BoundPrompt, params: Readonly<Record<string, JsonValue>> = {}): BoundPrompt {
  const shapes = shapesOf(prompt);
  const remedy = 'Give the class and its properties their recorded names again, or remove the recorded run.';
  return Object.entries(params).reduce((bound, [name, values]) => {
    const shape = shapes.find((each) => each.name === name);
    if (shape === undefined) {
      const problem = `no section takes the recorded params ${name}`;
      throw new CliError(problem, { code: 'E968', place: nameOf(prompt), remedy });
    }
    try {
      return bound.bind(shape.type, values as object);
    } catch (cause) {
      const problem = messageOf(cause).split('\n\n').at(-1) ?? '';
      throw new CliError(problem, { code: 'E968', place: nameOf(prompt), remedy, cause });
    }
  }, prompt);
}

function shapesOf({ metadata }: BoundPrompt): readonly ClassShape[] {
  return [...new Set(metadata.allSections.flatMap(({ params }) => (params === null ? [] : [params])))];
}

function findField(
  name: string,
  shapes: readonly ClassShape[],
): { readonly shape: ClassShape; readonly field: FieldShape } {
  const all = shapes.flatMap((shape) => shape.fields.map((field) => ({ shape, field })));
  const matches = all.filter(
    ({ shape, field }) => name === field.property || name === `${shape.name}.${field.property}`,
  );
  const [first, second] = matches;
  const names = all.map(({ shape, field }) =>
    second === undefined ? field.property : `${shape.name}.${field.property}`,
  );
  if (first === undefined) {
    const near = didYouMean(name, names);
    const known = names.length === 0 ? ' The prompt takes none.' : ` There are: ${names.join(', ')}.`;
    throw new CliError(`no section takes a parameter "${name}".${near === '' ? known : near}`, {
      code: 'E968',
      place: '--param',
    });
  }
  if (second === undefined) return first;
  const choices = matches.map(({ shape, field }) => `${shape.name}.${field.property}`).join(', ');
  throw new CliError(`several classes have it: name ${choices}`, { code: 'E968', place: `--param ${name}` });
}

function readValue({ type }: FieldShape, text: string): unknown {
  if (type.kind === 'string' || type.kind === 'date') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The text may be an enum value. Otherwise the params class refuses it with a better reason.
    return text;
  }
}
