import {
  registerDecorator,
  Validate,
  ValidateBy,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { sample, type Held, type ValidatorSample } from '../validators/ValidatorSample';

@ValidatorConstraint({ name: 'even' })
class Even {
  validate(value: unknown, { constraints }: ValidationArguments): boolean {
    return typeof value === 'number' && value % (constraints[0] as number) === 0;
  }
}

/** A rule of a user's own, under any name. */
function own(
  name: string,
  constraints: unknown[],
  validate: (value: unknown, args: ValidationArguments) => unknown,
): (options?: ValidationOptions) => PropertyDecorator {
  return (options) => (target, propertyName) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      constraints,
      ...(options === undefined ? {} : { options }),
      validator: { validate: (value, args) => validate(value, args!) as boolean },
    });
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const custom = (on: Held, make: ValidatorSample['make'], good: readonly unknown[], bad: readonly unknown[]) =>
  sample('a rule of its own', on, make, good, bad);

/** Rules that users write: some under the name of a built-in one, some that give no boolean, some that look around. */
export const customSamples: readonly ValidatorSample[] = [
  custom('number', (o) => Validate(Even, [2], o), [0, 4], [1, 0.5]),
  custom(
    'number',
    own('min', [2], (value) => Number(value) !== 3),
    [1, 0, 5],
    [3],
  ),
  custom(
    'number',
    own('isInt', [], (value) => typeof value === 'number'),
    [1, 0.5],
    [],
  ),
  custom(
    'string',
    own('maxLength', [2], (value) => isText(value) && value !== 'no'),
    ['abc', ''],
    ['no'],
  ),
  custom(
    'string',
    own('isString', [], (value) => isText(value) && value.startsWith('a')),
    ['a', 'ab'],
    ['b', ''],
  ),
  custom('string', own('isOptional', [], isText), ['', 'a'], []),
  custom(
    'string',
    own('isEmail', [], (value) => value === 'ann'),
    ['ann'],
    ['ann@example.org'],
  ),
  custom('strings', own('arrayMaxSize', [0], Array.isArray), [[], ['a']], []),
  custom(
    'string',
    own('truthy', [], (value) => (isText(value) ? /^[a-c]+$/.exec(value) : 0)),
    ['a', 'cb'],
    ['', 'd'],
  ),
  custom(
    'boolean',
    (o) => ValidateBy({ name: 'isTrue', validator: { validate: (v) => v === true } }, o),
    [true],
    [false],
  ),
  custom(
    'number',
    own('above', ['p0'], (value, { object, constraints }) => {
      const other = (object as Record<string, unknown>)[constraints[0] as string];
      return typeof other !== 'number' || Number(value) >= other;
    }),
    [5, 1e9],
    [-1e9],
  ),
];
