import type { Constructor, ParamIssue } from 'toolwright';
import type { Finding } from '../../src/error/Finding';
import type { ClassShape, ParseOutcome, Parser } from '../../src/metadata/ClassShape';
import { createParser } from '../../src/schema/parse/parser';
import { readDeclaredPattern } from '../../src/schema/pattern/readDeclaredPattern';
import { ShapeReader, type FieldNames } from '../../src/schema/read/ShapeReader';
import type { ParseOptions } from '../../src/schema/parse/ParseOptions';

/** The shape of a class that is without fault. */
export function shapeOf(type: Constructor, names: FieldNames = 'as-is'): ClassShape {
  const reader = new ShapeReader(names, readDeclaredPattern);
  const shape = reader.read(type);
  if (reader.faults.length > 0) throw new Error(reader.faults.map(({ found }) => found.problem).join('\n'));
  return shape;
}

/** The findings of a class. */
export function faultsOf(type: Constructor): readonly Finding[] {
  const reader = new ShapeReader('as-is', readDeclaredPattern);
  reader.read(type);
  return reader.faults.map(({ found }) => found);
}

/** For many values of one class: the class is read once. */
export function parserOf(type: Constructor, options: ParseOptions = {}): Parser {
  return createParser(shapeOf(type), options);
}

export function parse(type: Constructor, value: unknown, options: ParseOptions = {}): ParseOutcome {
  return parserOf(type, options)(value);
}

/** The instance that a value parses into; fails the test when it does not. */
export function instanceOf<T extends object>(type: Constructor<T>, value: unknown, options: ParseOptions = {}): T {
  const parsed = parse(type, value, options);
  if (!parsed.ok) throw new Error(parsed.issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  expect(parsed.value).toBeInstanceOf(type);
  return parsed.value as T;
}

/** The issues of a value; fails the test when there are none. */
export function issuesOf(type: Constructor, value: unknown, options: ParseOptions = {}): readonly ParamIssue[] {
  const parsed = parse(type, value, options);
  if (parsed.ok) throw new Error(`it was accepted: ${JSON.stringify(parsed.value)}`);
  return parsed.issues;
}

/** The issues as `kind path`, for comparisons. */
export function kindsOf(type: Constructor, value: unknown, options: ParseOptions = {}): readonly string[] {
  return issuesOf(type, value, options).map(({ kind, path }) => `${kind} ${path}`);
}
