import 'reflect-metadata';
import { evaluateExpression } from '../../../samples/20-retail-desk/calculator/evaluateExpression.js';
import { ExpressionError } from '../../../samples/20-retail-desk/calculator/ExpressionError.js';
import { MoneyService } from '../../../samples/20-retail-desk/services/MoneyService.js';
import { Desk } from './Desk.js';

describe('evaluateExpression', () => {
  test.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['7 / 2', 3.5],
    ['10 - 4 - 3', 3],
    ['2 ** 3 ** 2', 512],
    ['-2 ** 2', -4],
    ['2 ** -1', 0.5],
    ['--3', 3],
    ['2 - -3', 5],
    ['2*-3', -6],
    ['-+-4', 4],
    ['.5 + 7.', 7.5],
    ['00', 0],
    ['01.5', 1.5],
    ['   1   ', 1],
  ])('evaluateExpression reads %s as Python does', (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value);
  });

  test.each([
    ['7 // 2', 3],
    ['-7 // 2', -4],
    ['7 // -2', -4],
    ['-7 // -2', 3],
    ['7.5 // 2', 3],
    ['-7.5 // 2', -4],
    ['1 // 0.1', 9],
  ])('division floors %s towards minus infinity', (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value);
  });

  test.each([
    ['9007199254740993 - 9007199254740992', 1],
    ['10 ** 400 // 10 ** 399', 10],
    ['10 ** 40 / 10 ** 38', 100],
    ['12345678901234567890 / 3', 4115226300411522600],
    ['-1 ** 99999999999', -1],
    ['(-1) ** 99999999998', 1],
    ['0 ** 0', 1],
  ])('evaluateExpression keeps the whole numbers of %s exact', (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value);
  });

  test.each([
    ['', 'ends too early'],
    ['   ', 'ends too early'],
    ['1 +', 'ends too early'],
    ['()', 'a number is missing at position 2'],
    ['* 2', 'a number is missing at position 1'],
    ['2 *** 3', 'a number is missing at position 5'],
    ['2 3', 'an operator is missing before position 3'],
    ['2 (3)', 'an operator is missing before position 3'],
    ['(1)(2)', 'an operator is missing before position 4'],
    ['1.5.2', 'an operator is missing before position 4'],
    ['1)', 'an operator is missing before position 2'],
    ['((1)', 'the parenthesis at position 1 is not closed'],
    ['007', 'must not begin with 0'],
    ['.', 'unexpected "."'],
    ['1e5', 'unexpected "e"'],
    ['1,5', 'unexpected ","'],
    ['5 % 2', 'unexpected "%"'],
    ['process.exit()', 'unexpected "p"'],
    ['1 / 0', 'division by zero'],
    ['1 // 0', 'division by zero'],
    ['1 / 0.0', 'division by zero'],
    ['0 ** -1', 'zero cannot be raised'],
    ['(-8) ** 0.5', 'no real fractional power'],
    ['9 ** 9 ** 9', 'too large'],
    ['10.0 ** 400', 'too large'],
    ['10 ** 400', 'too large'],
    ['10 ** 400 + 0.5', 'too large'],
    ['9'.repeat(400) + '.0', 'too large'],
    ['1'.repeat(10_001), 'longer than 10000'],
    ['('.repeat(300) + '1' + ')'.repeat(300), 'nested deeper than 200'],
    ['1' + '**1'.repeat(300), 'nested deeper than 200'],
  ])('evaluateExpression refuses %s', (expression, message) => {
    expect(() => evaluateExpression(expression)).toThrow(ExpressionError);
    expect(() => evaluateExpression(expression)).toThrow(message);
  });

  test('a long row of signs is no nesting', () => {
    expect(evaluateExpression(`${'-'.repeat(5_000)}1`)).toBe(1);
  });
});

describe('rounding to cents', () => {
  test.each([
    [2.675, 2.67],
    [1.005, 1],
    [0.125, 0.12],
    [0.375, 0.38],
    [0.625, 0.62],
    [0.875, 0.88],
    [-0.125, -0.12],
    [-0.375, -0.38],
    [10_000_000.125, 10_000_000.12],
    [54.04 - 46.85, 7.19],
    [-0.001, 0],
    [1e300, 1e300],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('the amount %d is rounded to %d', (amount, rounded) => {
    expect(new MoneyService().round(amount)).toBe(rounded);
  });
});

describe('the tool calculate', () => {
  test.each([
    ['2.675', 2.67],
    ['0.125', 0.12],
    ['0.375', 0.38],
    ['-0.125', -0.12],
    ['10 / 3', 3.33],
    ['19.99 * 3', 59.97],
  ])('the tool calculate evaluates %s to %d', async (expression, value) => {
    const desk = await Desk.open();
    expect(await desk.value('calculate', { expression })).toBe(value);
  });

  test('an invalid expression is refused with what to correct', async () => {
    const desk = await Desk.open();
    expect(await desk.refusal('calculate', { expression: '2 +' })).toBe(
      'This expression cannot be evaluated: it ends too early. Correct it and call again.',
    );
  });

  test('a value that is not an expression at all is an argument error', async () => {
    const desk = await Desk.open();
    expect(await desk.refusal('calculate', { expression: 5 })).toContain('expression');
  });
});
