import type { MetadataStorage, ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { className, isThenable, classChain } from '../../common/classes.js';
import type { Fields } from '../../common/guards.js';
import { messageOf } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { Check, TypeShape } from '../../metadata/ClassShape.js';
import { hasSameBehaviour, hasSameMessage } from '../rules/builtInRules.js';
import type { Rule } from '../rules/Rule.js';
import { rules, formatRule } from '../rules/ruleTable.js';
import { findRuleStorage } from './libraries.js';

/** The metadata of class-validator's decorators on one property. */
export interface ValidatorNotes {
  readonly optional: boolean;
  /** The type that a rule implies for the property, or for its items if the rule has `each`. */
  readonly type: TypeShape | undefined;
  readonly itemType: TypeShape | undefined;
  readonly checks: readonly Check[];
  /** Names the feature that makes rules depend on more than the value; only class-validator can evaluate it. */
  readonly condition: string | undefined;
  /** Name of an asynchronous rule; a synchronous check cannot run it. */
  readonly asynchronous: string | undefined;
  /** The reason, as a sentence, why a rule cannot be read: its pattern is not a valid regular expression. */
  readonly unreadable: string | undefined;
}

type ValidationMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];
/** Its `instance` is a getter that searches a list of all rules in the process. */
type Constraint = ReturnType<MetadataStorage['getTargetValidatorConstraints']>[number];

/** class-validator's `ValidationTypes`, which cannot be imported without the rest of the library. */
const CONDITIONAL_VALIDATION = 'conditionalValidation';
const CUSTOM_VALIDATION = 'customValidation';
const IS_DEFINED = 'isDefined';
const PROMISE_VALIDATION = 'promiseValidation';
const IS_OPTIONAL = 'isOptional';

/** Returns the decorated properties of a class with their metadata, including inherited rules. */
export function readValidatorNotes(type: Constructor): ReadonlyMap<string, ValidatorNotes> {
  const byProperty = new Map<string, ValidationMetadata[]>();
  for (const row of listRuleMetadata(type)) getOrCreate(byProperty, row.propertyName, () => []).push(row);
  return new Map([...byProperty].map(([property, rows]) => [property, readNotes(type, property, rows)]));
}

/**
 * Lists the rules of a class and its ancestors from class-validator's private map, since its own look-up scans every decorated
 * class of the process; uses that look-up if the map is missing.
 */
function listRuleMetadata(type: Constructor): readonly ValidationMetadata[] {
  const storage = findRuleStorage();
  if (storage === undefined) return [];
  const { validationMetadatas: byClass } = storage as unknown as { validationMetadatas?: unknown };
  // '' means "no schema name": class-validator requires a string.
  if (!(byClass instanceof Map)) return storage.getTargetValidationMetadatas(type, '', true, false);
  const [own = [], ...inherited] = classChain(type).map(
    (owner) => (byClass.get(owner) ?? []) as readonly ValidationMetadata[],
  );
  // Rules of a class replace rules of the same kind that ancestors have for the property.
  const replaced = (row: ValidationMetadata): boolean =>
    own.some((mine) => mine.propertyName === row.propertyName && mine.type === row.type);
  return [...own, ...inherited.flat().filter((row) => !replaced(row))];
}

function readNotes(type: Constructor, property: string, rows: readonly ValidationMetadata[]): ValidatorNotes {
  // Rules come in the order in which decorators ran: last line first.
  const checks: Check[] = [];
  let own: TypeShape | undefined;
  let item: TypeShape | undefined;
  let [asynchronous, unreadable]: (string | undefined)[] = [];
  for (const row of rows) {
    if (row.type !== CUSTOM_VALIDATION && row.type !== IS_DEFINED) continue;
    const [constraint] = findRuleStorage()?.getTargetValidatorConstraints(row.constraintCls) ?? [];
    if (constraint === undefined) continue;
    if (constraint.async) asynchronous ??= row.name ?? constraint.name;
    const read = createCheck(type, property, row, constraint);
    if (typeof read === 'string') {
      unreadable ??= read;
      continue;
    }
    const { check, implied } = read;
    if (check.each) item = narrowType(item, implied);
    else own = narrowType(own, implied);
    checks.push(check);
  }
  return {
    optional: selectConditional(rows).some(({ name }) => name === IS_OPTIONAL),
    type: own,
    itemType: item,
    checks,
    condition: readCondition(rows),
    asynchronous,
    unreadable,
  };
}

/** Returns the narrower type: an enum or an integer is narrower than a string or a number. */
function narrowType(known: TypeShape | undefined, implied: TypeShape | undefined): TypeShape | undefined {
  if (known === undefined || implied?.kind === 'enum' || implied?.kind === 'integer') return implied ?? known;
  return known;
}

function selectConditional(rows: readonly ValidationMetadata[]): readonly ValidationMetadata[] {
  return rows.filter((row) => row.type === CONDITIONAL_VALIDATION);
}

function readCondition(rows: readonly ValidationMetadata[]): string | undefined {
  if (selectConditional(rows).some(({ name }) => name !== IS_OPTIONAL)) return '@ValidateIf';
  return rows.some((row) => row.type === PROMISE_VALIDATION) ? '@ValidatePromise' : undefined;
}

/** Checks whether all conditions of the property hold for the object, so that its rules apply. */
export function conditionHolds(type: Constructor, property: string, owner: object): boolean {
  const rows = listRuleMetadata(type).filter(({ propertyName }) => propertyName === property);
  const value: unknown = (owner as Fields)[property];
  return selectConditional(rows).every(({ constraints: [holds] }) =>
    Boolean((holds as (owner: object, value: unknown) => unknown)(owner, value)),
  );
}

