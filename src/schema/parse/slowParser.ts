import { isObject, isRecord, type Fields } from '../../common/guards.js';
import { MAX_HINTED_ISSUES, MAX_ISSUES } from '../../common/limits.js';
import { describeValue, didYouMean, keyText, messageOf } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { Check, ClassShape, DiscriminatedShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import type { ParseOptions } from './ParseOptions.js';
import { isAbsent, mayBeAbsent, createDefaultFactory, selectDefaultRules } from '../rules/defaults.js';
import { coerceValue, parseDate } from './coerceValue.js';
import { convertFields, findConvertedIssues, isDue } from './convertFields.js';
import { containsSecrets, HIDDEN } from '../write/secrets.js';
import { findFreeFormIssues, isPrototypeKey, joinPath } from '../limits.js';
import { describeMembers, isScalarOf } from '../rules/isAmong.js';
import { describeExpected, describeField } from '../emit/describeExpected.js';

/** Marks a value that could not be parsed; its issue is in the list. */
const BAD: unique symbol = Symbol('bad');

/**
 * Walks a value once and reports its issues with their paths, missing keys before extra ones, up to `MAX_ISSUES`. The instance is
 * complete only if there are no issues (docs/contract.md, 2).
 */
export class SlowParser {
  readonly issues: ParamIssue[] = [];
  readonly #options: ParseOptions;
  /** True within a secret field: messages then quote neither its value nor undeclared keys in it. */
  #secret = false;

  constructor(options: ParseOptions) {
    this.#options = options;
  }

  get #isFull(): boolean {
    return this.issues.length >= MAX_ISSUES;
  }

  /** Parses an object into an instance; the result is meaningless if there are issues. */
  object(shape: ClassShape, value: unknown, path: string): unknown {
    if (!isRecord(value)) return this.#refuseType({ kind: 'object', shape }, value, path);
    const before = this.issues.length;
    this.#reportMissing(shape, value, path);
    if (this.#options.extra !== 'ignore') this.#reportExtra(shape, value, path);
    const instance = new (shape.type as Constructor<Record<string, unknown>>)();
    const converted = this.#convertFields(shape, value, path);
    const outer = this.#secret;
    const rules: (readonly Check[])[] = [];
    for (const field of shape.fields) {
      this.#secret = outer || field.secret;
      rules.push(this.#parseField(field, value, converted, instance, path));
    }
    // Rules come last: one may compare its field with another.
    for (const [index, field] of shape.fields.entries()) {
      this.#secret = outer || field.secret;
      this.runChecks(field, rules[index] ?? [], instance, path);
    }
    if (this.issues.length === before) {
      for (const field of shape.fields) {
        this.#secret = outer || field.secret;
        this.#runConditionalRules(shape, field, instance, path);
      }
    }
    this.#secret = outer;
    return this.issues.length > before ? BAD : instance;
  }

  #convertFields(shape: ClassShape, source: Fields, path: string): Fields {
    if (shape.fullPath === undefined) return {};
    return convertFields(shape, source, (field, thrown) => {
      const message = this.#secret || field.secret ? 'is not accepted' : `could not be converted: ${messageOf(thrown)}`;
      this.#refuse('type', joinPath(path, field.wireName), message);
    });
  }

  #reportMissing(shape: ClassShape, source: object, path: string): void {
    for (const field of shape.fields) {
      if (Object.hasOwn(source, field.wireName) || mayBeAbsent(field)) continue;
      this.#refuse('missing', joinPath(path, field.wireName), `is required: ${describeField(field)}`);
    }
  }

  #reportExtra(shape: ClassShape, source: object, path: string): void {
    for (const key of Object.keys(source)) {
      if (shape.byWireName.has(key)) continue;
      if (this.#isFull) return;
      const others = [...shape.byWireName.keys()].filter((name) => !Object.hasOwn(source, name));
      const hint = this.issues.length < MAX_HINTED_ISSUES ? didYouMean(key, others) : '';
      const at = this.#secret ? `${path}${HIDDEN}` : joinPath(path, keyText(key));
      this.#refuse('extra', at, `is not a known key.${hint}`);
    }
  }

  /** Sets one field of the instance; returns the rules to check afterwards. */
  #parseField(
    field: FieldShape,
    source: Fields,
    converted: Fields,
    instance: Record<string, unknown>,
    path: string,
  ): readonly Check[] {
    const sent = Object.hasOwn(source, field.wireName);
    const given = sent ? source[field.wireName] : undefined;
    const isConverted = field.conversion !== undefined && sent && !isAbsent(field, given);
    // If the conversion threw, the field has its issue already.
    if (isConverted && !Object.hasOwn(converted, field.property)) return [];
    const value = isConverted ? converted[field.property] : given;
    // A transformation may return undefined, which counts as absent.
    const none = !sent || isAbsent(field, value) || (field.conversion !== undefined && value === undefined);
    if (none) {
      // A required field that was not sent has its issue already.
      if (sent && !mayBeAbsent(field))
        this.#refuse('missing', joinPath(path, field.wireName), `is required: ${describeField(field)}`);
      const fallback = createDefaultFactory(field);
      if (fallback !== undefined) instance[field.property] = fallback();
      return (instance[field.property] ?? null) === null ? [] : selectDefaultRules(field);
    }
    const isValid = (value === null && field.nullable) || (!isConverted && isScalarOf(field.type, value));
    const parsed = isValid ? value : this.#parseValue(field, value, joinPath(path, field.wireName));
    if (parsed === BAD) return [];
    instance[field.property] = parsed;
    return (parsed === null && field.nullable) || field.condition !== undefined ? [] : field.checks;
  }

  /** Parses the value of a field; class-validator validates an instance that a conversion has already created. */
  #parseValue(field: FieldShape, value: unknown, path: string): unknown {
    const made = isObject(value) && Object.getPrototypeOf(value) !== Object.prototype;
    if (field.conversion === undefined || !made || Array.isArray(value)) return this.type(field.type, value, path);
    const issues = findConvertedIssues(value, path);
    for (const { kind, path: at, message } of issues)
      this.#refuse(kind, this.#secret ? path : at, this.#secret ? 'is not accepted' : message);
    return issues.length > 0 ? BAD : value;
  }

  runChecks(field: FieldShape, checks: readonly Check[], owner: Fields, parent: string): void {
    const value = owner[field.property];
    for (const check of checks) {
      const items: readonly unknown[] | undefined = check.each && Array.isArray(value) ? value : undefined;
      const count = items === undefined ? 1 : items.length;
      for (let index = 0; index < count && !this.#isFull; index++) {
        const target = items === undefined ? value : items[index];
        if (check.test(target, owner)) continue;
        // Most rules are kept, and need no path.
        const path = joinPath(parent, field.wireName);
        const at = items === undefined ? path : `${path}[${String(index)}]`;
        this.#refuse('constraint', at, this.#secret ? (check.hint ?? 'is not accepted') : check.message(target, owner));
      }
    }
  }

  /** Checks conditional rules; reports a field as missing if it was left out although its condition holds. */
  #runConditionalRules(shape: ClassShape, field: FieldShape, owner: Fields, path: string): void {
    if (field.condition === undefined) return;
    const at = joinPath(path, field.wireName);
    try {
      if (!isDue(shape, field, owner)) return;
    } catch (error) {
      this.#refuse('constraint', at, this.#secret ? 'is not accepted' : `could not be checked: ${messageOf(error)}`);
      return;
    }
    if (owner[field.property] === undefined) this.#refuse('missing', at, `is required: ${describeField(field)}`);
    else this.runChecks(field, field.checks, owner, path);
  }

  type(type: TypeShape, given: unknown, path: string): unknown {
    const value = this.#options.coerce === true ? coerceValue(type, given) : given;
    if (isScalarOf(type, value)) return value;
    switch (type.kind) {
      case 'any':
        this.issues.push(
          ...findFreeFormIssues(value, path).map((issue) => (this.#secret ? { ...issue, path } : issue)),
        );
        return value;
      case 'date':
        return parseDate(value) ?? this.#refuseType(type, value, path);
      case 'enum':
        return this.#refuseMember(type.values, value, path);
      case 'array':
        return this.#parseArray(type, value, path, () => type.items);
      case 'tuple':
        return this.#parseTuple(type, value, path);
      case 'record':
        return this.#parseRecord(type, value, path);
      case 'oneOf':
        return this.#parseOneOf(type.options, value, path);
      case 'object':
        return this.object(type.shape, value, path);
      case 'discriminated':
        return this.#parseDiscriminated(type, value, path);
      default:
        return this.#refuseType(type, value, path);
    }
  }

  #refuseMember(values: readonly unknown[], value: unknown, path: string): typeof BAD {
    const hint =
      typeof value === 'string' && this.issues.length < MAX_HINTED_ISSUES ? didYouMean(value, values.map(String)) : '';
    const allowed = describeMembers(values);
    const kind = value === null || value === undefined ? 'type' : 'constraint';
    return this.#refuse(kind, path, `expected one of ${allowed}, got ${this.#describeGiven(value)}.${hint}`);
  }

  #parseArray(type: TypeShape, value: unknown, path: string, itemType: (index: number) => TypeShape): unknown {
    if (!Array.isArray(value))
      return this.#refuse('type', path, `expected an array, got ${this.#describeGiven(value, type)}`);
    const before = this.issues.length;
    const items: unknown[] = [];
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      if (this.#isFull) return BAD;
      const type = itemType(index);
      items.push(isScalarOf(type, item) ? item : this.type(type, item, `${path}[${String(index)}]`));
    }
    return this.issues.length > before ? BAD : items;
  }

  #parseTuple(type: TypeShape & { readonly kind: 'tuple' }, value: unknown, path: string): unknown {
    const { items } = type;
    if (Array.isArray(value) && value.length !== items.length) return this.#refuseType(type, value, path);
    return this.#parseArray(type, value, path, (index) => items[index] ?? { kind: 'any' });
  }

  #parseRecord(type: TypeShape & { readonly kind: 'record' }, value: unknown, path: string): unknown {
    if (!isRecord(value)) return this.#refuseType(type, value, path);
    const before = this.issues.length;
    const record: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      if (this.#isFull) return BAD;
      const at = `${path}${this.#secret ? HIDDEN : `[${keyText(key)}]`}`;
      if (isPrototypeKey(key)) this.#refuse('extra', at, 'is not a possible key');
      else record[key] = this.type(type.values, entry, at);
    }
    return this.issues.length > before ? BAD : record;
  }

  #parseOneOf(options: readonly TypeShape[], value: unknown, path: string): unknown {
    for (const option of options) {
      const attempt = new SlowParser(this.#options);
      const parsed = attempt.type(option, value, path);
      if (attempt.issues.length === 0) return parsed;
    }
    return this.#refuseType({ kind: 'oneOf', options }, value, path);
  }

  #parseDiscriminated(type: DiscriminatedShape, value: unknown, path: string): unknown {
    const { property, subTypes, keep } = type;
    if (!isRecord(value))
      return this.#refuse('type', path, `expected an object, got ${this.#describeGiven(value, type)}`);
    const names = subTypes.map(({ name }) => name);
    const at = joinPath(path, property);
    if (!Object.hasOwn(value, property))
      return this.#refuse('missing', at, `is required: one of ${names.map((name) => JSON.stringify(name)).join(', ')}`);
    const { [property]: name, ...rest } = value;
    const subType = subTypes.find((candidate) => candidate.name === name);
    if (subType === undefined) return this.#refuseMember(names, name, at);
    const { shape } = subType;
    const parsed = this.object(shape, shape.byWireName.has(property) ? value : rest, path);
    if (keep && parsed !== BAD) (parsed as Record<string, unknown>)[property] = name;
    return parsed;
  }

  #describeGiven(value: unknown, type?: TypeShape): string {
    const hidden = this.#secret || (type !== undefined && containsSecrets(type));
    return hidden ? 'a secret that does not fit' : describeValue(value);
  }

  /** Refuses a value without parts; returns false for any other value, and when no more issues are collected. */
  refuseScalar(type: TypeShape, value: unknown, path: string): boolean {
    if (value === undefined || value === null || isObject(value) || this.#isFull) return false;
    if (type.kind === 'enum') this.#refuseMember(type.values, value, path);
    else this.#refuseType(type, value, path);
    return true;
  }

  #refuseType(type: TypeShape, value: unknown, path: string): typeof BAD {
    return this.#refuse('type', path, `expected ${describeExpected(type)}, got ${this.#describeGiven(value, type)}`);
  }

  #refuse(kind: ParamIssue['kind'], path: string, message: string): typeof BAD {
    this.issues.push({ kind, path, message });
    return BAD;
  }
}
