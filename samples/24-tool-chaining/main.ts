// Shows the model the types of results, or hides them: how one program can use them, and how a wrong program is refused.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { defineTool, Field, Param } from 'toolwright';
import { Toolkit } from '@toolwright/programs';

class WeatherParams {
  @Param('City name') location!: string;
}

class WeatherResult {
  @Field('City name') location!: string;
  @Field('Degrees Celsius') temp!: number;
  @Field('One word, such as rain') condition!: string;
}

class SearchParams {
  @Param('What to look for') query!: string;
}

const readOnly = { readOnly: true } as const;

function toolsWith(declaresResults: boolean) {
  return [
    defineTool({
      name: 'get_weather',
      description: 'Get current weather for a location.',
      params: WeatherParams,
      ...(declaresResults ? { result: WeatherResult } : {}),
      hints: readOnly,
      handler: ({ location }) => Object.assign(new WeatherResult(), { location, temp: 14, condition: 'rain' }),
    }),
    defineTool({
      name: 'search_products',
      description: 'Search the product catalogue.',
      params: SearchParams,
      ...(declaresResults ? { result: { array: String } } : {}),
      hints: readOnly,
      handler: ({ query }) => [`${query} S`, `${query} L`],
    }),
  ];
}

const right = `const weather = await get_weather({ location: "London" });
const query = weather.temp > 20 ? "sunglasses" : "umbrella";
return (await search_products({ query }))[0];`;

const wrong = right.replace('weather.temp ', 'weather.temperature ');

async function main(): Promise<void> {
  // Off, which is the default: the texts are the same as for tools without results, byte for byte.
  const off = await Toolkit.from(toolsWith(true));
  const bare = await Toolkit.from(toolsWith(false));
  assert.deepEqual(
    [off.prompt(), off.toolPrompt(), off.toolSchema('openai')],
    [bare.prompt(), bare.toolPrompt(), bare.toolSchema('openai')],
  );

  // On: the model sees that there is a temp, so that one program can branch on it.
  const kit = await Toolkit.from(toolsWith(true), { assistToolChaining: true });
  const [, declarations = ''] = /```ts\n(.*)\n```/s.exec(kit.prompt()) ?? [];
  console.log(declarations);
  const result = await kit.execute(right);
  console.log(`\n${result.toModelText()}`);
  assert.equal(result.returnValue, 'umbrella S');

  // A name that the result does not have is found before anything runs, whether or not the model was shown the type.
  for (const toolkit of [kit, off]) {
    const refused = await toolkit.execute(wrong);
    assert.equal(refused.error?.kind, 'type');
    assert.equal(refused.error.line, 2);
    assert.match(refused.toModelText(), /\btemp\b/);
    assert.deepEqual(refused.toolCalls, []);
    if (toolkit === kit) console.log(`\n${refused.toModelText()}`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
