import { isObject, isRecord, type Fields } from '../../common/guards.js';
import { MAX_EXPLAINED_OPTIONS, MAX_LIST_ITEMS, MAX_RESULT_LEVELS } from '../../common/limits.js';
import { keyText } from '../../common/text.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { ClassShape, DiscriminatedShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { mayBeAbsent } from '../rules/defaults.js';
import { parseDate } from '../parse/coerceValue.js';
import { isScalarOf } from '../rules/isAmong.js';
import { describeMissing, addPlace, describeWrong } from './describeResults.js';

/**
 * Checks a result against its declared type, by structure: accepts plain rows like instances, ignores undeclared properties,
 * converts and changes nothing. The caller handles `null` at the top.
 */
export function findResultIssues(type: TypeShape, value: unknown): readonly ParamIssue[] {
  return new Conformity().issues(type, value);
}

export function findPropertyIssues(field: FieldShape, owner: Fields): readonly ParamIssue[] {
  return new Conformity().ofProperty(field, owner);
}

/**
 * Checks one value. Checks each part once for each type, because parts may be shared or refer to each other, and unions try
 * several types.
 */
export class Conformity {
  readonly #checked = new Map<object, Set<object>>();
  readonly #fitting = new Map<object, Map<object, boolean>>();
  readonly #explains: boolean;
  /** The issues found so far; a type of a union that is tried has a list of its own. */
  #issues: ParamIssue[] = [];
  #depth = 0;
  /** The class and property being checked, such as `Order.total`. */
  #place: string | undefined;
  /** True while a type of a union is tried: then it only matters whether there is any issue. */
  #isTrying = false;

  /** @param explains whether an issue of a union says why its options do not match */
  constructor(explains = true) {
    this.#explains = explains;
  }

  issues(type: TypeShape, value: unknown): readonly ParamIssue[] {
    const outer = this.#issues;
    const own: ParamIssue[] = [];
    this.#issues = own;
    this.#check(type, value, '');
    this.#issues = outer;
    return own;
  }

  ofProperty(field: FieldShape, owner: Fields): readonly ParamIssue[] {
    this.#checkProperty(field, owner, '');
    return this.#issues;
  }

  /** Checks whether the value matches the type; assumes so for a part that is being checked already. */
  fits(type: TypeShape, value: unknown): boolean {
    if (!isObject(value)) return this.#tryType(type, value);
    const key = getTypeKey(type);
    const known = getOrCreate(this.#fitting, key, () => new Map<object, boolean>());
    const found = known.get(value);
    if (found !== undefined) return found;
    known.set(value, true);
    const fits = this.#tryType(type, value);
    known.set(value, fits);
    return fits;
  }

  #tryType(type: TypeShape, value: unknown): boolean {
    const wasTrying = this.#isTrying;
    this.#isTrying = true;
    const { length } = this.issues(type, value);
    this.#isTrying = wasTrying;
    return length === 0;
  }

