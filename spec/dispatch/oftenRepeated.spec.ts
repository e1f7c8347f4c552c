import { createApplication, definePrompt, defineSection, defineTool, type Message, Param, Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { recordBundle } from 'toolwright/bundles';
import { SecretTexts } from '../../src/dispatch/redact/SecretTexts.js';
import { HELD_MS, leastPause } from '../support/hostPause';

class Access {
  @Param({ description: 'A secret', secret: true }) s!: string;
  @Param('A text') t!: string;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function desk() {
  const sign = defineTool({ name: 'sign', description: 'Signs.', params: Access, handler: ({ t }) => t.slice(0, 40) });
  const Desk = definePrompt({
    ns: 'spec',
    key: 'often',
    sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Work.', tools: [sign] })],
  });
  const app = await createApplication({ prompts: [Desk], logger: silent });
  return { app, prompt: app.prompt(Desk) };
}

const args = JSON.stringify({ s: 'abcd', t: 'abcd'.repeat(100_000) });
const answers = (calls: number) => [
  {
    toolCalls: Array.from({ length: calls }, (_none, index) => ({
      id: `c${String(index)}`,
      name: 'sign',
      arguments: args,
    })),
  },
  { text: 'done' },
];
const messages: readonly Message[] = [{ role: 'user', content: 'go' }];

describe('HOST-14h a short secret that an argument repeats a hundred thousand times', () => {
  const run = (calls: number) => ({ adapter: new ScriptedModel(answers(calls)), session: new Session(), messages });

  test('a short secret is searched for once for the events of a stream, and once for its transcript', async () => {
    const { app, prompt } = await desk();
    const transcripts: unknown[] = [];
    const searches = jest.spyOn(SecretTexts.prototype, 'hideSecrets');
    try {
      for await (const step of app.stream(prompt, run(1)))
        if (step.kind === 'done') transcripts.push(step.response.transcript);
      expect(searches.mock.calls.filter(([text]) => text.length > 1_000).length).toBeLessThanOrEqual(2);
    } finally {
      searches.mockRestore();
    }
  });

  test('a short secret that is repeated some thousands of times hides the text as a whole', async () => {
    const { app, prompt } = await desk();
    const { transcript } = await app.evaluate(prompt, run(1));
    const shown = JSON.stringify(transcript);
    expect(shown).toContain('[secret][secret]');
    expect(shown).not.toContain('abcd');
    expect(shown.length).toBeLessThan(50_000);
  });

  test('a short secret that is repeated a hundred thousand times does not hold the host', async () => {
    const { app, prompt } = await desk();
    recordBundle(app);
    const transcripts: unknown[] = [];
    const pause = await leastPause(async () => {
      for await (const step of app.stream(prompt, run(1)))
        if (step.kind === 'done') transcripts.push(step.response.transcript);
    }, 8);
    expect(pause).toBeLessThanOrEqual(HELD_MS);
  });
});
