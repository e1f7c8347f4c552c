import type { JsonSchema } from 'toolwright';
import { quote, isText } from 'toolwright/internal/light';
import { listInnerSchemas, isPattern, isSchema } from 'toolwright/internal';

const TYPES = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isInner = (value: unknown): boolean => typeof value === 'boolean' || isSchema(value);
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isInner);
const isMap = (value: unknown): boolean => isSchema(value) && Object.values(value).every(isInner);
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Checks for the values of keywords. A keyword with a value of another type cannot be applied. */
const expected: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) =>
    Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) : TYPES.has(value),
  enum: (value) => Array.isArray(value) && value.length > 0,
  required: isNames,
  dependentRequired: (value) => isSchema(value) && Object.values(value).every(isNames),
  dependencies: (value) => isSchema(value) && Object.values(value).every((each) => isNames(each) || isInner(each)),
  patternProperties: (value) => isMap(value) && Object.keys(value as object).every(isPattern),
  properties: isMap,
  dependentSchemas: isMap,
  $defs: isMap,
  definitions: isMap,
  allOf: isList,
  anyOf: isList,
  oneOf: isList,
  prefixItems: isList,
  items: (value) => isInner(value) || (Array.isArray(value) && value.every(isInner)),
  not: isInner,
  if: isInner,
  then: isInner,
  else: isInner,
  contains: isInner,
  propertyNames: isInner,
  additionalProperties: isInner,
  additionalItems: isInner,
  unevaluatedProperties: isInner,
  unevaluatedItems: isInner,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minContains: isCount,
  maxContains: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
};

/** Returns the first keyword with a malformed value; undefined for a usable schema. */
export function findMalformedKeyword(root: JsonSchema): string | undefined {
  const open: JsonSchema[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const [keyword, value] of Object.entries(schema)) {
      const isRight = Object.hasOwn(expected, keyword) ? expected[keyword] : undefined;
      if (isRight !== undefined && !isRight(value))
        return `cannot be compiled: its keyword ${quote(keyword)} is malformed`;
    }
    open.push(...listInnerSchemas(schema));
  }
  return undefined;
}
