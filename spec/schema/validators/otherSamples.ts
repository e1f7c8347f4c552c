import * as cv from 'class-validator';
import { sample, type ValidatorSample } from './ValidatorSample';

enum Colour {
  Red = 'red',
  Green = 'green',
}
enum Level {
  Low,
  High = 5,
}
const [before, middle, after] = ['1999-12-31', '2010-06-15T12:00:00Z', '2031-01-01T00:00:00.000Z'];

const onNumbers: readonly ValidatorSample[] = [
  sample('IsNumber()', 'number', (o) => cv.IsNumber({}, o), [0, -0, 1.5, 1e300], []),
  sample(
    'IsNumber({ maxDecimalPlaces: 2 })',
    'number',
    (o) => cv.IsNumber({ maxDecimalPlaces: 2 }, o),
    [1, 1.25, -3],
    [1.234],
  ),
  sample(
    'IsNumber({ maxDecimalPlaces: 0 })',
    'number',
    (o) => cv.IsNumber({ maxDecimalPlaces: 0 }, o),
    [1, -3, 1e21],
    [1.5],
  ),
  sample('IsInt()', 'number', (o) => cv.IsInt(o), [0, -0, 7, 1e21], [1.5, -0.1]),
  sample('Min(2)', 'number', (o) => cv.Min(2, o), [2, 2.5, 1e9], [1.9, -3, 0]),
  sample('Max(2)', 'number', (o) => cv.Max(2, o), [2, 1.5, -1e9], [2.1, 3]),
  sample('IsPositive()', 'number', (o) => cv.IsPositive(o), [1, 0.1], [0, -0, -1]),
  sample('IsNegative()', 'number', (o) => cv.IsNegative(o), [-1, -0.1], [0, -0, 1]),
  sample('IsDivisibleBy(3)', 'number', (o) => cv.IsDivisibleBy(3, o), [0, 3, -9, 3e10], [1, 4, 3.5]),
  sample('IsDivisibleBy(2.5)', 'number', (o) => cv.IsDivisibleBy(2.5, o), [0, 4, 10], [1, 2.5]),
  sample('IsLatitude()', 'number', (o) => cv.IsLatitude(o), [47.3, -90, 0], [91, -90.5]),
  sample('IsLongitude()', 'number', (o) => cv.IsLongitude(o), [8.5, -180, 0], [181, -180.5]),
  sample('Equals(5)', 'number', (o) => cv.Equals(5, o), [5], [4, 0]),
  sample('NotEquals(5)', 'number', (o) => cv.NotEquals(5, o), [4, 0], [5]),
  sample('IsIn([1, 2.5])', 'number', (o) => cv.IsIn([1, 2.5], o), [1, 2.5], [0, 3]),
  sample('IsNotIn([1, 2.5])', 'number', (o) => cv.IsNotIn([1, 2.5], o), [0, 3], [1, 2.5]),
  sample('IsEnum(Level)', 'number', (o) => cv.IsEnum(Level, o), [0, 5], [1, -1]),
  sample('IsNotEmpty()', 'number', (o) => cv.IsNotEmpty(o), [0, 1], []),
  sample('IsDefined()', 'number', (o) => cv.IsDefined(o), [0, 1], []),
];

const onOthers: readonly ValidatorSample[] = [
  sample('IsEnum(Colour)', 'string', (o) => cv.IsEnum(Colour, o), ['red', 'green'], ['', 'Red', 'blue']),
  sample('IsBoolean()', 'boolean', (o) => cv.IsBoolean(o), [true, false], []),
  sample('Equals(true)', 'boolean', (o) => cv.Equals(true, o), [true], [false]),
  sample('IsIn([false])', 'boolean', (o) => cv.IsIn([false], o), [false], [true]),
  sample('IsDate()', 'date', (o) => cv.IsDate(o), [before, middle, after], []),
  sample(
    "MinDate(new Date('2000-01-01'))",
    'date',
    (o) => cv.MinDate(new Date('2000-01-01'), o),
    [middle, after],
    [before],
  ),
  sample(
    "MaxDate(() => new Date('2020-01-01'))",
    'date',
    (o) => cv.MaxDate(() => new Date('2020-01-01'), o),
    [before, middle],
    [after],
  ),
  sample('IsNotEmpty()', 'date', (o) => cv.IsNotEmpty(o), [before], []),
];

const onLists: readonly ValidatorSample[] = [
  sample('IsArray()', 'strings', (o) => cv.IsArray(o), [[], ['a']], []),
  sample(
    'ArrayMinSize(2)',
    'strings',
    (o) => cv.ArrayMinSize(2, o),
    [
      ['a', 'b'],
      ['', '', ''],
    ],
    [[], ['a']],
  ),
  sample('ArrayMaxSize(2)', 'strings', (o) => cv.ArrayMaxSize(2, o), [[], ['a', 'b']], [['a', 'b', 'c']]),
  sample('ArrayNotEmpty()', 'strings', (o) => cv.ArrayNotEmpty(o), [['']], [[]]),
  sample('ArrayUnique()', 'strings', (o) => cv.ArrayUnique(undefined, o), [[], ['a', 'b']], [['a', 'a']]),
  sample(
    'ArrayUnique((item) => item.id)',
    'strings',
    (o) => cv.ArrayUnique((value: string) => value.toLowerCase(), o),
    [[], ['a', 'b']],
    [['a', 'A']],
  ),
  sample(
    'ArrayUnique()',
    'numbers',
    (o) => cv.ArrayUnique(undefined, o),
    [[], [1, 2]],
    [
      [1, 1],
      [0, -0],
    ],
  ),
  sample(
    "ArrayContains(['a', 'b'])",
    'strings',
    (o) => cv.ArrayContains(['a', 'b'], o),
    [
      ['b', 'a'],
      ['a', 'b', 'c'],
    ],
    [[], ['a']],
  ),
  sample('ArrayContains([1])', 'numbers', (o) => cv.ArrayContains([1], o), [[1], [1, 2]], [[], [2]]),
  sample("ArrayNotContains(['a'])", 'strings', (o) => cv.ArrayNotContains(['a'], o), [[], ['b']], [['a'], ['b', 'a']]),
  sample('IsNotEmpty()', 'strings', (o) => cv.IsNotEmpty(o), [[], ['a']], []),
];

const onRecords: readonly ValidatorSample[] = [
  sample('IsObject()', 'record', (o) => cv.IsObject(o), [{}, { a: 1 }], []),
  sample('IsNotEmptyObject()', 'record', (o) => cv.IsNotEmptyObject({}, o), [{ a: 1 }], [{}]),
  sample(
    'IsNotEmptyObject({ nullable: false })',
    'record',
    (o) => cv.IsNotEmptyObject({ nullable: false }, o),
    [{ a: 1 }],
    [{}],
  ),
  sample('IsInstance(Object)', 'record', (o) => cv.IsInstance(Object, o), [{}, { a: 1 }], []),
  sample('IsDefined()', 'record', (o) => cv.IsDefined(o), [{}, { a: 1 }], []),
];

/** Every decorator of class-validator for properties other than texts. */
export const otherSamples = [...onNumbers, ...onOthers, ...onLists, ...onRecords];
