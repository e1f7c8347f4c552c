import 'reflect-metadata';
import { Param } from 'toolwright';
import { faultsOf } from './reading';

describe('options of @Param that untyped code may pass', () => {
  test.each<[string, unknown, string]>([
    ['description', 5, 'description: expected a text, got the number 5'],
    ['name', {}, 'name: expected a text, got an object'],
    [
      'type',
      'string',
      'type: expected a class, or a type reference such as [X] or { record: X }, got the string "string"',
    ],
    ['type', {}, 'type: expected a class, or a type reference such as [X] or { record: X }, got an object'],
    ['type', [5], 'type: expected a class, or a type reference such as [X] or { record: X }, got an array of 1'],
    [
      'record',
      { array: 5 },
      'record: expected a class, or a type reference such as [X] or { record: X }, got an object',
    ],
    [
      'enum',
      'C',
      'enum: expected a list of texts, finite numbers, true, false and null, or an enum, got the string "C"',
    ],
    ['enum', null, 'enum: expected a list of texts, finite numbers, true, false and null, or an enum, got null'],
    [
      'enum',
      [1n],
      'enum: expected a list of texts, finite numbers, true, false and null, or an enum, got an array of 1',
    ],
    [
      'enum',
      [Number.NaN],
      'enum: expected a list of texts, finite numbers, true, false and null, or an enum, got an array of 1',
    ],
    ['min', Number.NaN, 'min: expected a finite number, got the number NaN'],
    ['max', '5', 'max: expected a finite number, got the string "5"'],
    ['minLength', -1, 'minLength: expected a whole number from 0, got the number -1'],
    ['maxItems', 1.5, 'maxItems: expected a whole number from 0, got the number 1.5'],
    ['oneOf', String, 'oneOf: expected a list of types, got a function'],
    ['oneOf', [String, 'number'], 'oneOf: expected a list of types, got an array of 2'],
    ['optional', 'yes', 'optional: expected true or false, got the string "yes"'],
    ['integer', 1, 'integer: expected true or false, got the number 1'],
    ['default', () => 5, 'default: expected a value that can be copied, got a function'],
  ])('E312: @Param refuses the option %s with %p', (option, value, problem) => {
    class Params {
      @Param({ [option]: value }) word = 'x';
    }
    expect(faultsOf(Params)).toMatchObject([
      {
        code: 'E312',
        place: 'Params.word',
        member: 'word',
        paramsType: 'Params',
        problem: expect.stringContaining(problem) as unknown,
        remedy: expect.stringMatching(/\S\.$/) as unknown,
      },
    ]);
  });

  test('an option that a circular file left undefined is reported as such', () => {
    class Params {
      @Param({ type: null as never }) word = 'x';
    }
    expect(faultsOf(Params)).toMatchObject([{ code: 'E201', problem: expect.stringContaining('circular') as unknown }]);
  });
});
