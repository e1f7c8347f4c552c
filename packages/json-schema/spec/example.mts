import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';

const Question = jsonSchema<{ city: string; days?: number }>({
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, default: 3 } },
  required: ['city'],
  additionalProperties: false,
});
const forecast = defineTool({
  name: 'forecast',
  description: 'Forecast for a city.',
  params: Question,
  handler: ({ city, days }) => `${city}: ${String(days)} dry days`,
});
const weather = defineSection({ key: 'weather', title: 'Weather', template: 'Tell the weather.', tools: [forecast] });
const desk = definePrompt({ ns: 'weather', key: 'desk', sections: [weather] });

const app = await createApplication({ prompts: [desk] });
const prompt = await app.prompt(desk).render();
for (const args of [{ city: 'Oslo' }, { city: 'Oslo', days: 0 }]) {
  const { text } = await app.invoke(prompt, 'forecast', args);
  console.log(text);
}
