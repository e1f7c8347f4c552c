import { describeValue, keyText } from '../common/text.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { FieldShape, TypeShape } from '../metadata/ClassShape.js';
import { mayBeAbsent } from './absence.js';
import { dateOf } from './dates.js';
import { expectedText } from './typeText.js';

/**
 * Checks a result against its declared type. Structural: plain rows are as good as instances; undeclared properties are
 * ignored; nothing is converted or changed. The caller handles `null` at the top.
 */
export function resultIssues(type: TypeShape, value: unknown): readonly ParamIssue[] {
  const issues: ParamIssue[] = [];
  check(type, value, '', issues);
  return issues;
}

function check(type: TypeShape, value: unknown, path: string, issues: ParamIssue[]): void {
  switch (type.kind) {
    case 'object':
      if (typeof value !== 'object' || value === null) return wrong(type, value, path, issues);
      for (const field of type.shape.fields) property(field, value as Readonly<Record<string, unknown>>, path, issues);
      return;
    case 'array':
      if (!Array.isArray(value)) return wrong(type, value, path, issues);
      value.forEach((item, index) => {
        check(type.items, item, `${path}[${String(index)}]`, issues);
      });
      return;
    case 'tuple':
      if (!Array.isArray(value) || value.length !== type.items.length) return wrong(type, value, path, issues);
      type.items.forEach((item, index) => {
        check(item, value[index], `${path}[${String(index)}]`, issues);
      });
      return;
    case 'record':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(type, value, path, issues);
      for (const [key, entry] of Object.entries(value)) check(type.values, entry, `${path}[${keyText(key)}]`, issues);
      return;
    case 'discriminated':
      if (typeof value !== 'object' || value === null) wrong(type, value, path, issues);
      else if (!type.subTypes.some(({ shape }) => resultIssues({ kind: 'object', shape }, value).length === 0)) {
        wrong(type, value, path, issues);
      }
      return;
    case 'oneOf':
      if (!type.options.some((option) => resultIssues(option, value).length === 0)) wrong(type, value, path, issues);
      return;
    default:
      if (!isOfKind(type, value)) wrong(type, value, path, issues);
  }
}

/** The issues of one property of a value. */
export function propertyIssues(field: FieldShape, owner: Readonly<Record<string, unknown>>): readonly ParamIssue[] {
  const issues: ParamIssue[] = [];
  property(field, owner, '', issues);
  return issues;
}

function property(
  field: FieldShape,
  owner: Readonly<Record<string, unknown>>,
  path: string,
  issues: ParamIssue[],
): void {
  const value = owner[field.property];
  const at = path === '' ? field.property : `${path}.${field.property}`;
  if (value === undefined || value === null) {
    if (!mayBeAbsent(field) && !(value === null && field.nullable))
      issues.push({ kind: 'missing', path: at, message: `is required: ${expectedText(field.type)}` });
    return;
  }
  const before = issues.length;
  check(field.type, value, at, issues);
  // Conditional rules depend on more than the value; they apply to input only.
  if (issues.length > before || field.condition !== undefined) return;
  for (const rule of field.checks) {
    const targets: readonly unknown[] = rule.each && Array.isArray(value) ? value : [value];
    for (const target of targets) {
      if (!rule.test(target, owner))
        issues.push({
          kind: 'constraint',
          path: at,
          message: rule.message(target, owner),
        });
    }
  }
}

function isOfKind(type: TypeShape, value: unknown): boolean {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'date':
      return dateOf(value) !== undefined;
    case 'enum':
      return (type.values as readonly unknown[]).includes(value);
    default:
      return true;
  }
}

function wrong(type: TypeShape, value: unknown, path: string, issues: ParamIssue[]): void {
  const kind = type.kind === 'enum' && value !== null ? 'constraint' : 'type';
  issues.push({ kind, path, message: `expected ${expectedText(type)}, got ${describeValue(value)}` });
}
