import { createApplication, type Logger, Prompt, Section, Session, Tool, ToolRefusal } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { serveMcp } from '@toolwright/mcp';
import { clientOf, closeAll } from '../support/serverKit';

afterEach(closeAll);

const SECRET = 'connect ECONNREFUSED 10.0.0.7:5432 as user "app"';

@Section({ title: 'Rooms', template: 'Rooms.' })
class Rooms {
  @Tool('Find a room.')
  findRoom(): string {
    throw new Error(SECRET);
  }
  @Tool('Book a room.')
  bookRoom(): string {
    throw new ToolRefusal('It is taken.');
  }
}

@Prompt({ ns: 'test', key: 'house', sections: [Rooms] })
class House {}

async function house() {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  const logger: Logger = { debug: () => {}, info: () => {}, warn: write, error: write };
  const app = await createApplication({ prompts: [House], logger, maskErrors: true });
  return { app, prompt: app.prompt(House), lines };
}

test('an MCP client reads the id of an error, which the log has in one line', async () => {
  const { app, prompt, lines } = await house();
  const client = await clientOf(serveMcp(app, prompt));
  const failed = await client.callTool({ name: 'find_room', arguments: {} });
  expect(failed).toMatchObject({ isError: true });
  const text = JSON.stringify(failed);
  expect(text).not.toContain('ECONNREFUSED');
  const id = /The call of find_room failed \(error ([\w-]+)\)/.exec(text)?.[1];
  expect(lines).toEqual([`Tool find_room failed (error ${String(id)}): ${SECRET}`]);
  const refused = await client.callTool({ name: 'book_room', arguments: {} });
  expect(refused).toMatchObject({ content: [{ type: 'text', text: 'It is taken.' }] });
});

test('neither stream, transcript, conversation nor the next request has the message of an error', async () => {
  const { app, prompt } = await house();
  const script = [{ toolCalls: [{ name: 'find_room', arguments: {} }] }, { text: 'It failed.' }];
  const requests: unknown[] = [];
  const model = new ScriptedModel(script);
  const adapter = {
    name: 'recorded',
    complete: (request: Parameters<typeof model.complete>[0]) => {
      requests.push(request.messages);
      return model.complete(request);
    },
  };
  const conversation = new Conversation();
  const messages = [{ role: 'user', content: 'Find a room.' }] as const;
  const texts: unknown[] = [];
  for await (const event of app.stream(prompt, { adapter, messages, conversation, session: new Session() })) {
    if (event.kind === 'outcome') texts.push(event);
    if (event.kind === 'done') texts.push(event.response.transcript);
  }
  const seen = JSON.stringify([texts, requests, conversation.log.entries]);
  expect(seen).toContain('The call of find_room failed (error ');
  expect(seen).not.toContain('ECONNREFUSED');
});
