import { validateSync, type ValidationError } from 'class-validator';
import { messageOf } from '../common/text.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { ClassShape, FieldShape } from '../metadata/ClassShape.js';
import { isAbsence } from './absence.js';
import { transformed } from './classTransformer.js';
import { conditionHolds } from './classValidator.js';
import { fieldText } from './typeText.js';

/**
 * What class-transformer makes of the fields that need it, by property. Their transformations see the whole value, since they
 * may look at its neighbours.
 *
 * @throws whatever a `@Transform` throws
 */
export function convert(
  { type, fields }: ClassShape,
  source: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!fields.some(({ conversion }) => conversion !== undefined)) return {};
  const sent = fields.filter(
    (field) => Object.hasOwn(source, field.wireName) && !isAbsence(field, source[field.wireName]),
  );
  // Copied: what a transformation changes is not the caller's.
  const whole = Object.fromEntries(sent.map(({ libraryName, wireName }) => [libraryName, copied(source[wireName])]));
  return Object.fromEntries(
    sent
      .filter(({ conversion }) => conversion !== undefined)
      .map(({ property, libraryName }) => [property, transformed(type, property, whole[libraryName], whole)]),
  );
}

/** Copies plain objects and arrays, whose depth is limited. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copied(entry)]));
}

/**
 * Has class-validator judge the instance, and reports what it says of the fields whose rules are conditional. One that was
 * left out although its condition holds is missing, whether or not a rule says so: its type does.
 */
export function conditionIssues(shape: ClassShape, instance: object, path: string): readonly ParamIssue[] {
  const conditional = shape.fields.filter(({ condition }) => condition !== undefined);
  if (conditional.length === 0) return [];
  try {
    const errors = validateSync(instance, { forbidUnknownValues: false });
    return conditional.flatMap((field) => {
      const value = (instance as Readonly<Record<string, unknown>>)[field.property];
      // Allowed by our own options, which class-validator knows nothing of.
      if (value === undefined ? field.optional : value === null && field.nullable) return [];
      const error = errors.find(({ property }) => property === field.property);
      if (error !== undefined) return issuesOf(error, path, field.wireName).map((issue) => discreet(field, issue));
      return value === undefined && conditionHolds(shape.type, field.property, instance) ? [missing(field, path)] : [];
    });
  } catch (error) {
    return [{ kind: 'constraint', path, message: `could not be checked: ${messageOf(error)}` }];
  }
}

/** The issue of a secret field without what a rule's own message may repeat. */
function discreet({ secret }: FieldShape, issue: ParamIssue): ParamIssue {
  return secret ? { ...issue, message: 'is not accepted' } : issue;
}

function missing(field: FieldShape, path: string): ParamIssue {
  const at = path === '' ? field.wireName : `${path}.${field.wireName}`;
  return { kind: 'missing', path: at, message: `is required: ${fieldText(field)}` };
}

/** What class-validator says of a converted value, down to its leaves. */
export function convertedIssues(value: object, path: string): readonly ParamIssue[] {
  try {
    return validateSync(value, { forbidUnknownValues: false }).flatMap((error) => issuesOf(error, path));
  } catch (error) {
    return [{ kind: 'constraint', path, message: `could not be checked: ${messageOf(error)}` }];
  }
}

function issuesOf(error: ValidationError, path: string, name: string = error.property): readonly ParamIssue[] {
  const at = path === '' ? name : /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;
  const own = Object.values(error.constraints ?? {}).map((message) => ({
    kind: 'constraint' as const,
    path: at,
    message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, at))];
}
