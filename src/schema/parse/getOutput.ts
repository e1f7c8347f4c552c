import { freezePlain } from '../../common/objects.js';
import { isObject } from '../../common/guards.js';
import { describeValue, keyText } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { OutputSchema } from '../../interface/ModelAdapter.js';
import type { ClassShape, ParseOutcome, Parser } from '../../metadata/ClassShape.js';
import type { OutputContainer, OutputMetadata } from '../../metadata/OutputMetadata.js';
import { extractJson } from '../repair/extractJson.js';
import { writeShapeSchema } from '../emit/writeClassSchema.js';
import { lowerSchema } from '../lowering/lowerSchema.js';
import { refuseWith } from '../limits.js';
import { createParser } from './parser.js';
import type { ParseOptions } from './ParseOptions.js';

const known = new WeakMap<ClassShape, Map<string, OutputMetadata>>();

/** Returns the output metadata of a class, or of a list of its instances; the same object each time (docs/contract.md, 14). */
export function getOutput(shape: ClassShape, container: OutputContainer, options: ParseOptions = {}): OutputMetadata {
  const { extra = 'forbid', coerce = false } = options;
  const ofShape = getOrCreate(known, shape, () => new Map<string, OutputMetadata>());
  const key = `${container} ${extra} ${String(coerce)}`;
  return getOrCreate(ofShape, key, () => createOutput(shape, container, { extra, coerce }));
}

function createOutput(shape: ClassShape, container: OutputContainer, options: ParseOptions): OutputMetadata {
  const parseOne = createParser(shape, options);
  const label = container === 'object' ? shape.name : `an array of ${shape.name}`;
  const parse = container === 'object' ? parseOne : createListParser(label, parseOne, options);
  const schema = writeOutputSchema(shape, container);
  const lowered = new Map<string, OutputSchema>();
  return Object.freeze<OutputMetadata>({
    type: shape.type,
    container,
    label,
    schema,
    read: (text) => {
      const found = extractJson(text);
      return found.ok ? parse(found.value) : found;
    },
    schemaFor: (target, { strict } = {}) =>
      getOrCreate(lowered, `${target} ${String(strict === true)}`, () =>
        Object.freeze({ name: shape.name, ...lowerSchema(schema, target, { strict }) }),
      ),
  });
}

/** Writes the schema of an output. Wraps a list in an object, since providers accept only objects. */
function writeOutputSchema(shape: ClassShape, container: OutputContainer): JsonSchema {
  if (container === 'object') return freezePlain(writeShapeSchema({ kind: 'object', shape }));
  const { $defs, ...items } = writeShapeSchema({ kind: 'array', items: { kind: 'object', shape } });
  return freezePlain({
    type: 'object',
    properties: { items },
    required: ['items'],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  });
}

/** Creates the parser of an array, or of an object that holds one as `items`. */
function createListParser(label: string, parseItem: Parser, { extra }: ParseOptions): Parser {
  return (value) => {
    const { items, others } = readItems(value);
    if (items === undefined) {
      const message = `expected ${label}, or an object with one as "items", got ${describeValue(value)}`;
      return refuseWith({ kind: 'type', path: '', message });
    }
    const outcomes = items.map(parseItem);
    const place = items === value ? '' : 'items';
    const message = 'is not a known key beside "items"';
    const issues = [
      ...outcomes.flatMap((outcome, index) => prefixIssues(`${place}[${String(index)}]`, outcome)),
      ...(extra === 'ignore' ? [] : others.map((key) => ({ kind: 'extra' as const, path: keyText(key), message }))),
    ];
    return issues.length > 0
      ? { ok: false, issues }
      : { ok: true, value: outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined)) };
  };
}

function readItems(value: unknown): { readonly items?: readonly unknown[]; readonly others: readonly string[] } {
  if (Array.isArray(value)) return { items: value, others: [] };
  if (!isObject(value) || !Object.hasOwn(value, 'items')) return { others: [] };
  const { items, ...others } = value as { readonly items: unknown };
  return Array.isArray(items) ? { items, others: Object.keys(others) } : { others: [] };
}

function prefixIssues(place: string, outcome: ParseOutcome): readonly ParamIssue[] {
  if (outcome.ok) return [];
  return outcome.issues.map((issue) => ({ ...issue, path: issue.path === '' ? place : `${place}.${issue.path}` }));
}
