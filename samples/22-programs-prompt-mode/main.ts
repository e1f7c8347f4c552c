// The model writes one program that calls many tools, as plain text.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { toolFrom, Toolkit } from '@toolwright/programs';

/**
 * Get current weather for a location.
 *
 * @param location - City name
 * @param unit - Unit of the temperature
 */
function getWeather(
  location: string,
  unit = 'celsius',
): { location: string; temp: number; unit: string; condition: string } {
  return { location, temp: 22, unit, condition: 'sunny' };
}

function searchProducts(query: string, limit = 5): readonly { id: number; name: string; price: number }[] {
  return Array.from({ length: limit }, (_none, index) => ({
    id: index,
    name: `${query} #${index}`,
    price: index * 10,
  }));
}

// An existing function becomes a tool, described by its comment; its types are declared again, since they do not exist at run
// time.
const weather = toolFrom(getWeather, {
  params: { location: String, unit: { default: 'celsius' } },
  hints: { readOnly: true },
  doc: `Get current weather for a location.

    Args:
      location: City name
      unit: Unit of the temperature`,
});
const products = toolFrom(searchProducts, {
  params: { query: String, limit: { type: 'integer', default: 5 } },
  hints: { readOnly: true },
  description: 'Search the product catalogue.',
  returnSchema: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
});

// A script plays the model. This might be a model's answer to a system prompt that contains `kit.prompt()`.
const answer = `I look at the weather first, and then for what goes with it.

\`\`\`ts
const { condition, temp } = await get_weather({ location: "Oslo" });
const [hats, glasses] = await Promise.all([
  search_products({ query: "hat", limit: 1 }),
  search_products("sunglasses", 2),
]);
console.log(\`\${condition}, \${temp} degrees\`);
return [...hats, ...glasses].map((product) => product.name);
\`\`\`

That is what I would pack.`;

async function main(): Promise<void> {
  // Called as before.
  assert.equal(weather('Rome', 'kelvin').unit, 'kelvin');

  await using kit = await Toolkit.from([weather, products]);
  const tool = kit.get('get_weather');
  console.log(`${tool.name}: ${tool.description}`);
  console.log(tool.signature);

  const { code } = kit.extractCode(answer);
  assert.ok(code !== null);
  const result = await kit.execute(code);
  console.log(`\n--- What the model reads ---\n${result.toModelText()}`);
  console.log('\n--- What the host sees ---');
  for (const { name, args, status, line } of result.toolCalls)
    console.log(`${status} line ${line ?? '?'}: ${name}(${JSON.stringify(args)})`);
  assert.deepEqual(result.returnValue, ['hat #0', 'sunglasses #0', 'sunglasses #1']);

  // Mistakes are reported with their line in the program, and a fix.
  const failed = await kit.execute('const weather = get_weather({ location: "Oslo" });\nreturn weather.temp + 1;');
  console.log(`\n--- A mistake ---\n${failed.toModelText()}`);
  assert.equal(failed.status, 'failed');
  assert.deepEqual(failed.toolCalls, []);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
