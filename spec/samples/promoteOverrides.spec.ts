import { createApplication, Prompt, Section } from 'toolwright';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { ScriptedModel } from 'toolwright/testing';
import { answerText, defineEval, promptRun } from '@toolwright/evals';
import { promoteOverrides } from '../../samples/45-evals/promoteOverrides.js';

@Section({ title: 'Tone', template: 'Answer.' })
class ToneSection {}

@Prompt({ ns: 'samples', key: 'tone', sections: [ToneSection] })
class Tone {}

const polite = { sections: { tone: { body: 'Answer politely.' } } };

/** Compares a draft on some tasks. The script is polite when its prompt says so. */
async function promote(count: number, draft: object) {
  const app = await createApplication({ prompts: [Tone], overrides: new InMemoryOverridesStore() });
  const prompt = app.prompt(Tone);
  await prompt.overrides.write(draft, { tag: 'draft' });
  const tasks = Array.from({ length: count }, (_, at) => {
    return { id: `task ${at}`, input: 'Hello.', expected: { text: 'Good day.' } };
  });
  const { comparison, written } = await promoteOverrides(prompt, 'draft', (overridesTag) =>
    defineEval<string>({
      name: 'tone',
      version: overridesTag,
      tasks,
      run: promptRun<string>({
        app,
        prompt: Tone,
        adapter: () =>
          new ScriptedModel([
            ({ messages }) => ({ text: String(messages[0]?.content).includes('politely') ? 'Good day.' : 'Hi.' }),
          ]),
        options: { overridesTag },
      }),
      score: { text: answerText() },
    }),
  );
  const current = await prompt.overrides.read({ tag: 'latest' });
  await app.close();
  return { difference: comparison.overall.difference, written, body: current?.sections?.['tone']?.body };
}

test('promoteOverrides writes overrides that an eval has found better', async () => {
  expect(await promote(8, polite)).toEqual({ difference: 1, written: true, body: 'Answer politely.' });
});

test('promoteOverrides leaves the current overrides when the tasks are too few to tell', async () => {
  expect(await promote(3, polite)).toEqual({ difference: 1, written: false, body: undefined });
});

test('promoteOverrides leaves the current overrides when the candidate is not better', async () => {
  const draft = { sections: { tone: { body: 'Answer briefly.' } } };
  expect(await promote(8, draft)).toEqual({ difference: 0, written: false, body: undefined });
});
