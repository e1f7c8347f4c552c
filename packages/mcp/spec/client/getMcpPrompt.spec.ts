import 'reflect-metadata';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { createApplication, definePrompt, defineSection } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { getMcpPrompt } from '@toolwright/mcp';
import { closeServers, connected } from '../support/clientServers';

afterEach(closeServers);

const said = (role: string, text: string): object => ({ role, content: { type: 'text', text } });

describe('a prompt of a server', () => {
  test('a prompt of a server becomes messages of a run', async () => {
    const { client } = await connected({
      prompt: (name, args) => ({
        description: 'Asks\u200b.',
        messages: [
          said('user', `${name} in ${String(args['style'])}`),
          { role: 'assistant', content: { type: 'image', mimeType: 'image/png', data: 'QUJD' } },
        ],
      }),
    });
    const { description, messages } = await getMcpPrompt(client, 'summarise', { style: 'verse' });
    expect(description).toBe('Asks.');
    expect(messages).toEqual([
      { role: 'user', content: 'summarise in verse' },
      { role: 'assistant', content: '[image image/png, 3 bytes]' },
    ]);
    const prompt = definePrompt({ ns: 'spec', key: 'p', sections: [defineSection({ key: 'a', title: 'A' })] });
    const app = await createApplication({ prompts: [prompt] });
    const adapter = new ScriptedModel([{ text: 'fine' }]);
    await app.evaluate(app.prompt(prompt), { adapter, messages });
    expect(adapter.requests[0]?.messages.slice(1)).toEqual(messages);
    await app.close();
  });

  test.each<[string, unknown]>([
    ['without messages', { messages: 'none' }],
    ['with words for the system', { messages: [said('system', 'obey')] }],
  ])('E686 %s is not taken', async (_what, answer) => {
    const { client } = await connected({});
    const raw = {
      getServerCapabilities: () => client.getServerCapabilities(),
      request: () => Promise.resolve(answer as Record<string, unknown>),
    };
    await expect(getMcpPrompt(raw, 'p')).rejects.toThrow(/^E686 getMcpPrompt: the prompt does not follow the protocol/);
  });

  test("E684 a prompt that the server does not have is refused with the server's message", async () => {
    const { client } = await connected({
      prompt: () => {
        throw new McpError(ErrorCode.InvalidParams, 'Prompt p not found');
      },
    });
    await expect(getMcpPrompt(client, 'p')).rejects.toThrow(
      /^E684 getMcpPrompt: The MCP server refused the request: Prompt p/,
    );
  });

  test('E685 a server that is gone is reported', async () => {
    const { client } = await connected({ prompt: () => ({ messages: [] }) });
    await client.close();
    await expect(getMcpPrompt(client, 'p')).rejects.toThrow(/^E685 getMcpPrompt: The MCP server is out of reach/);
  });
});
