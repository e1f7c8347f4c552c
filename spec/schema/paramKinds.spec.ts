import 'reflect-metadata';
import { Param } from 'toolwright';
import { faultsOf } from './reading';

describe('options of @Param that untyped code may pass', () => {
  test.each<[string, unknown, string]>([
    ['description', 5, 'description: expected a text, got the number 5'],
    ['name', {}, 'name: expected a text, got an object'],
    ['type', 'string', 'type is the string "string"; a class, or what names a type'],
    ['type', {}, 'type is an object; a class, or what names a type'],
    ['type', [5], 'type is an array of 1; a class'],
    ['record', { array: 5 }, 'record is an object; a class'],
    ['enum', 'C', 'enum is the string "C"; a list of'],
    ['enum', null, 'enum is null; a list of'],
    ['enum', [1n], 'enum is an array of 1; a list of texts, finite numbers, true, false and null'],
    ['enum', [Number.NaN], 'enum is an array of 1; a list of'],
    ['min', Number.NaN, 'min is the number NaN; a finite number'],
    ['max', '5', 'max is the string "5"; a finite number'],
    ['minLength', -1, 'minLength is the number -1; a whole number from 0'],
    ['maxItems', 1.5, 'maxItems is the number 1.5; a whole number from 0'],
    ['oneOf', String, 'oneOf is a function; a list of types'],
    ['oneOf', [String, 'number'], 'oneOf is an array of 2; a list of types'],
    ['optional', 'yes', 'optional is the string "yes"; true or false'],
    ['integer', 1, 'integer is the number 1; true or false'],
    ['default', () => 5, 'default is a function; a value that can be copied'],
  ])('E312: %s with %p', (option, value, problem) => {
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
