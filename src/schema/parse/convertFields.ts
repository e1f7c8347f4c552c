import type { ValidationError } from 'class-validator';
import { isObject, type Fields } from '../../common/guards.js';
import { messageOf } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { ClassShape, FieldShape } from '../../metadata/ClassShape.js';
import { isAbsent } from '../rules/defaults.js';
import { transformValue } from '../read/classTransformer.js';
import { conditionHolds } from '../read/classValidator.js';
import { findRuleStorage, classValidator } from '../read/libraries.js';

/**
 * Converts the fields that need class-transformer, and returns the results by property. Transformations get the whole value,
 * since they may read neighbouring properties.
 *
 * @param refuse called with each field that its `@Transform` throws for; the field is left out
 */
export function convertFields(
  { type, fields }: ClassShape,
  source: Fields,
  refuse: (field: FieldShape, thrown: unknown) => void,
): Fields {
  if (!fields.some(({ conversion }) => conversion !== undefined)) return {};
  const sent = fields.filter(
    (field) => Object.hasOwn(source, field.wireName) && !isAbsent(field, source[field.wireName]),
  );
  // Copied, so that a transformation cannot change the caller's value.
  const whole = Object.fromEntries(
    sent.map(({ libraryName, wireName }) => [libraryName, copyPlainValue(source[wireName])]),
  );
  const converted: Record<string, unknown> = {};
  for (const field of sent.filter(({ conversion }) => conversion !== undefined)) {
    try {
      converted[field.property] = transformValue(type, field.property, whole[field.libraryName], whole);
    } catch (thrown) {
      refuse(field, thrown);
    }
  }
  return converted;
}

/** Copies plain objects and arrays; their depth was limited before. */
function copyPlainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlainValue);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copyPlainValue(entry)]));
}

/**
 * Checks whether the condition of a field holds for the instance, and the field's options do not already allow its value.
 *
 * @throws any error of the condition
 */
export function isDue({ type }: ClassShape, field: FieldShape, owner: Fields): boolean {
  const { property, condition, optional, nullable } = field;
  const value = owner[property];
  // Allowed by our own options, which class-validator does not know.
  const isAllowed = value === undefined ? optional : value === null && nullable;
  return condition !== undefined && !isAllowed && conditionHolds(type, property, owner);
}

/** Lists the errors of class-validator for a converted value, nested ones included. */
export function findConvertedIssues(value: object, path: string): readonly ParamIssue[] {
  if (findRuleStorage() === undefined) return [];
  try {
    const errors = classValidator.get().validateSync(value, { forbidUnknownValues: false });
    return errors.flatMap((error) => listIssues(error, path));
  } catch (error) {
    return [{ kind: 'constraint', path, message: `could not be checked: ${messageOf(error)}` }];
  }
}

function listIssues(error: ValidationError, path: string): readonly ParamIssue[] {
  const name = error.property;
  const at = path === '' ? name : /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;
  const own = Object.values(error.constraints ?? {}).map((message) => ({
    kind: 'constraint' as const,
    path: at,
    message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => listIssues(child, at))];
}
