import * as classValidator from 'class-validator';
import { getMetadataStorage, Min, registerDecorator, type ValidationArguments } from 'class-validator';
import { hasSameBehaviour, hasSameMessage } from '../../../src/schema/rules/builtInRules';
import { samples } from '../validators/samples';

const args = (constraints: unknown[] = []): ValidationArguments => ({
  value: undefined,
  constraints,
  targetName: 'Params',
  object: {},
  property: 'v',
});

/** The one rule of a property. */
function ruleOf(decorate: PropertyDecorator): { name: string; type: unknown; constraints: unknown[] } {
  class Params {}
  decorate(Params.prototype, 'v');
  const [row] = getMetadataStorage().getTargetValidationMetadatas(Params, '', true, false);
  return {
    name: row?.name ?? '',
    type: row?.constraintCls,
    constraints: (row?.constraints as unknown[] | undefined) ?? [],
  };
}

const own =
  (name: string, validator: object): PropertyDecorator =>
  (object, propertyName) => {
    const { constructor: target } = object;
    registerDecorator({ name, target, propertyName: String(propertyName), validator: validator as never });
  };

test.each(samples.map((sample) => [`@${sample.call} on ${sample.on}`, sample] as const))(
  '%s is known for one of class-validator, with and without each',
  (_call, { make }) => {
    for (const options of [undefined, { each: true }]) {
      const { name, type, constraints } = ruleOf(make(options));
      expect(hasSameMessage(name, type, args(constraints))).toBe(true);
    }
  },
);

describe('a rule of a user', () => {
  const message = '$property must be an integer number';

  test.each<[string, PropertyDecorator]>([
    ['without a message', own('isInt', { validate: () => true })],
    ['with another message', own('isInt', { validate: () => true, defaultMessage: () => 'a number' })],
    [
      'with a name that class-validator does not know',
      own('isOdd', { validate: () => true, defaultMessage: () => message }),
    ],
    [
      'whose message throws',
      own('isInt', {
        validate: () => true,
        defaultMessage: () => {
          throw new TypeError('no words');
        },
      }),
    ],
  ])('a rule of a user %s is not read as the built-in one', (_what, decorate) => {
    const { name, type } = ruleOf(decorate);
    expect(hasSameMessage(name, type, args())).toBe(false);
  });

  test('a custom rule whose class needs a container is not created without it', () => {
    class Needy {
      constructor(readonly service: { readonly ready: boolean }) {
        if (!service.ready) throw new TypeError('not ready');
      }
      validate(): boolean {
        return true;
      }
    }
    expect(hasSameMessage('min', Needy, args())).toBe(false);
    expect(hasSameBehaviour(Needy, args(), () => true)).toBe(false);
  });

  test('a custom rule that repeats the message may still judge otherwise', () => {
    const isWhole = (value: unknown): boolean => Number.isInteger(value);
    const wider = ruleOf(
      own('isInt', { validate: (value: unknown) => typeof value === 'number', defaultMessage: () => message }),
    );
    const same = ruleOf(own('isInt', { validate: isWhole, defaultMessage: () => message }));
    expect([wider, same].map(({ name, type }) => hasSameMessage(name, type, args()))).toEqual([true, true]);
    expect(hasSameBehaviour(wider.type, args(), isWhole)).toBe(false);
    expect(hasSameBehaviour(same.type, args(), isWhole)).toBe(true);
  });
});

test('the decorators that were looked at leave no class behind', () => {
  const { name, type, constraints } = ruleOf(Min(2));
  expect(hasSameMessage(name, type, args(constraints))).toBe(true);
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas: Map<{ name: string }, unknown>;
  };
  expect([...validationMetadatas.keys()].map((known) => known.name)).not.toContain('Probe');
  expect(Object.keys(classValidator).length).toBeGreaterThan(100);
});
