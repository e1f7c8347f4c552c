import { createServer } from 'node:http';
import { createApplication, defineSection, definePrompt, defineTool } from 'toolwright';
import { serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../spec/support/silent';
import { clientOf, closeAll, listenOnLoopback } from '../support/serverKit';
import { ask, call, textOf } from '../support/statelessKit';

afterEach(closeAll);

async function serve() {
  let isOpen = true;
  const tool = (name: string, description: string) => defineTool({ name, description, handler: () => `Did ${name}.` });
  const prompt = definePrompt({
    ns: 'test',
    key: 'office',
    search: true,
    sections: [
      defineSection({ key: 'money', title: 'Money', searchable: true, tools: [tool('pay', 'Pays an invoice.')] }),
      defineSection({
        key: 'safe',
        title: 'Safe',
        searchable: true,
        enabled: () => isOpen,
        tools: [tool('open_safe', 'Opens the safe.')],
      }),
      defineSection({
        key: 'refunds',
        title: 'Refunds',
        summary: 'How customers get money back.',
        visibility: 'summary',
        template: 'Within 30 days.',
        tools: [tool('refund', 'Pays an order back.')],
      }),
    ],
  });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const server = serveMcp(app, app.prompt(prompt));
  const client = async () => {
    const each = await clientOf(server);
    return {
      names: async () => (await each.listTools()).tools.map(({ name }) => name),
      call: async (name: string, args: Record<string, unknown> = {}) => {
        const { content, isError } = await each.callTool({ name, arguments: args });
        return [(content as readonly { readonly text: string }[])[0]?.text, isError ?? false];
      },
    };
  };
  const stateless = () => listenOnLoopback(createServer((request, response) => void server.handler(request, response)));
  return { client, stateless, close: () => void (isOpen = false) };
}

describe('a served prompt with search', () => {
  test('a search adds the found tools for this client alone', async () => {
    const { client } = await serve();
    const [one, other] = [await client(), await client()];
    expect(await one.names()).toEqual(['open_sections', 'search_tools']);
    expect(await one.call('search_tools', { query: 'invoice' })).toEqual(['Tools that can be called now: pay.', false]);
    expect(await one.names()).toEqual(['pay', 'open_sections', 'search_tools']);
    expect(await one.call('pay')).toEqual(['Did pay.', false]);
    expect(await other.names()).toEqual(['open_sections', 'search_tools']);
    await expect(other.call('pay')).rejects.toMatchObject({ code: -32602 });
  });

  test('a search opens a section with its text, and finds nothing that is disabled', async () => {
    const { client, close } = await serve();
    const one = await client();
    const [opened] = await one.call('search_tools', { query: 'money back for customers' });
    expect(opened).toContain('Within 30 days.');
    expect(await one.call('refund')).toEqual(['Did refund.', false]);
    close();
    expect(await one.call('search_tools', { query: 'safe' })).toEqual([
      expect.stringContaining('Nothing that is available matches "safe"'),
      false,
    ]);
  });

  test('over HTTP without sessions, tools that are to be found are listed, and a search and a call stand alone', async () => {
    const { stateless, close } = await serve();
    const url = await stateless();
    const names = async (): Promise<unknown> => {
      const { result } = await ask(url, 'tools/list');
      return (result as { tools?: readonly { name: string }[] }).tools?.map(({ name }) => name);
    };
    expect(await names()).toEqual(['open_sections', 'search_tools', 'pay', 'open_safe', 'refund']);
    const search = await call(url, 'search_tools', { arguments: { query: 'invoice' } });
    expect(textOf(search)).toBe('Tools that can be called now: pay.');
    expect(search.result).toMatchObject({ structuredContent: { content: 'Tools that can be called now: pay.' } });
    expect(textOf(await call(url, 'pay'))).toBe('Did pay.');
    close();
    expect(await names()).toEqual(['open_sections', 'search_tools', 'pay', 'refund']);
  });

  test('arguments that are no query fail the search, and add nothing', async () => {
    const { client } = await serve();
    const one = await client();
    expect(await one.call('search_tools', { query: 7 })).toEqual([expect.stringContaining('query'), true]);
    expect(await one.names()).toEqual(['open_sections', 'search_tools']);
  });
});
