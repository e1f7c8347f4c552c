import * as classValidator from 'class-validator';
import { isClass } from '../common/classes.js';

type Arguments = classValidator.ValidationArguments;

/** The part of a constraint that is looked at. */
interface Validator {
  readonly validate: (value: unknown, args: Arguments) => unknown;
  readonly defaultMessage?: (args: Arguments) => string;
}

/** Values on which two rules of one name are compared: every type, and what rules make exceptions for. */
const probes: readonly unknown[] = [undefined, null, '', 'a', '1', 0, -1, 1.5, 7, true, [], ['a'], {}];

const PREFIX_OF_EACH = 'each value in ';

/**
 * Tells class-validator's own rules from those of users, who may give theirs any name, such as `min`. A rule holds no trace
 * of the decorator that made it, so its message is compared, and `behavesAlike` compares what it does.
 *
 * @param type class of the rule's constraint
 */
export function readsAlike(name: string, type: unknown, args: Arguments): boolean {
  const original = originals().get(name);
  if (original === undefined) return false;
  try {
    const message = made(type)?.defaultMessage?.(args).replace(PREFIX_OF_EACH, '');
    return message !== undefined && message === original.defaultMessage?.(args);
  } catch {
    return false;
  }
}

/** True if a rule accepts the same values as the check that would replace it. */
export function behavesAlike(type: unknown, args: Arguments, test: (value: unknown) => boolean): boolean {
  try {
    const validator = made(type);
    return probes.every((value) => Boolean(validator?.validate(value, args)) === test(value));
  } catch {
    return false;
  }
}

/** The validator of a constraint class, without the container that class-validator may have been given. */
function made(type: unknown): Validator | undefined {
  return isClass(type) ? (new type() as Validator) : undefined;
}

let known: ReadonlyMap<string, Validator> | undefined;

/** The rule behind each decorator that class-validator exports, by the rule's name. */
function originals(): ReadonlyMap<string, Validator> {
  return (known ??= readOriginals());
}

function readOriginals(): ReadonlyMap<string, Validator> {
  class Probe {}
  for (const [name, decorator] of Object.entries(classValidator)) {
    if (!/^[A-Z][a-z]/.test(name)) continue;
    try {
      // The empty object stands for an enum and for options alike.
      (decorator as (argument: object) => PropertyDecorator)({})(Probe.prototype, name);
    } catch {
      // A class, or a decorator that needs more.
    }
  }
  const storage = classValidator.getMetadataStorage();
  const found = new Map<string, Validator>();
  for (const { name, constraintCls } of storage.getTargetValidationMetadatas(Probe, '', true, false)) {
    const validator = made(constraintCls);
    if (name !== undefined && validator !== undefined) found.set(name, validator);
  }
  // What goes through all decorated classes of the process should not meet this one.
  const { validationMetadatas } = storage as unknown as { validationMetadatas?: unknown };
  if (validationMetadatas instanceof Map) validationMetadatas.delete(Probe);
  return found;
}
