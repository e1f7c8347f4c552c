import { ToolwrightError } from 'toolwright';
import { remedies } from '../../src/error/remedies';
import { formatMessage } from '../../src/error/ToolwrightError.js';

describe('ToolwrightError', () => {
  test('ToolwrightError carries code, place and remedy, and is an Error with its own name', () => {
    const error = new ToolwrightError('It is not bound.', { code: 'E901', place: 'OrderStore' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ToolwrightError',
      message: 'It is not bound.',
      code: 'E901',
      place: 'OrderStore',
      remedy: remedies.E901,
    });
    expect('cause' in error).toBe(false);
    expect(error.stack).toContain('ToolwrightError.spec');
  });

  test('ToolwrightError keeps a cause and a remedy of its own', () => {
    const cause = new RangeError('no connection');
    const error = new ToolwrightError('x', { code: 'E904', cause, remedy: 'Connect first.' });
    expect(error.cause).toBe(cause);
    expect(error.remedy).toBe('Connect first.');
    expect(error.place).toBeUndefined();
  });

  test('a subclass bears its own name', () => {
    class StockError extends ToolwrightError {}
    expect(new StockError('x', { code: 'E604' }).name).toBe('StockError');
  });

  test('instanceof knows instances and nothing else', () => {
    class StockError extends ToolwrightError {}
    const base = new ToolwrightError('x', { code: 'E604' });
    expect(new StockError('x', { code: 'E604' }) instanceof ToolwrightError).toBe(true);
    expect([base instanceof ToolwrightError, base instanceof StockError]).toEqual([true, false]);
    for (const value of [new Error('x'), { code: 'E604' }, null, undefined, 'E604', ToolwrightError, StockError]) {
      expect(value instanceof ToolwrightError).toBe(false);
    }
  });
});

describe('report', () => {
  test('a report names code, place, problem, remedy and the page', () => {
    expect(formatMessage('it is empty', { code: 'E311', place: 'OrdersSection' })).toBe(
      'E311 OrdersSection: it is empty\n  fix: Set @Section({ title }). (docs/errors.md#e311)',
    );
  });

  test('a report needs no place, and may have a remedy of its own', () => {
    expect(formatMessage('it is empty', { code: 'E311', remedy: 'Fill it.' })).toBe(
      'E311: it is empty\n  fix: Fill it. (docs/errors.md#e311)',
    );
  });
});
