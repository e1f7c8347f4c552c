import { createApplication, definePrompt, defineSection, defineTool, PromptValidationError } from 'toolwright';
import { rejection } from '../dispatch/desk.js';
import { silent } from '../support/silent.js';

function created(names: readonly string[]) {
  const tools = names.map((name) => defineTool({ name, description: 'Does it.', handler: () => 'done' }));
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Help.', summary: 'Short.', tools });
  return createApplication({ prompts: [definePrompt({ ns: 'n', key: 'k', sections: [section] })], logger: silent });
}

/** The suggestions for the names that are refused, in their order. */
async function suggestionsFor(names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const error = await rejection(created(names));
  if (!(error instanceof PromptValidationError)) throw new Error('the names were not refused', { cause: error });
  expect(error.findings.every(({ code }) => code === 'E101')).toBe(true);
  return error.findings.map(({ remedy }) => /"([^"]*)"/.exec(remedy)?.[1]);
}

describe('TRACE-15a a tool name that is refused comes with a legal one', () => {
  test.each([
    ['get-Order!', 'get_order'],
    ['getOrder', 'get_order'],
    ['Get Order', 'get_order'],
    ['orders.get/one', 'orders_get_one'],
    ['d\u0435lete_file', 'delete_file'],
    ['\uff47\uff45\uff54', 'get'],
    ['\u212aelvin', 'kelvin'],
    ['größe', 'grosse'],
    ['zero\u200bwidth', 'zerowidth'],
    ['get\n', 'get'],
    ['a'.repeat(65), 'a'.repeat(64)],
    [`${'a'.repeat(63)}!b`, 'a'.repeat(63)],
    ['', 'tool'],
    ['茶', 'tool'],
    ['openSections', 'open_sections_2'],
  ])('%j: %s, which is then taken', async (name, suggestion) => {
    expect(await suggestionsFor([name])).toEqual([suggestion]);
    await expect(created([suggestion])).resolves.toBeDefined();
  });

  test('names of others are never suggested, nor the same one twice', async () => {
    const names = ['get_order', 'getOrder', 'get-Order!', 'get order'];
    const suggestions = await suggestionsFor(names);
    expect(suggestions).toEqual(['get_order_2', 'get_order_3', 'get_order_4']);
    await expect(created(['get_order', ...suggestions.map(String)])).resolves.toBeDefined();
  });
});
