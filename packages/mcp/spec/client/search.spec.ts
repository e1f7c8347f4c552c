import 'reflect-metadata';
import { createApplication, definePrompt, Session } from 'toolwright';
import { Conversation, FoundTools } from 'toolwright/conversations';
import { expectStablePrefix, ScriptedModel } from 'toolwright/testing';
import { followMcp, mcpSection } from '@toolwright/mcp';
import { closeServers, connected, text } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

const tool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
});
const office = (): ReturnType<typeof tool>[] => [
  ...Array.from({ length: 40 }, (_, at) => tool(`archive${String(at)}`, `Archives drawer ${String(at)}.`)),
  tool('payInvoice', 'Pays an invoice.'),
];
const search = (query: string) => ({ name: 'search_tools', arguments: { query, limit: 1 } });
const call = (name: string) => ({ name, arguments: { subject: 'I-7' } });
const options = { key: 'remote', title: 'Remote', searchable: true, logger: silent };
const done = (name: string): ReturnType<typeof text> => text(`Did ${name}.`);

async function deskOf(section: new () => object) {
  const type = definePrompt({ ns: 'spec', key: 'desk', search: true, sections: [section] });
  const app = await createApplication({ prompts: [type], logger: silent });
  return { app, prompt: app.prompt(type) };
}

describe('a search over the tools of a server', () => {
  test('a tool of a server is found and called, the server gets one call, and the prefix holds', async () => {
    const { client, asked } = await connected({ tools: office(), call: done });
    const { app, prompt } = await deskOf(await mcpSection(client, options));
    expect((await prompt.render()).tools.map(({ name }) => name)).toEqual(['search_tools']);
    const model = new ScriptedModel([
      { toolCalls: [call('pay_invoice')] },
      { toolCalls: [search('paying invoices')] },
      { toolCalls: [call('pay_invoice')] },
      { text: 'Paid.' },
    ]);
    const session = new Session();
    const { transcript } = await app.evaluate(prompt, {
      adapter: model,
      session,
      conversation: new Conversation(),
      messages: [{ role: 'user', content: 'Pay I-7.' }],
    });
    expect(transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual([
      expect.stringContaining('Call search_tools with its name first'),
      'Tools that can be called now: pay_invoice.',
      'Did payInvoice.',
    ]);
    expect(asked.filter(([method]) => method === 'tools/call').map(([, params]) => params)).toMatchObject([
      { name: 'payInvoice', arguments: { subject: 'I-7' } },
    ]);
    expect(session.slice(FoundTools).latest()?.names).toEqual(['pay_invoice']);
    expect(expectStablePrefix(model.requests).requests).toBe(4);
    await app.close();
  });

  test('two servers with a tool of one name are searched together, and each tool is called on its own server', async () => {
    const one = await connected({ tools: [tool('pay', 'Pays an invoice.')], call: () => text('One.') });
    const two = await connected({ tools: [tool('pay', 'Pays a wage.')], call: () => text('Two.') });
    const type = definePrompt({
      ns: 'spec',
      key: 'two',
      search: true,
      sections: [
        await mcpSection(one.client, { ...options, key: 'one', prefix: 'one' }),
        await mcpSection(two.client, { ...options, key: 'two', prefix: 'two' }),
      ],
    });
    const app = await createApplication({ prompts: [type], logger: silent });
    const model = new ScriptedModel([
      { toolCalls: [search('wage')] },
      { toolCalls: [call('two_pay')] },
      { text: 'Done.' },
    ]);
    const { transcript } = await app.evaluate(app.prompt(type), { adapter: model, messages: [] });
    expect(transcript).toContainEqual(expect.objectContaining({ role: 'tool', content: 'Two.' }));
    expect(one.asked.filter(([method]) => method === 'tools/call')).toEqual([]);
    await app.close();
  });

  test('after a server has changed its list, the new prompt is searched anew, and an older conversation finds what it began with', async () => {
    const tools = office();
    const { client, server } = await connected({ tools, call: done });
    const follower = await followMcp(client, options, deskOf);
    const before = await follower.current();
    const conversation = new Conversation();
    const searching = new ScriptedModel([{ toolCalls: [search('umbrella')] }, { text: 'None.' }]);
    await before.app.evaluate(before.prompt, {
      adapter: searching,
      conversation,
      messages: [{ role: 'user', content: 'Help.' }],
    });

    tools.splice(
      tools.findIndex(({ name }) => name === 'payInvoice'),
      1,
      tool('payInvoice', 'Settles a bill.'),
    );
    tools.push(tool('openUmbrella', 'Opens an umbrella.'));
    await server.sendToolListChanged();
    while (!follower.isStale) await new Promise((resolve) => setTimeout(resolve, 5));
    const after = await follower.current();

    const textsOf = async (to: Conversation): Promise<readonly string[]> => {
      const model = new ScriptedModel([
        { toolCalls: [search('umbrella'), search('settling a bill')] },
        { text: 'Done.' },
      ]);
      await after.app.evaluate(after.prompt, {
        adapter: model,
        conversation: to,
        messages: [{ role: 'user', content: 'Help.' }],
      });
      const messages = model.requests.at(-1)?.messages ?? [];
      return messages.slice(-2).map(({ content }) => String(content));
    };
    expect(await textsOf(new Conversation())).toEqual([
      'Tools that can be called now: open_umbrella.',
      'Tools that can be called now: pay_invoice.',
    ]);
    expect(await textsOf(conversation)).toEqual([
      expect.stringContaining('the tools that match came after this conversation began'),
      'Tools that can be called now: pay_invoice.',
    ]);
    follower.close();
    await Promise.all([before.app.close(), after.app.close()]);
  });
});
