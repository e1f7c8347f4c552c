import {
  getMetadataStorage,
  ValidationTypes,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { className, lineage } from '../common/classes.js';
import type { Constructor } from '../common/types.js';
import type { Check, TypeShape } from '../metadata/ClassShape.js';
import { rules, ruleText } from './ruleTable.js';

/** What class-validator's decorators say of one property. */
export interface ValidatorNotes {
  readonly optional: boolean;
  readonly nested: boolean;
  /** The type that a rule implies for the property, or for its items when the rule has `each`. */
  readonly type: TypeShape | undefined;
  readonly itemType: TypeShape | undefined;
  readonly checks: readonly Check[];
  /** The feature that makes rules depend on more than the value, which only class-validator can judge. */
  readonly condition: string | undefined;
  /** Name of an asynchronous rule, which no synchronous check can honour. */
  readonly asynchronous: string | undefined;
}

interface Constraint {
  readonly async: boolean;
  readonly name: string;
  /** A getter that searches a list of all rules of the process. */
  readonly instance: ValidatorConstraintInterface;
}

type ValidationMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The decorated properties of a class and what is said of each, inherited rules included. */
export function validatorNotes(type: Constructor): ReadonlyMap<string, ValidatorNotes> {
  const all = metadataOf(type);
  const byProperty = new Map<string, ValidationMetadata[]>();
  for (const metadata of all) {
    const known = byProperty.get(metadata.propertyName);
    if (known === undefined) byProperty.set(metadata.propertyName, [metadata]);
    else known.push(metadata);
  }
  return new Map([...byProperty].map(([property, rows]) => [property, notesOf(type, property, rows)]));
}

/**
 * The rules of a class and its ancestors. class-validator's own look-up goes through every decorated class of the process;
 * its map is private, so where it is not there, the look-up is used.
 */
function metadataOf(type: Constructor): readonly ValidationMetadata[] {
  const storage = getMetadataStorage();
  const { validationMetadatas: byClass } = storage as unknown as { validationMetadatas?: unknown };
  // '' stands for "no schema name": class-validator wants a string there.
  if (!(byClass instanceof Map)) return storage.getTargetValidationMetadatas(type, '', true, false);
  const [own = [], ...inherited] = lineage(type).map(
    (owner) => (byClass.get(owner) ?? []) as readonly ValidationMetadata[],
  );
  // What a class says of a property replaces what its ancestors say in the same kind of rule.
  const replaced = (row: ValidationMetadata): boolean =>
    own.some((mine) => mine.propertyName === row.propertyName && mine.type === row.type);
  return [...own, ...inherited.flat().filter((row) => !replaced(row))];
}

function notesOf(type: Constructor, property: string, rows: readonly ValidationMetadata[]): ValidatorNotes {
  // getTargetValidationMetadatas gives the rules in the order in which decorators ran: last line first.
  const checks: Check[] = [];
  let own: TypeShape | undefined;
  let item: TypeShape | undefined;
  let asynchronous: string | undefined;
  for (const row of rows) {
    if (row.type !== ValidationTypes.CUSTOM_VALIDATION && row.type !== ValidationTypes.IS_DEFINED) continue;
    const constraint = constraintOf(row);
    if (constraint === undefined) continue;
    if (constraint.async) asynchronous ??= row.name ?? constraint.name;
    const { check, implied } = checkOf(type, property, row, constraint);
    if (row.each) item = narrower(item, implied);
    else own = narrower(own, implied);
    checks.push(check);
  }
  return {
    optional: rows.some((row) => row.name === 'isOptional'),
    nested: rows.some((row) => row.type === ValidationTypes.NESTED_VALIDATION),
    type: own,
    itemType: item,
    checks,
    condition: conditionOf(rows),
    asynchronous,
  };
}

function constraintOf(row: ValidationMetadata): Constraint | undefined {
  return getMetadataStorage().getTargetValidatorConstraints(row.constraintCls)[0];
}

/** An enum or an integer says more than a string or a number. */
function narrower(known: TypeShape | undefined, implied: TypeShape | undefined): TypeShape | undefined {
  if (known === undefined || implied?.kind === 'enum' || implied?.kind === 'integer') return implied ?? known;
  return known;
}

function conditionOf(rows: readonly ValidationMetadata[]): string | undefined {
  for (const row of rows) {
    // The type hides that options without groups leave it undefined.
    const groups = row.groups as readonly string[] | undefined;
    if (groups !== undefined && groups.length > 0) return 'validation groups';
    if (row.type === ValidationTypes.CONDITIONAL_VALIDATION && row.name !== 'isOptional') return '@ValidateIf';
    if (row.validateIf !== undefined) return 'validateIf';
    if (row.type === ValidationTypes.PROMISE_VALIDATION) return '@ValidatePromise';
  }
  return undefined;
}

function checkOf(
  type: Constructor,
  property: string,
  row: ValidationMetadata,
  constraint: Constraint,
): { readonly check: Check; readonly implied: TypeShape | undefined } {
  const constraints = (row.constraints as readonly unknown[] | undefined) ?? [];
  const name = row.name ?? 'custom';
  const known = rules.get(name)?.(constraints);
  const argumentsFor = (value: unknown, owner: object): ValidationArguments => ({
    value,
    constraints: [...constraints],
    targetName: className(type),
    object: owner,
    property,
  });
  let found: ValidatorConstraintInterface | undefined;
  const instance = (): ValidatorConstraintInterface => (found ??= constraint.instance);
  const custom = row.message as string | ((args: ValidationArguments) => string) | undefined;
  const worded = (value: unknown, owner: object): string => {
    const args = argumentsFor(value, owner);
    const message = custom ?? (instance().defaultMessage?.(args) || `a value that satisfies ${name}`);
    return fillIn(typeof message === 'function' ? message(args) : message, args);
  };
  return {
    implied: known?.type,
    check: {
      name,
      // The type hides that options without `each` leave it undefined.
      each: (row.each as boolean | undefined) === true,
      test: known?.test ?? ((value, owner) => instance().validate(value, argumentsFor(value, owner)) === true),
      message: known === undefined || custom !== undefined ? worded : (value) => ruleText(known, value),
      schema: known?.schema,
      hint: known?.expected,
      pattern: known?.pattern,
    },
  };
}

/** Replaces class-validator's `$property`, `$target`, `$value` and `$constraint1`. */
function fillIn(message: string, args: ValidationArguments): string {
  return message
    .replace(/\$constraint(\d+)/g, (_, index: string) => String(args.constraints[Number(index) - 1]))
    .replaceAll('$property', args.property)
    .replaceAll('$target', args.targetName)
    .replaceAll('$value', () => String(args.value));
}
