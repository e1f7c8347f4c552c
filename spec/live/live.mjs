// `node spec/live/live.mjs`: a short conversation with each provider whose key is in the environment, through the built package. It checks
// what no local double can prove: that the provider takes each request, and that each begins with the one before.
//
//   ANTHROPIC_API_KEY=… node spec/live/live.mjs --anthropic-model claude-opus-5-5 --anthropic-price 5,0.5,6.25,25
//
// A price is given in dollars for a million tokens: input, read from the cache, written to the cache, output.
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.mjs';
import { fail } from '../../scripts/process.mjs';

const OUTPUT_TOKENS = 2_048;

const providers = [
  {
    name: 'anthropic',
    key: 'ANTHROPIC_API_KEY',
    model: 'claude-sonnet-5-5',
    async adapter(model) {
      const { default: Anthropic } = await import('@anthropic-ai/sdk');
      const { AnthropicAdapter } = await import('@toolwright/anthropic');
      // Thinking is bound to all that precedes it, and a request that changed any of it gets 400.
      const parameters = { thinking: { type: 'adaptive' }, diagnostics: {} };
      return new AnthropicAdapter({ client: new Anthropic(), model, maxTokens: OUTPUT_TOKENS, parameters });
    },
  },
  {
    name: 'openai',
    key: 'OPENAI_API_KEY',
    model: 'gpt-5.6-luna',
    async adapter(model) {
      const { default: OpenAI } = await import('openai');
      const { OpenAIResponsesAdapter } = await import('@toolwright/openai');
      const parameters = { max_output_tokens: OUTPUT_TOKENS, prompt_cache_key: 'toolwright-live' };
      return new OpenAIResponsesAdapter({ client: new OpenAI(), model, parameters });
    },
  },
];

const given = readOptions();
let failures = 0;
for (const provider of providers) {
  const { name, key } = provider;
  if ((process.env[key] ?? '') === '') console.log(`absent: ${name} (no key)`);
  else failures += await check(provider, given[`${name}-model`] ?? provider.model, priceOf(name));
}
process.exitCode = failures === 0 ? 0 : 1;

/** Runs the conversation and prints what was found; returns the number of failed checks. */
async function check({ name, adapter }, model, price) {
  await build();
  const { liveConversation, MOST_REQUESTS } = await import('./liveConversation.mjs');
  console.log(`${name}: ${model}, at most ${MOST_REQUESTS} answers of at most ${OUTPUT_TOKENS} output tokens each`);
  const { requests, checks, streamed } = await liveConversation(await adapter(model));
  for (const [index, request] of requests.entries()) console.log(`  ${lineOf(request, index + 1)}`);
  console.log(`  streamed in ${streamed} parts`);
  console.log(`  ${totals(requests, price)}`);
  for (const { what, problem } of checks)
    console.log(problem === undefined ? `  ok      ${what}` : `  FAILED  ${what}: ${problem}`);
  const failed = checks.filter(({ problem }) => problem !== undefined).length;
  console.log(`${name}: ${checks.length - failed} checks passed, ${failed} failed`);
  return failed;
}

function lineOf({ run, turn, measured, usage = {} }, number) {
  const { keptBytes, newBytes, changedBytes, brokenAt, changedParameters, cacheMiss } = measured;
  const broken = brokenAt === undefined ? '' : ` from ${brokenAt} on`;
  const parts = [
    `request ${number} (message ${run}, turn ${turn}): ${keptBytes} bytes kept, ${newBytes} new, ${changedBytes} changed${broken}`,
    `input ${told(usage.inputTokens)}, of it read from the cache ${told(usage.cachedInputTokens)}, written to it ${told(usage.cacheWriteTokens)}`,
    `output ${told(usage.outputTokens)}`,
    ...(changedParameters.length === 0 ? [] : [`other parameters: ${changedParameters.join(', ')}`]),
    ...(cacheMiss === undefined ? [] : [`the provider says of its cache: ${cacheMiss}`]),
  ];
  return parts.join('; ');
}

function told(tokens) {
  return tokens === undefined ? 'not told' : String(tokens);
}

function totals(requests, price) {
  const sum = (field) => requests.reduce((total, { usage }) => total + (usage?.[field] ?? 0), 0);
  const [input, cached] = [sum('inputTokens'), sum('cachedInputTokens')];
  const [written, output] = [sum('cacheWriteTokens'), sum('outputTokens')];
  const tokens = `tokens: ${input} input (${cached} read from the cache, ${written} written to it), ${output} output`;
  if (price === undefined) return tokens;
  const [perInput, perCached, perWritten, perOutput] = price;
  const plain = Math.max(0, input - cached - written);
  const cost = (plain * perInput + cached * perCached + written * perWritten + output * perOutput) / 1_000_000;
  return `${tokens}; about $${cost.toFixed(4)}`;
}

function readOptions() {
  const options = Object.fromEntries(
    providers.flatMap(({ name }) => [`${name}-model`, `${name}-price`].map((option) => [option, { type: 'string' }])),
  );
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(
      `${error.message}\nOptions: ${Object.keys(options)
        .map((option) => `--${option}`)
        .join(', ')}`,
    );
  }
}

function priceOf(name) {
  const text = given[`${name}-price`];
  if (text === undefined) return undefined;
  const price = text.split(',').map(Number);
  if (price.length !== 4 || !price.every((part) => part >= 0))
    fail(`--${name}-price takes four numbers: input, read from the cache, written to it, output; e.g. 3,0.3,3.75,15`);
  return price;
}
