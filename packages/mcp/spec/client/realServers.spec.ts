import 'reflect-metadata';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, definePrompt } from 'toolwright';
import { getMcpPrompt, mcpSection, toolkitFromMcp } from '@toolwright/mcp';
import { QuickJsSandbox } from '@toolwright/programs';
import { ToolProgressed } from 'toolwright/events';
import { closeServers, serverEntries, startServer } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

jest.setTimeout(120_000);
const sandbox = new QuickJsSandbox({ workers: 1 });
afterEach(closeServers);
afterAll(() => sandbox.close());

describe('the server with everything', () => {
  test('the server with everything is bridged whole, but for what runs as a task', async () => {
    const { client } = await startServer([serverEntries.everything, 'stdio']);
    const warnings: string[] = [];
    const logger = { ...silent, warn: (message: string) => warnings.push(message) };
    const kit = await toolkitFromMcp(client, { sandbox, logger, check: 'syntax' });
    const { tools } = await client.listTools();
    const bridged = [...kit].map(({ metadata }) => metadata.remoteName);
    expect(tools.map(({ name }) => name).filter((name) => !bridged.includes(name))).toEqual([
      'simulate-research-query',
    ]);
    expect(warnings).toEqual([
      expect.stringContaining('"simulate-research-query" is left out: it runs as a task only'),
    ]);
    const result = await kit.execute(`
      const [said, sum, weather] = await Promise.all([
        echo({ message: 'hi' }), get_sum({ a: 1, b: 2 }), get_structured_content({ location: 'New York' }),
      ]);
      const image = await get_tiny_image();
      const text = await query_dynamic_text_resource({ resourceId: '1' });
      const blob = await query_Dynamic_Blob_Resource({ resourceId: '2' });
      const links = await get_resource_links({ count: 2 });
      return { said, sum, weather: Object.keys(weather), image: [image.length, image[1].type, typeof image[1].bytes],
        text: typeof text, blob: [blob.type, blob.uri, typeof blob.bytes], links: links.map((link) => link.type ?? 'text') };
    `);
    expect([result.error, result.returnValue]).toEqual([
      null,
      {
        said: 'Echo: hi',
        sum: 'The sum of 1 and 2 is 3.',
        weather: ['temperature', 'conditions', 'humidity'],
        image: [3, 'image', 'number'],
        text: 'string',
        blob: ['resource', 'demo://resource/dynamic/blob/2', 'number'],
        links: ['text', 'resource_link', 'resource_link'],
      },
    ]);
    expect(kit.get('get-structured-content').returnSchema).toMatchObject({
      type: 'object',
      required: expect.any(Array) as unknown,
    });
    await kit.close();
  });

  test('a call reports progress, is cancelled, and is refused by its schema before it is sent', async () => {
    const { client } = await startServer([serverEntries.everything, 'stdio']);
    const names = ['trigger-long-running-operation', 'get-sum'];
    const remote = await mcpSection(client, { key: 'remote', title: 'Remote', names, logger: silent });
    const prompt = definePrompt({ ns: 'spec', key: 'everything', sections: [remote] });
    const app = await createApplication({ prompts: [prompt], logger: silent });
    const rendered = await app.prompt(prompt).render();
    const reports: unknown[] = [];
    const long = await app.invoke(
      rendered,
      'trigger-long-running-operation',
      { duration: 1, steps: 2 },
      {
        onEvent: (event) => {
          if (event instanceof ToolProgressed) reports.push(event.fraction);
        },
      },
    );
    // The last report comes together with the answer, and may be too late.
    expect([long.kind, reports[0]]).toEqual(['succeeded', 0.5]);
    const giving = new AbortController();
    const endless = app.invoke(
      rendered,
      'trigger-long-running-operation',
      { duration: 600 },
      { signal: giving.signal },
    );
    giving.abort(new Error('enough'));
    await expect(endless).rejects.toThrow('enough');
    expect((await app.invoke(rendered, 'get-sum', { a: '1', b: 2 })).kind).toBe('rejected');
    expect((await app.invoke(rendered, 'get-sum', { a: 1, b: 2 })).text).toBe('The sum of 1 and 2 is 3.');
    await app.close();
  });

  test('the server with everything returns its prompts as messages', async () => {
    const { client } = await startServer([serverEntries.everything, 'stdio']);
    const { messages } = await getMcpPrompt(client, 'args-prompt', { city: 'Oslo', state: 'Norway' });
    expect(messages).toEqual([{ role: 'user', content: expect.stringContaining('Oslo, Norway') as unknown }]);
    await expect(getMcpPrompt(client, 'no-such-prompt')).rejects.toThrow(/^E684 /);
  });
});

describe('the server of files', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-mcp-')));
    await writeFile(join(folder, 'a.txt'), 'alpha\n');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('the server of files is read and written by a program that is checked for types', async () => {
    const { client } = await startServer([serverEntries.filesystem, folder]);
    const kit = await toolkitFromMcp(client, { sandbox, logger: silent, check: 'types' });
    const path = (name: string): string => JSON.stringify(join(folder, name));
    const result = await kit.execute(`
      const { content } = await read_text_file({ path: ${path('a.txt')} });
      await write_file({ path: ${path('b.txt')}, content: content.toUpperCase() });
      const listed = await list_directory({ path: ${JSON.stringify(folder)} });
      return listed.content.split('\\n').sort();
    `);
    expect([result.error, result.returnValue]).toEqual([null, ['[FILE] a.txt', '[FILE] b.txt']]);
    expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('ALPHA\n');
    await kit.close();
  });

  test('the server of files says itself why it refuses a path outside of its folder', async () => {
    const { client } = await startServer([serverEntries.filesystem, folder]);
    const kit = await toolkitFromMcp(client, { sandbox, logger: silent, check: 'syntax', names: ['read_text_file'] });
    const result = await kit.execute(
      'return await read_text_file({ path: "/etc/passwd" }).catch(({ message }) => message)',
    );
    expect(result.returnValue).toMatch(/^Access denied - path outside allowed directories/);
    expect(result.toolCalls).toMatchObject([{ name: 'read_text_file', status: 'error' }]);
    await kit.close();
  });
});
