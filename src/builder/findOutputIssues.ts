import { className } from '../common/classes.js';
import { isObject, isPlainObject, isRecord } from '../common/guards.js';
import { keyText } from '../common/text.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { ClassShape, TypeShape } from '../metadata/ClassShape.js';
import { findResultIssues } from '../schema/write/Conformity.js';
import { findDepthIssue } from '../schema/limits.js';
import { createParser } from '../schema/parse/parser.js';

type OutputIssue = Pick<ParamIssue, 'path' | 'message'>;

/**
 * Finds the faults of a value as an example of a result, at every depth. An object must be an instance of exactly the
 * declared class, or a plain one that parses into it, as in examples of inputs. Stricter than the check of handlers'
 * results, because models learn from examples.
 */
export function findOutputIssues(type: TypeShape, value: unknown): readonly OutputIssue[] {
  // A value that contains itself would be followed forever.
  const deep = findDepthIssue(value);
  if (deep !== undefined) return [deep];
  return isPlain(value)
    ? findPlainIssues(type, value, '')
    : [...findUnknownKeys(type, value, ''), ...findResultIssues(type, value)];
}

/** Returns true for data without an instance of a class. Dates count as data. */
function isPlain(value: unknown): boolean {
  if (!isObject(value) || value instanceof Date) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return isPlainObject(value) && Object.values(value).every(isPlain);
}

/** Finds the issues of plain data. Objects must parse into their class; containers are searched for objects. */
function findPlainIssues(type: TypeShape, value: unknown, path: string): readonly OutputIssue[] {
  if (type.kind === 'object') {
    const parsed = createParser(type.shape)(value);
    return parsed.ok ? [] : placeIssues(parsed.issues, path);
  }
  if (type.kind === 'oneOf') {
    if (type.options.some((option) => findPlainIssues(option, value, path).length === 0)) return [];
    const issues = placeIssues(findResultIssues(type, value), path);
    return issues.length > 0 ? issues : [{ path, message: 'parses into none of the declared types' }];
  }
  const entries = listEntries(type, value);
  if (entries === undefined) return placeIssues(findResultIssues(type, value), path);
  return entries.flatMap(({ type: inner, value: entry, path: below }) => findPlainIssues(inner, entry, path + below));
}

/** Finds instances of classes other than the declared ones, and undeclared keys, at every depth. */
function findUnknownKeys(type: TypeShape, value: unknown, path: string): readonly OutputIssue[] {
  if (!isObject(value)) return [];
  switch (type.kind) {
    case 'object':
      return findUnknownKeysIn(type.shape, value, path);
    case 'discriminated':
      return isAmongUnknownKeys(
        type.subTypes.map(({ shape }) => ({ kind: 'object', shape })),
        value,
        path,
      );
    case 'oneOf':
      return isAmongUnknownKeys(type.options, value, path);
    default:
      return (listEntries(type, value) ?? []).flatMap((entry) =>
        findUnknownKeys(entry.type, entry.value, path + entry.path),
      );
  }
}

function findUnknownKeysIn(shape: ClassShape, value: object, path: string): readonly OutputIssue[] {
  const isInstance = Object.getPrototypeOf(value) === shape.type.prototype;
  if (!isInstance && !isPlainObject(value)) {
    return [{ path, message: `is an instance of ${className(value.constructor)}, not of ${shape.name}` }];
  }
  const properties = shape.fields.map(({ property }) => property);
  // An instance may have undeclared own properties.
  const extra = isInstance ? [] : Object.keys(value).filter((key) => !properties.includes(key));
  return [
    ...extra.map((key) => ({ path: joinPaths(path, keyText(key)), message: 'is not declared' })),
    ...shape.fields.flatMap(({ property, type }) =>
      findUnknownKeys(type, (value as Readonly<Record<string, unknown>>)[property], joinPaths(path, property)),
    ),
  ];
}

/** Finds the issues of a value of one of several types. There are none if one of the types accepts the value. */
function isAmongUnknownKeys(options: readonly TypeShape[], value: object, path: string): readonly OutputIssue[] {
  const candidates = options.filter((option) => findResultIssues(option, value).length === 0);
  const found = candidates.map((option) => findUnknownKeys(option, value, path));
  if (found.some((issues) => issues.length === 0)) return [];
  if (found.length < 2) return found[0] ?? [];
  return [{ path, message: 'is an instance of none of the declared classes, or holds more than they do' }];
}

interface Entry {
  readonly type: TypeShape;
  readonly value: unknown;
  readonly path: string;
}

/** Returns the entries of a container, or undefined for other types and for a value of the wrong type. */
function listEntries(type: TypeShape, value: unknown): readonly Entry[] | undefined {
  switch (type.kind) {
    case 'array':
      return Array.isArray(value)
        ? value.map((item: unknown, index) => ({ type: type.items, value: item, path: `[${String(index)}]` }))
        : undefined;
    case 'tuple':
      return Array.isArray(value) && value.length === type.items.length
        ? type.items.map((item, index) => ({ type: item, value: value[index] as unknown, path: `[${String(index)}]` }))
        : undefined;
    case 'record':
      return isRecord(value)
        ? Object.entries(value).map(([key, entry]) => ({
            type: type.values,
            value: entry,
            path: `[${keyText(key)}]`,
          }))
        : undefined;
    default:
      return undefined;
  }
}

function placeIssues(issues: readonly ParamIssue[], path: string): readonly OutputIssue[] {
  return issues.map(({ path: below, message }) => ({ path: joinPaths(path, below), message }));
}

function joinPaths(path: string, below: string): string {
  return path === '' || below === '' || below.startsWith('[') ? path + below : `${path}.${below}`;
}
