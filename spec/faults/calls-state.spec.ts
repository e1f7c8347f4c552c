import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  ToolResult,
  type Application,
  type Constructor,
} from 'toolwright';
import { silent } from '../support/silent.js';

/** The text that the model reads of a call of the tool `act`. */
async function textOf(act: Constructor): Promise<string> {
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const app: Application = await createApplication({ prompts: [Desk], logger: silent });
  const { text } = await app.invoke(await app.prompt(Desk).render(), 'act', {});
  return text;
}

describe('CALL-12 what a result means to whom', () => {
  test('an error takes any value, whatever type the tool declares', async () => {
    const find = (id: string): ToolResult<string> =>
      id === '' ? ToolResult.error('No such order.', { value: { closest: ['#W1'] } }) : ToolResult.ok(id);
    const act = defineTool({ name: 'act', description: 'Acts.', result: String, handler: () => find('') });
    expect(await textOf(act)).toBe('No such order.\n\n{"closest":["#W1"]}');
  });
});
