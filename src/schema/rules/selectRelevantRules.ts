import { util } from '../../common/builtins.js';
import type { JsonSchema } from '../../common/types.js';
import type { Check, TypeShape } from '../../metadata/ClassShape.js';
import { subjects } from '../lowering/keywords.js';

/** Types that imply a rule, which is then omitted, since the type is checked anyway. */
const impliedBy: Readonly<Record<string, readonly TypeShape['kind'][]>> = {
  isString: ['string'],
  isInt: ['integer'],
  isBoolean: ['boolean'],
  isDate: ['date'],
  isArray: ['array', 'tuple'],
  isDefined: ['string', 'number', 'integer', 'boolean', 'date', 'array', 'tuple', 'record', 'object', 'discriminated'],
};

/** Returns the rules of a property that its type does not imply, with only the schema keywords that apply. */
export function selectRelevantRules(checks: readonly Check[], type: TypeShape): readonly Check[] {
  return checks.flatMap((check) => {
    // class-validator applies an `each` rule to the value itself if it is not a list.
    const each = check.each && ['array', 'tuple', 'any', 'oneOf'].includes(type.kind);
    const target = each ? (type.kind === 'array' ? type.items : undefined) : type;
    if (target !== undefined && isImplied(check, target)) return [];
    const schema =
      target === undefined || check.schema === undefined ? undefined : selectApplicable(check.schema, target);
    return [{ ...check, each, schema }];
  });
}

function isImplied({ name, schema }: Check, type: TypeShape): boolean {
  if (type.kind === 'enum' && name === 'isEnum') return util().isDeepStrictEqual(schema?.['enum'], type.values);
  if (type.kind === 'enum' && name === 'isDefined') return !type.values.includes(null);
  return impliedBy[name]?.includes(type.kind) === true;
}

/** Lists the kinds of JSON values that reach a rule of the property exactly as sent. */
function listSubjects(type: TypeShape): readonly string[] {
  switch (type.kind) {
    case 'string':
      return ['string'];
    case 'number':
    case 'integer':
      return ['number'];
    case 'enum':
      return [...new Set(type.values.map((value) => typeof value))];
    case 'array':
      return ['array', ...(isScalar(type.items) ? ['array of scalars'] : [])];
    case 'tuple':
      return ['array'];
    case 'record':
      return ['object'];
    case 'any':
      return ['string', 'number', 'array', 'object'];
    case 'oneOf':
      return type.options.flatMap(listSubjects).filter((subject) => subject !== 'array of scalars');
    default:
      // An instance has properties that were not sent.
      return [];
  }
}

function isScalar(type: TypeShape): boolean {
  return ['string', 'number', 'integer', 'boolean', 'enum', 'null'].includes(type.kind);
}

/** Selects the part of a rule's schema that holds for values of the type; returns undefined if nothing remains. */
function selectApplicable(schema: JsonSchema, type: TypeShape): JsonSchema | undefined {
  // The rule receives a Date, but a string was sent.
  if (type.kind === 'date') return undefined;
  const known = listSubjects(type);
  const said: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const part = selectKeyword(keyword, value, known, type);
    if (part !== undefined) said[keyword] = part;
  }
  return Object.keys(said).length === 0 ? undefined : said;
}

function selectKeyword(keyword: string, value: unknown, known: readonly string[], type: TypeShape): unknown {
  // Rules compare items by identity: two equal objects are distinct.
  const subject = keyword === 'uniqueItems' ? 'array of scalars' : subjects.get(keyword);
  if (subject !== undefined) return known.includes(subject) ? value : undefined;
  if (keyword === 'allOf') {
    const parts = (value as readonly JsonSchema[]).flatMap((part) => selectApplicable(part, type) ?? []);
    return parts.length === 0 ? undefined : parts;
  }
  // A weaker schema within `not` would exclude more.
  if (keyword === 'not' && !util().isDeepStrictEqual(selectApplicable(value as JsonSchema, type), value))
    return undefined;
  return value;
}
