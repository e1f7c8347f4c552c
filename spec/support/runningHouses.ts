import { openAiSdk, openAnthropic, openResponses, type House, type OpenHouse } from './houses';

/** Every API that binds thoughts to what came before, with each adapter for it. */
export const EVERY_HOUSE: [string, OpenHouse][] = [
  ['Anthropic', openAnthropic()],
  ['OpenAI Responses', openResponses()],
  ['AI SDK, Anthropic', openAiSdk('anthropic.messages', 'claude-opus-5-5')],
  ['AI SDK, OpenAI Responses', openAiSdk('openai.responses', 'gpt-5.6-terra')],
];

const running: House[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((house) => house.stop()));
});

/** Opens a house, and stops it after the test. */
export async function runHouse(openHouse: OpenHouse): Promise<House> {
  const house = await openHouse();
  running.push(house);
  return house;
}
