import Anthropic from '@anthropic-ai/sdk';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { KEY } from '../support/client';
import { messagesWire } from '../support/wire';
import { answer, ProviderDouble } from '../../../openai/spec/support/ProviderDouble';

describe('a run over HTTP, against recorded answers', () => {
  class Booked {
    constructor(readonly room: string) {}
  }

  async function house() {
    @Section({ title: 'Rooms', template: 'Book rooms.' })
    class Rooms {
      @Tool('Book a room.') book(@Param('room', 'Room') room: string, context: ToolContext) {
        context.session.dispatch(new Booked(room));
        return `Booked ${room}.`;
      }
    }
    @Prompt({ ns: 'a', key: 'house', sections: [Rooms] })
    class House {}
    const app = await createApplication({ prompts: [House] });
    return { app, prompt: app.prompt(House), session: new Session() };
  }

  const calls = ['attic', 'cellar'].map((room, index) => ({
    id: `toolu_${String(index)}`,
    name: 'book',
    arguments: JSON.stringify({ room }),
  }));
  const script = [answer({ content: 'I book both.', toolCalls: calls }), answer({ content: 'Both are booked.' })];

  test.each([
    ['in one piece', 1_000],
    ['streamed', 100_000],
  ])('%s: text, parallel calls, the answer, usage', async (_name, maxTokens) => {
    const { app, prompt, session } = await house();
    const double = await ProviderDouble.speaking(messagesWire, ...script);
    try {
      const client = new Anthropic({ apiKey: KEY, baseURL: double.baseURL, maxRetries: 0 });
      const adapter = new AnthropicAdapter({ client, model: 'claude-sonnet-5', maxTokens });
      const { text, usage, transcript } = await app.evaluate(prompt, { adapter, session });
      expect(text).toBe('Both are booked.');
      expect(usage).toBeDefined();
      expect(transcript[1]).toMatchObject({
        content: 'I book both.',
        toolCalls: [{ id: 'toolu_0' }, { id: 'toolu_1' }],
      });
      expect(session.slice(Booked).all()).toEqual([new Booked('attic'), new Booked('cellar')]);
      expect(double.requests.map(({ problems }) => problems)).toEqual([[], []]);
      expect(double.left).toBe(0);
    } finally {
      await double.stop();
    }
  });
});