  /** Checks a part of a value, unless it was already checked for the type. */
  #checkPart(type: TypeShape, value: unknown, path: string): void {
    if (!isObject(value)) return this.#checkKind(type, value, path);
    if (this.#isTrying) {
      if (!this.fits(type, value)) this.#addWrong(type, value, path);
      return;
    }
    const key = getTypeKey(type);
    const checked = this.#checked.get(key) ?? new Set();
    if (checked.has(value)) return;
    this.#checked.set(key, checked.add(value));
    this.#check(type, value, path);
  }

  #check(type: TypeShape, value: unknown, path: string): void {
    // Without the path, which is longer than any message.
    if (this.#depth > MAX_RESULT_LEVELS)
      return this.#add('constraint', '', `expected at most ${String(MAX_RESULT_LEVELS)} levels of nesting, got more`);
    this.#depth++;
    this.#checkKind(type, value, path);
    this.#depth--;
  }

  #checkKind(type: TypeShape, value: unknown, path: string): void {
    switch (type.kind) {
      case 'object':
        if (!isObject(value)) return this.#addWrong(type, value, path);
        this.#checkProperties(type.shape, value as Fields, path);
        return;
      case 'array':
        if (!Array.isArray(value)) return this.#addWrong(type, value, path);
        if (value.length > MAX_LIST_ITEMS)
          return this.#add('constraint', path, `expected at most ${String(MAX_LIST_ITEMS)} items, got more`);
        value.forEach((item, index) => {
          this.#checkPart(type.items, item, `${path}[${String(index)}]`);
        });
        return;
      case 'tuple':
        if (!Array.isArray(value) || value.length !== type.items.length) return this.#addWrong(type, value, path);
        type.items.forEach((item, index) => {
          this.#checkPart(item, value[index], `${path}[${String(index)}]`);
        });
        return;
      case 'record':
        if (!isRecord(value)) return this.#addWrong(type, value, path);
        for (const [key, entry] of Object.entries(value))
          this.#checkPart(type.values, entry, `${path}[${keyText(key)}]`);
        return;
      case 'discriminated':
        if (!isObject(value) || this.subTypes(type, value).length === 0) this.#addWrong(type, value, path);
        return;
      case 'oneOf':
        if (!type.options.some((option) => this.fits(option, value))) this.#addWrong(type, value, path);
        return;
      case 'any':
        return;
      case 'date':
        if (parseDate(value) === undefined) this.#addWrong(type, value, path);
        return;
      default:
        if (!isScalarOf(type, value)) this.#addWrong(type, value, path);
    }
  }

  /** Lists the classes of a discriminated union that a value matches; a value with the key matches only the class of that name. */
  subTypes(type: DiscriminatedShape, value: object): DiscriminatedShape['subTypes'] {
    return selectSubTypes(type, value).filter(({ shape }) => this.fits({ kind: 'object', shape }, value));
  }

  #checkProperties({ name, fields }: ClassShape, owner: Fields, path: string): void {
    const outer = this.#place;
    for (const field of fields) {
      this.#place = `${name}.${field.property}`;
      this.#checkProperty(field, owner, path);
    }
    this.#place = outer;
  }

  #checkProperty(field: FieldShape, owner: Fields, path: string): void {
    const value = owner[field.property];
    const at = path === '' ? field.property : `${path}.${field.property}`;
    if (value === undefined || value === null) {
      if (!mayBeAbsent(field) && !(value === null && field.nullable))
        this.#add('missing', at, describeMissing(field, owner, this.#place));
      return;
    }
    const before = this.#issues.length;
    this.#checkPart(field.type, value, at);
    // Conditional rules depend on more than the value; they apply only to input.
    if (this.#issues.length > before || field.condition !== undefined) return;
    for (const rule of field.checks) {
      const targets: readonly unknown[] = rule.each && Array.isArray(value) ? value : [value];
      for (const target of targets)
        if (!rule.test(target, owner)) this.#add('constraint', at, addPlace(rule.message(target, owner), this.#place));
    }
  }

  #addWrong(type: TypeShape, value: unknown, path: string): void {
    const kind = type.kind === 'enum' && value !== null ? 'constraint' : 'type';
    const causes = this.#isTrying || !this.#explains ? [] : findOptionIssues(type, value);
    this.#add(kind, path, this.#isTrying ? '' : describeWrong(type, value, causes, this.#place));
  }

  #add(kind: ParamIssue['kind'], path: string, message: string): void {
    this.#issues.push({ kind, path, message });
  }
}

/** Finds the first issue of each option of a union that an object or a list might have matched. */
function findOptionIssues(type: TypeShape, value: unknown): readonly ParamIssue[] {
  if (!isObject(value)) return [];
  const alike = listOptions(type, value).filter(({ kind }) =>
    Array.isArray(value) ? kind === 'array' || kind === 'tuple' : kind === 'object' || kind === 'record',
  );
  return alike
    .slice(0, MAX_EXPLAINED_OPTIONS)
    .flatMap((option) => new Conformity(false).issues(option, value).slice(0, 1));
}

/** Selects the classes that the key of a value names; all of them for a value without the key. */
function selectSubTypes({ property, subTypes }: DiscriminatedShape, value: object): DiscriminatedShape['subTypes'] {
  const tag = (value as Fields)[property];
  return typeof tag === 'string' ? subTypes.filter(({ name }) => name === tag) : subTypes;
}

function listOptions(type: TypeShape, value: object): readonly TypeShape[] {
  if (type.kind === 'oneOf') return type.options;
  if (type.kind !== 'discriminated') return [];
  return selectSubTypes(type, value).map(({ shape }) => ({ kind: 'object', shape }));
}

/** Returns the same key for all types of one class, so that results for a value and its type are found again. */
export function getTypeKey(type: TypeShape): object {
  return type.kind === 'object' ? type.shape : type;
}
