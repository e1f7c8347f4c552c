import { ToolResult } from 'toolwright';

describe('ToolResult', () => {
  test('ToolResult.ok takes a value and a message, each with a default', () => {
    const order = { id: '#W1' };
    expect(ToolResult.ok(order, 'Order found.')).toEqual({
      message: 'Order found.',
      value: order,
      success: true,
      excludeValueFromContext: false,
    });
    expect(ToolResult.ok(order).value).toBe(order);
    expect(ToolResult.ok()).toEqual({ message: 'OK', value: null, success: true, excludeValueFromContext: false });
  });

  test.each([0, '', false, Number.NaN])('ok: %p is a value, not its absence', (value) => {
    expect(ToolResult.ok<unknown>(value).value).toBe(value);
  });

  test('error: a message, and a value if there is one', () => {
    expect(ToolResult.error('No order #W9.')).toEqual({
      message: 'No order #W9.',
      value: null,
      success: false,
      excludeValueFromContext: false,
    });
    expect(ToolResult.error('Too many.', { value: 12 }).value).toBe(12);
  });

  test('new: only the message is needed', () => {
    expect(new ToolResult({ message: '' })).toEqual(ToolResult.ok(null, ''));
    const hidden = new ToolResult({ message: 'Saved.', value: 1, success: false, excludeValueFromContext: true });
    expect(hidden).toEqual({ message: 'Saved.', value: 1, success: false, excludeValueFromContext: true });
    const left = { message: 'x', value: undefined, success: undefined, excludeValueFromContext: undefined };
    expect(new ToolResult(left)).toEqual(ToolResult.ok(null, 'x'));
  });

  test.each<[string, unknown, string]>([
    ['an error', new Error('No stock.'), 'No stock.'],
    ['a number', 5, '5'],
    ['an object', {}, 'an object'],
  ])('a message that is %s becomes text', (_what, message, text) => {
    expect(ToolResult.error(message as string).message).toBe(text);
    expect(ToolResult.ok(1, message as string).message).toBe(text);
  });

  test('a ToolResult is immutable, but does not freeze its value', () => {
    const rows = [1];
    const result = ToolResult.ok(rows, 'Rows.');
    for (const change of [
      () => Object.assign(result, { message: 'Other.' }),
      () => Object.assign(result, { added: true }),
      () => delete (result as { success?: boolean }).success,
    ]) {
      expect(change).toThrow(TypeError);
    }
    expect(result).toEqual(ToolResult.ok([1], 'Rows.'));
    rows.push(2);
    expect(result.value).toEqual([1, 2]);
  });

  test('instanceof knows results, and rejects objects that look like one', () => {
    expect(ToolResult.ok() instanceof ToolResult).toBe(true);
    expect(ToolResult.error('x') instanceof ToolResult).toBe(true);
    expect(new ToolResult({ message: 'x' }) instanceof ToolResult).toBe(true);
    const alike = { message: 'OK', value: null, success: true, excludeValueFromContext: false };
    for (const value of [
      alike,
      Object.assign({}, ToolResult.ok()),
      null,
      undefined,
      'OK',
      ToolResult,
      () => ToolResult.ok(),
    ]) {
      expect(value instanceof ToolResult).toBe(false);
    }
  });
});
