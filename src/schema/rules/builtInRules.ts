import * as classValidator from 'class-validator';
import { isClass } from '../../common/classes.js';

type Arguments = classValidator.ValidationArguments;

/** The parts of a constraint that are compared. */
interface Validator {
  readonly validate: (value: unknown, args: Arguments) => unknown;
  readonly defaultMessage?: (args: Arguments) => string;
}

/** Values for comparing two rules of the same name: every type, and common special cases. */
const probes: readonly unknown[] = [undefined, null, '', 'a', '1', 0, -1, 1.5, 7, true, [], ['a'], {}];

const PREFIX_OF_EACH = 'each value in ';

/**
 * Checks whether a rule has the message of class-validator's own rule of that name: users may also name theirs `min`. A rule does
 * not record the decorator that created it, so this compares its message, and `hasSameBehaviour` its behaviour.
 *
 * @param type class of the rule's constraint
 */
export function hasSameMessage(name: string, type: unknown, args: Arguments): boolean {
  const original = getOriginals().get(name);
  if (original === undefined) return false;
  try {
    const message = createValidator(type)?.defaultMessage?.(args).replace(PREFIX_OF_EACH, '');
    return message !== undefined && message === original.defaultMessage?.(args);
  } catch {
    return false;
  }
}

/** Checks whether a rule accepts the same values as the check that would replace it. */
export function hasSameBehaviour(type: unknown, args: Arguments, test: (value: unknown) => boolean): boolean {
  try {
    const validator = createValidator(type);
    return probes.every((value) => Boolean(validator?.validate(value, args)) === test(value));
  } catch {
    return false;
  }
}

/** Creates the validator of a constraint class, without the container that class-validator may be set to use. */
function createValidator(type: unknown): Validator | undefined {
  return isClass(type) ? (new type() as Validator) : undefined;
}

let known: ReadonlyMap<string, Validator> | undefined;

/** Returns the validators of the decorators that class-validator exports, by rule name. */
function getOriginals(): ReadonlyMap<string, Validator> {
  return (known ??= readOriginals());
}

function readOriginals(): ReadonlyMap<string, Validator> {
  class Probe {}
  for (const [name, decorator] of Object.entries(classValidator)) {
    if (!/^[A-Z][a-z]/.test(name)) continue;
    try {
      // The empty object serves as an enum and as options.
      (decorator as (argument: object) => PropertyDecorator)({})(Probe.prototype, name);
    } catch {
      // A class, or a decorator that needs other arguments.
    }
  }
  const storage = classValidator.getMetadataStorage();
  const found = new Map<string, Validator>();
  for (const { name, constraintCls } of storage.getTargetValidationMetadatas(Probe, '', true, false)) {
    const validator = createValidator(constraintCls);
    if (name !== undefined && validator !== undefined) found.set(name, validator);
  }
  // Removed, so that code that walks all decorated classes does not find this one.
  const { validationMetadatas } = storage as unknown as { validationMetadatas?: unknown };
  if (validationMetadatas instanceof Map) validationMetadatas.delete(Probe);
  return found;
}
