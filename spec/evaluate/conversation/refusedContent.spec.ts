import {
  type ContentPart,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type Message,
  ToolResult,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import type { OpenHouse } from '../../support/houses';
import { EVERY_HOUSE, runHouse } from '../../support/runningHouses';
import { silent } from '../../support/silent';

jest.setTimeout(30_000);

const data = Buffer.from('bytes').toString('base64');
const tiff: ContentPart = { kind: 'image', mediaType: 'image/tiff', data };
const audio: ContentPart = { kind: 'audio', mediaType: 'audio/wav', data };
const png: ContentPart = { kind: 'image', mediaType: 'image/png', data };

const scan = defineTool({
  name: 'scan',
  description: 'Scans.',
  handler: () => ToolResult.ok(null, 'The scan.', { parts: [png, tiff, audio] }),
});
const desk = definePrompt({
  ns: 'spec',
  key: 'content',
  sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: [scan] })],
});

async function deskAt(openHouse: OpenHouse) {
  const house = await runHouse(openHouse);
  const app = await createApplication({ prompts: [desk], logger: silent });
  const conversation = new Conversation({ session: 'apart' });
  const run = (options: Partial<EvaluateOptions>) =>
    app.evaluate(app.prompt(desk), { adapter: house.adapter(), conversation, ...options });
  return { house, conversation, run, say: (message: Partial<Message>) => run({ messages: [user(message)] }) };
}

const user = (message: object): Message => ({ role: 'user', content: 'Look!', ...message });

describe.each(EVERY_HOUSE)('%s: content that the provider does not take', (_name, openHouse) => {
  test.each<[string, ContentPart]>([
    ['an image of an unknown type', tiff],
    ['audio', audio],
    [
      'the address of an image of an unknown type',
      { kind: 'image', mediaType: 'image/tiff', url: 'https://a.b/c.tiff' },
    ],
  ])('a part of a user that the provider refuses does not enter the record: %s', async (_what, part) => {
    const { house, conversation, run, say } = await deskAt(openHouse);
    house.play({ text: 'Hello.' }, { text: 'Yes.' });
    await say({});
    const before = conversation.toJSON().entries.length;
    await expect(say({ parts: [part] })).rejects.toMatchObject({ code: 'E724' });
    await expect(run({ conversation: undefined, messages: [user({ parts: [part] })] })).rejects.toMatchObject({
      code: 'E724',
    });
    expect(conversation.toJSON().entries).toHaveLength(before);
    expect(house.bodies()).toHaveLength(1);
    expect((await say({ parts: [png] })).text).toBe('Yes.');
    expect(house.faults()).toEqual([]);
  });

  test('a part of a tool is replaced by a text that says so, in this run and in each later one', async () => {
    const { house, say } = await deskAt(openHouse);
    house.play({ calls: [{ name: 'scan', arguments: {} }] }, { text: 'A scan.' }, { text: 'Yes.' });
    expect((await say({})).text).toBe('A scan.');
    await say({});
    expect(house.faults()).toEqual([]);
    const sent = JSON.stringify(house.bodies().at(-1));
    expect(sent).toContain('[image image/tiff, 5 bytes: left out, since this model cannot read it]');
    expect(sent).toContain('[audio audio/wav, 5 bytes: left out, since this model cannot read it]');
    expect(sent).toContain('image/png');
  });

  test('a part that another model took is replaced by a text', async () => {
    const { house, run, say } = await deskAt(openHouse);
    const other = new ScriptedModel([{ text: 'I hear you.' }]);
    await run({ adapter: other, messages: [user({ parts: [audio] })] });
    house.play({ text: 'Yes.' });
    await say({});
    expect(house.faults()).toEqual([]);
    expect(JSON.stringify(house.bodies())).toContain('audio/wav, 5 bytes: left out');
  });

  test.each<[string, object]>([
    ['an empty text', { content: '' }],
    ['a blank text', { content: ' \n\t' }],
    ['a blank text and a blank part', { content: ' ', parts: [{ kind: 'text', text: '\n' }] }],
  ])('%s of a user is refused, and not recorded', async (_what, message) => {
    const { house, conversation, say } = await deskAt(openHouse);
    await expect(say(message)).rejects.toMatchObject({ code: 'E412' });
    expect(conversation.toJSON().entries).toEqual([]);
    expect(house.bodies()).toEqual([]);
  });

  test('a run without a message says so, and not in the words of a user', async () => {
    const { house, run } = await deskAt(openHouse);
    house.play({ text: 'Hello.' }, { text: 'Yes.' });
    await run({});
    await run({ messages: [user({})] });
    expect(JSON.stringify(house.bodies())).not.toContain('Begin.');
    expect(house.faults()).toEqual([]);
  });
});
