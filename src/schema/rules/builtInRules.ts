import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { isClass } from '../../common/classes.js';
import { memoize } from '../../common/memoize.js';
import { classValidator } from '../read/libraries.js';

/** Values for comparing two rules of the same name: every type, and common special cases. */
const probes: readonly unknown[] = [undefined, null, '', 'a', '1', 0, -1, 1.5, 7, true, [], ['a'], {}];

const PREFIX_OF_EACH = 'each value in ';

/**
 * Checks whether a rule has the message of class-validator's own rule of that name: users may also name theirs `min`. A rule does
 * not record the decorator that created it, so this compares its message, and `hasSameBehaviour` its behaviour.
 *
 * @param type class of the rule's constraint
 */
export function hasSameMessage(name: string, type: unknown, args: ValidationArguments): boolean {
  const original = findOriginal(name);
  if (original === undefined) return false;
  try {
    const message = createValidator(type)?.defaultMessage?.(args).replace(PREFIX_OF_EACH, '');
    return message !== undefined && message === original.defaultMessage?.(args);
  } catch {
    return false;
  }
}

/** Checks whether a rule accepts the same values as the check that would replace it. */
export function hasSameBehaviour(type: unknown, args: ValidationArguments, test: (value: unknown) => boolean): boolean {
  try {
    const validator = createValidator(type);
    return probes.every((value) => Boolean(validator?.validate(value, args)) === test(value));
  } catch {
    return false;
  }
}

/** Creates the validator of a constraint class, without the container that class-validator may be set to use. */
function createValidator(type: unknown): ValidatorConstraintInterface | undefined {
  return isClass(type) ? (new type() as ValidatorConstraintInterface) : undefined;
}

const originals = new Map<string, ValidatorConstraintInterface | undefined>();

/** Returns the validator of the decorator that class-validator exports for rules of the name. */
function findOriginal(name: string): ValidatorConstraintInterface | undefined {
  const decorator = getDecorators().get(name.toLowerCase());
  if (decorator === undefined) return undefined;
  if (!originals.has(name)) originals.set(name, readOriginal(name, decorator));
  return originals.get(name);
}

type Decorate = (argument: object) => PropertyDecorator;

/** The decorators by the names of their rules in lower case, such as `isurl` for `IsUrl`. */
const getDecorators = memoize((): ReadonlyMap<string, Decorate> => {
  const { Length, ...library } = classValidator.get();
  const named = Object.entries(library).filter(([name]) => /^[A-Z][a-z]/.test(name));
  return new Map(
    [...named, ['isLength', Length] as const].map(([name, decorator]) => [name.toLowerCase(), decorator as Decorate]),
  );
});

function readOriginal(wanted: string, decorator: Decorate): ValidatorConstraintInterface | undefined {
  class Probe {}
  try {
    // The empty object serves as an enum and as options.
    decorator({})(Probe.prototype, wanted);
  } catch {
    // A class, or a decorator that needs other arguments.
    return undefined;
  }
  const storage = classValidator.get().getMetadataStorage();
  const [row] = storage.getTargetValidationMetadatas(Probe, '', true, false);
  // Removed, so that code that walks all decorated classes does not find this one.
  const { validationMetadatas } = storage as unknown as { validationMetadatas?: unknown };
  if (validationMetadatas instanceof Map) validationMetadatas.delete(Probe);
  return row?.name === wanted ? createValidator(row.constraintCls) : undefined;
}
