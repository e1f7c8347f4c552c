import { remedies } from '../../src/error/remedies';
import { createFinding } from '../../src/error/Finding.js';
import { PromptValidationError } from '../../src/error/PromptError.js';

describe('finding', () => {
  test("finding takes the code's remedy unless a better one is given", () => {
    expect(createFinding('E311', 'the title is empty', { place: 'OrdersSection' })).toEqual({
      code: 'E311',
      problem: 'the title is empty',
      place: 'OrdersSection',
      remedy: remedies.E311,
    });
    expect(createFinding('E311', 'x', { place: 'y', remedy: 'Do this.' }).remedy).toBe('Do this.');
  });

  test('finding keeps everything else that is known', () => {
    const details = {
      place: 'OrdersSection.getOrder',
      className: 'OrdersSection',
      member: 'getOrder',
      sectionPath: 'orders',
      toolName: 'get_order',
      paramsType: 'GetOrderParams',
      placeholder: 'description',
    };
    expect(createFinding('E102', 'the description is empty', details)).toMatchObject(details);
  });

  test('finding reads as two lines: code, place, problem; then what to do and where to read on', () => {
    const found = createFinding('E104', 'the name is used twice', { place: 'OrdersSection.getOrder' });
    expect(new PromptValidationError([found]).message).toBe(
      '1 fault in the declarations:\n\nE104 OrdersSection.getOrder: the name is used twice\n' +
        '  fix: Give one of them another name with @Tool({ name }). (docs/errors.md#e104)',
    );
  });
});
