import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ResultPage, ResultsSection } from 'toolwright/sections';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { silent } from '../../support/silent';

const TEXT = `a${'😀'.repeat(3_000)}z`;

async function desk() {
  const fetch = defineTool({ name: 'fetch', description: 'Fetches.', hints: { readOnly: true }, handler: () => TEXT });
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Fetch.', tools: [fetch] });
  const type = definePrompt({ ns: 'spec', key: 'results', sections: [section, ResultsSection] });
  const app = await createApplication({ prompts: [type], logger: silent });
  return { app, prompt: app.prompt(type) };
}

/** What the model reads of calls with these arguments, after its history was shortened. */
async function read(...given: readonly object[]): Promise<readonly string[]> {
  const { app, prompt } = await desk();
  const conversation = new Conversation();
  const history = { maxTokens: 4_000, summarise: () => 'Much.', spillAbove: 200 };
  const ask = async (script: readonly ScriptStep[]) => {
    const messages = [{ role: 'user', content: 'Go on.' }] as const;
    const adapter = new ScriptedModel(script);
    await app.evaluate(prompt, { adapter, conversation, history, messages });
  };
  await ask([{ toolCalls: [{ name: 'fetch', arguments: {} }] }, { text: 'Yes.' }]);
  const calling: ScriptStep = ({ messages }) => {
    const handle = /read_result reads on: handle (\S+),/.exec(messages.map(({ content }) => content).join('\n'))?.[1];
    return { toolCalls: given.map((more) => ({ name: 'read_result', arguments: { handle, ...more } })) };
  };
  await ask([calling, { text: 'Done.' }]);
  return conversation.messages.flatMap((message) =>
    message.role === 'tool' && message.name === 'read_result' ? [message.content] : [],
  );
}

describe('read_result', () => {
  test('read_result reads parts that follow each other and halve no character', async () => {
    const [first = '', second = '', last = ''] = await read(
      { limit: 4 },
      { offset: 3, limit: 4 },
      { offset: 6_000, limit: 10_000 },
    );
    expect(first).toMatch(/^1\.1\.0-[0-9a-f]{8}, characters 0 to 3 of 6002\. Continue with offset 3\.\na😀$/);
    expect(second).toMatch(/, characters 3 to 7 of 6002\. Continue with offset 7\.\n😀😀$/);
    // Between the halves of a character, it begins with the whole.
    expect(last).toMatch(/, characters 5999 to 6002 of 6002\.\n😀z$/);
  });

  test('read_result says where the text ends, and reads no more than 10,000 characters', async () => {
    const [beyond, tooMuch, tooSmall] = await read({ offset: 7_000 }, { limit: 10_001 }, { offset: -1 });
    expect(beyond).toMatch(/^The result 1\.1\.0-[0-9a-f]{8} has 6002 characters\. Choose a smaller offset\.$/);
    expect(tooMuch).toContain('limit');
    expect(tooSmall).toContain('offset');
  });

  test('a call that belongs to no run is refused', async () => {
    const { app, prompt } = await desk();
    const { kind, text } = await app.invoke(await prompt.render(), 'read_result', { handle: '1.1.0-00000000' });
    expect([kind, text]).toEqual(['failed', expect.stringContaining('belongs to no conversation')]);
  });

  test('a page advances by a whole character, however small its limit', () => {
    for (let offset = 0; offset < 8;) {
      const page = ResultPage.of('h', 'a😀b😀c', offset, 1);
      expect(page.content).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      expect(page.offset + page.content.length > offset || offset >= 7).toBe(true);
      offset = Math.max(page.offset + page.content.length, offset + 1);
    }
  });
});
