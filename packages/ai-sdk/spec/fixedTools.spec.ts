import { generateText, stepCountIs, type LanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createApplication, Prompt, Section, Tool } from 'toolwright';
import { toAiTools } from '@toolwright/ai-sdk';
import { aiAnswers } from './support/loops';
import { changedEntries } from './support/binding';
import { isJson, type Json } from '../../openai/spec/support/json';

async function toolsOfDesk() {
  @Section({ title: 'Tea', template: 'Make tea.' })
  class Tea {
    @Tool('Boil water.')
    boil(): string {
      return 'It boils.';
    }
    @Tool('Pour it.')
    pour(): string {
      return 'Poured.';
    }
  }
  @Prompt({ ns: 'ai', key: 'tea', sections: [Tea] })
  class TeaDesk {}
  const app = await createApplication({ prompts: [TeaDesk] });
  return {
    tools: toAiTools(app, await app.prompt(TeaDesk).render()),
    again: toAiTools(app, await app.prompt(TeaDesk).render()),
  };
}

function bodiesOf({ doGenerateCalls }: MockLanguageModelV3): readonly Json[] {
  return doGenerateCalls.map(({ prompt, tools }) => {
    const copy: unknown = JSON.parse(JSON.stringify({ messages: prompt, tools }));
    return isJson(copy) ? copy : {};
  });
}

const model = (): MockLanguageModelV3 =>
  new MockLanguageModelV3({ doGenerate: aiAnswers([{ id: 'c', name: 'boil', arguments: '{}' }]) });
const run = (
  over: LanguageModel,
  tools: Awaited<ReturnType<typeof toolsOfDesk>>['tools'],
  active?: readonly string[],
) =>
  generateText({
    model: over,
    tools,
    prompt: 'Tea!',
    stopWhen: stepCountIs(5),
    ...(active === undefined
      ? {}
      : { prepareStep: ({ stepNumber }) => (stepNumber === 0 ? {} : { activeTools: [...active] }) }),
  });

describe('tools in a loop of the AI SDK', () => {
  test('tools in a loop of the AI SDK are the same in each step, which begins with the step before it', async () => {
    const { tools } = await toolsOfDesk();
    const asked = model();
    await run(asked, tools);
    expect(asked.doGenerateCalls).toHaveLength(2);
    expect(changedEntries(bodiesOf(asked))).toBe(0);
  });

  test('tools in a loop of the AI SDK are the same bytes from two renderings of the same state', async () => {
    const { tools, again } = await toolsOfDesk();
    const [first, second] = [model(), model()];
    await run(first, tools);
    await run(second, again);
    expect(JSON.stringify(second.doGenerateCalls[0]?.tools)).toBe(JSON.stringify(first.doGenerateCalls[0]?.tools));
  });

  test('tools in a loop of the AI SDK do not stay the same if the loop names active ones, as the documentation warns', async () => {
    const { tools } = await toolsOfDesk();
    const asked = model();
    await run(asked, tools, ['boil']);
    expect(changedEntries(bodiesOf(asked))).toBe(1);
  });
});
