import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';

test('the inputs of examples come with a request, as a model would write them; tools without are said to have none', async () => {
  class FindParams {
    @Param('From which day on') since!: Date;
    @Param({ description: 'Of which kind', optional: true, type: String }) kindOf?: string;
  }
  const input = Object.assign(new FindParams(), { since: new Date('2026-01-02T00:00:00.000Z'), kindOf: 'a' });
  @Section({ title: 'Desk', template: 'Work.' })
  class Desk {
    @Tool({ description: 'Find it.', examples: [{ description: 'Since January', input, output: null }] })
    find(_params: FindParams) {}

    @Tool({ description: 'Look.', examples: [{ description: 'Just so', input: null, output: null }] })
    look() {}
  }
  @Prompt({ ns: 'a', key: 'desk', sections: [Desk] })
  class DeskPrompt {}
  const app = await createApplication({ prompts: [DeskPrompt], fieldNames: 'snake_case' });
  const adapter = new ScriptedModel([{ text: 'Done.' }]);
  await app.evaluate(app.prompt(DeskPrompt), { adapter });
  const [request] = adapter.requests;
  expect(request?.toolExamples?.('find')).toEqual([{ since: '2026-01-02T00:00:00.000Z', kind_of: 'a' }]);
  expect(request?.toolExamples?.('look')).toEqual([]);
  expect(request?.toolExamples?.('toString')).toEqual([]);
  // The prompt shows the very same.
  const shown = JSON.stringify(request?.toolExamples?.('find')[0]);
  expect(request?.messages[0]?.content).toContain(`- Since January: \`find(${shown})\``);
});