/** A rule as class-validator implements it. */
interface LibraryRule {
  /** Rethrows errors of the validator. */
  readonly holds: (value: unknown, owner: object) => boolean;
  readonly message: (value: unknown, owner: object) => string;
}

function createCheck(
  type: Constructor,
  property: string,
  row: ValidationMetadata,
  constraint: Constraint,
): { readonly check: Check; readonly implied: TypeShape | undefined } | string {
  const constraints = (row.constraints as readonly unknown[] | undefined) ?? [];
  const name = row.name ?? constraint.name;
  const argumentsFor = (value: unknown, owner: object): ValidationArguments => ({
    value,
    constraints: [...constraints],
    targetName: className(type),
    object: owner,
    property,
  });
  let known: Rule | undefined;
  try {
    known = findKnownRule(name, constraint, argumentsFor(undefined, {}));
  } catch (error) {
    return `the rule ${name} cannot be read: ${messageOf(error)}`;
  }
  const library = createLibraryRule(name, row, constraint, argumentsFor);
  const test = known?.test ?? guardValidator(library.holds);
  const { validateIf } = row;
  const applies =
    validateIf === undefined ? undefined : (owner: object) => validateIf(owner, (owner as Fields)[property]);
  return {
    // A conditional rule implies no type.
    implied: validateIf === undefined ? known?.type : undefined,
    check: {
      name: known === undefined ? `custom rule ${name}` : name,
      // The type hides that options without `each` leave it undefined.
      each: (row.each as boolean | undefined) === true,
      test: applies === undefined ? test : (value, owner) => !applies(owner) || test(value, owner),
      applies,
      message: createMessage(known, row, library),
      schema: validateIf === undefined ? known?.schema : undefined,
      hint: validateIf === undefined ? known?.expected : undefined,
      pattern: known?.pattern,
      foreign: isForeign(known) || applies !== undefined,
    },
  };
}

/**
 * Finds the table's version of one of class-validator's own rules; returns undefined for all others.
 *
 * @throws the error for an invalid argument of the decorator, such as a malformed pattern
 */
function findKnownRule(name: string, { target }: Constraint, args: ValidationArguments): Rule | undefined {
  const row = rules.get(name);
  if (row === undefined || !hasSameMessage(name, target, args)) return undefined;
  const rule = row(args.constraints);
  return rule.test === undefined || hasSameBehaviour(target, args, rule.test) ? rule : undefined;
}

/** Checks for rules that users wrote, and rules of class-validator that read a text: some take 200 ms for a megabyte. */
function isForeign(known: Rule | undefined): boolean {
  return known === undefined || (known.type?.kind === 'string' && known.test === undefined);
}

function createLibraryRule(
  name: string,
  row: ValidationMetadata,
  constraint: Constraint,
  argumentsFor: (value: unknown, owner: object) => ValidationArguments,
): LibraryRule {
  let found: ValidatorConstraintInterface | undefined;
  const instance = (): ValidatorConstraintInterface => (found ??= constraint.instance);
  const custom = row.message as string | ((args: ValidationArguments) => string) | undefined;
  return {
    holds: (value, owner) => {
      const given = name === 'arrayUnique' && Array.isArray(value) ? IndexedList.from(value) : value;
      const verdict: unknown = instance().validate(given, argumentsFor(value, owner));
      // Accepts any truthy value except a promise, which is not awaited.
      return Boolean(verdict) && !isThenable(verdict);
    },
    message: (value, owner) => {
      const args = argumentsFor(value, owner);
      // The message already begins with the path.
      const standard = instance()
        .defaultMessage?.(args)
        .replace(/^\$property /, '');
      const message = custom ?? (standard || `a value that satisfies ${name}`);
      return fillPlaceholders(typeof message === 'function' ? message(args) : message, args);
    },
  };
}

/** Treats a throwing validator as a refusal; some of class-validator's own throw, for 1e-7 or half an emoji. */
function guardValidator(holds: LibraryRule['holds']): Check['test'] {
  return (value, owner) => {
    try {
      return holds(value, owner);
    } catch {
      return false;
    }
  };
}

function createMessage(known: Rule | undefined, row: ValidationMetadata, library: LibraryRule): Check['message'] {
  // The type hides that options without a message leave it undefined.
  const isWorded = (row.message as unknown) !== undefined;
  if (known !== undefined && !isWorded) return (value) => formatRule(known, value);
  return (value, owner) => {
    try {
      // Reports a rule that throws as such, since the model is not at fault. Does not match a pattern again: the library would
      // use an engine that backtracks.
      if (known?.pattern === undefined) library.holds(value, owner);
      return library.message(value, owner);
    } catch (error) {
      return `could not be checked: ${messageOf(error)}`;
    }
  };
}

/** Replaces class-validator's `$property`, `$target`, `$value` and `$constraint1`. */
function fillPlaceholders(message: string, args: ValidationArguments): string {
  return message
    .replace(/\$constraint(\d+)/g, (_, index: string) => String(args.constraints[Number(index) - 1]))
    .replaceAll('$property', args.property)
    .replaceAll('$target', args.targetName)
    .replaceAll('$value', () => String(args.value));
}

/**
 * An array that finds its items at once. `@ArrayUnique` searches for each item in the array, or in the results of its function,
 * which takes seconds for ten thousand items.
 */
class IndexedList extends Array<unknown> {
  #positions: Map<unknown, number> | undefined;

  override indexOf(item: unknown): number {
    if (this.#positions === undefined) {
      this.#positions = new Map();
      for (const [position, each] of this.entries())
        if (!this.#positions.has(each)) this.#positions.set(each, position);
    }
    // Like any array, it does not find NaN.
    return Number.isNaN(item) ? -1 : (this.#positions.get(item) ?? -1);
  }
}
