import { type ApplicationOptions, createApplication, definePrompt, defineSection } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { PromptExecuted } from 'toolwright/events';

const type = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S' })] });
const prices = { 'scripted (not a model)': { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 3 } };

describe('CALL-07 the cost of a run', () => {
  test('a run costs its tokens at the prices of the model, cached ones at their own; the event has the cost as well', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 600, cacheWriteTokens: 100 };
    const app = await createApplication({ prompts: [type], prices });
    const events: PromptExecuted[] = [];
    app.eventBus.subscribe(PromptExecuted, (event) => void events.push(event));
    const response = await app.evaluate(app.prompt(type), { adapter: new ScriptedModel([{ text: 'x', usage }]) });
    expect(response.cost).toBeCloseTo((300 * 2 + 600 * 0.5 + 100 * 3 + 100 * 10) / 1_000_000, 12);
    expect(events).toMatchObject([{ cost: response.cost, usage: response.usage }]);
  });

  test('thinking that a provider counts in the total alone is charged as output', async () => {
    const usage = { inputTokens: 12, outputTokens: 2, totalTokens: 354 };
    const app = await createApplication({ prompts: [type], prices });
    const { cost } = await app.evaluate(app.prompt(type), { adapter: new ScriptedModel([{ text: 'x', usage }]) });
    expect(cost).toBeCloseTo((12 * 2 + 342 * 10) / 1_000_000, 12);
  });

  test('CALL-07 the cost of a run is undefined where a request did not report its tokens, and without a price', async () => {
    const app = await createApplication({ prompts: [type], prices });
    const silent = await app.evaluate(app.prompt(type), { adapter: new ScriptedModel([{ text: 'x' }]) });
    expect(silent).toMatchObject({ usage: undefined, cost: undefined, requests: [undefined] });
    const other = await createApplication({ prompts: [type], prices: { 'openai:m': { input: 1, output: 1 } } });
    const usage = { inputTokens: 1, outputTokens: 1 };
    const { cost } = await other.evaluate(other.prompt(type), { adapter: new ScriptedModel([{ text: 'x', usage }]) });
    expect(cost).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['no table', 3, 'prices is the number 3'],
    ['no price', { m: null }, 'prices["m"] is null'],
    ['no output', { m: { input: 1 } }, 'prices["m"].output is undefined'],
    ['a price below zero', { m: { input: -1, output: 1 } }, 'prices["m"].input is the number -1'],
    ['a price without end', { m: { input: 1, output: Infinity } }, 'prices["m"].output is'],
    ['a misspelt price', { m: { input: 1, output: 1, cached: 1 } }, 'there is no option "cached"'],
  ])('E312 a table of prices is refused: %s', async (_name, wrong, problem) => {
    const options = { prompts: [type], prices: wrong } as ApplicationOptions;
    await expect(createApplication(options)).rejects.toThrow(problem);
  });
});
