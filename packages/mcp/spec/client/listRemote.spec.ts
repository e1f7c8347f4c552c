import 'reflect-metadata';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'toolwright';
import { type McpConnection, mcpSection, toolkitFromMcp } from '@toolwright/mcp';
import { closeServers, connected } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

function listening(): { readonly logger: Logger; readonly warnings: string[] } {
  const warnings: string[] = [];
  return { warnings, logger: { ...silent, warn: (message) => warnings.push(message) } };
}

async function namesOf(pages: (cursor: string | undefined) => Record<string, unknown>, logger = silent) {
  const { client, asked } = await connected({ pages });
  const kit = await toolkitFromMcp(client, { logger });
  const names = [...kit].map(({ name }) => name);
  await kit.close();
  return { names, asked };
}

describe('the lists of a server', () => {
  test('lists of a server are read to their last page', async () => {
    const { names, asked } = await namesOf((cursor) =>
      cursor === undefined
        ? { tools: [{ name: 'a' }], nextCursor: '2' }
        : cursor === '2'
          ? { tools: [{ name: 'b' }], nextCursor: '' }
          : { tools: [{ name: 'c' }] },
    );
    expect(names).toEqual(['a', 'b', 'c']);
    expect(asked.map(([, { cursor }]) => cursor)).toEqual([undefined, '2', '']);
  });

  test('a page that was met before ends them', async () => {
    const { names } = await namesOf((cursor) => ({
      tools: [{ name: `of_${cursor ?? 'start'}` }],
      nextCursor: 'again',
    }));
    expect(names).toEqual(['of_start', 'of_again']);
  });

  test('E687 lists without end are cut, and the log says so', async () => {
    const { logger, warnings } = listening();
    let page = 0;
    const { names, asked } = await namesOf(
      () => ({ tools: [{ name: `t${String(page)}` }], nextCursor: String(page++) }),
      logger,
    );
    expect([names.length, asked.length]).toEqual([100, 100]);
    expect(warnings).toEqual([expect.stringMatching(/^E687 MCP bridge: the list of tools\/list is too long/)]);
  });

  test('E687 unusable tools are left out, with name and reason, and all others are there', async () => {
    const { logger, warnings } = listening();
    const good = { name: 'good', inputSchema: { type: 'object', properties: {} } };
    const { names } = await namesOf(
      () => ({
        tools: [
          { name: '' },
          { name: 7 },
          null,
          { name: 'x'.repeat(2_000) },
          { name: 'task', execution: { taskSupport: 'required' } },
          { name: 'text', inputSchema: 'none' },
          { name: 'list', inputSchema: { type: 'array' } },
          { name: 'broken', inputSchema: { type: 'object', properties: { a: { type: 'strange' } } } },
          good,
          { ...good, description: 'Another of the same name.' },
          { ...good, name: 'untyped', outputSchema: { $ref: '#' } },
        ],
      }),
      logger,
    );
    expect(names).toEqual(['good', 'untyped']);
    expect(warnings.map((line) => line.replace(/^E687 MCP bridge: | \(docs.*$/g, '').slice(0, 130))).toEqual([
      '"" is left out: its name is not a text of 1 to 1,000 characters',
      '"" is left out: its name is not a text of 1 to 1,000 characters',
      expect.stringMatching(/^"x{80}… \(2000 characters\)" is left out/),
      '"task" is left out: it runs as a task only',
      '"text" is left out: its inputSchema is not an object',
      '"list" is left out: its inputSchema cannot be params: the root of the schema in params is not an object, but has "array"',
      expect.stringMatching(/^"broken" is left out: its inputSchema cannot be compiled: /),
      '"good" is left out: its name occurs twice',
      '"outputSchema of untyped" is left out: it refers to itself in a circle',
    ]);
  });

  test('ARG-24 tools whose schemas are traps are left out with the reason, and nothing else is', async () => {
    const { logger, warnings } = listening();
    const references = Array.from({ length: 1_000 }, (_none, index) => [
      `d${String(index)}`,
      { $ref: `#/$defs/d${String((index + 1) % 1_000)}` },
    ]);
    const { names } = await namesOf(
      () => ({
        tools: [
          { name: 'nested', inputSchema: { type: 'object', $defs: Object.fromEntries(references) as object } },
          { name: 'cyclic', inputSchema: { type: 'object', allOf: [{ $ref: '#' }] } },
          { name: 'external', inputSchema: { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/x' } } } },
          { name: 'good' },
        ],
      }),
      logger,
    );
    expect(names).toEqual(['good']);
    expect(warnings).toEqual([
      expect.stringContaining('"nested" is left out: its inputSchema refers to other schemas more than 500 times'),
      expect.stringContaining('"cyclic" is left out: its inputSchema refers to itself in a circle'),
      expect.stringContaining(
        '"external" is left out: its inputSchema refers to "http://127.0.0.1:9/x", which is not in it',
      ),
    ]);
  });

  test('resources of one name are distinguished', async () => {
    const { client } = await connected({
      tools: [{ name: 'read_c' }],
      resources: [
        { name: 'c', uri: 'x://1' },
        { name: 'c', uri: 'x://2' },
      ],
      read: (uri) => ({ contents: [{ uri, text: uri }] }),
    });
    const kit = await toolkitFromMcp(client, { logger: silent });
    expect(new Set([...kit].map(({ name }) => name)).size).toBe(3);
    await kit.close();
  });

  test('E687 an invalid template is left out', async () => {
    const { logger, warnings } = listening();
    const { client } = await connected({
      resources: [{ name: 'empty', uri: '' }],
      templates: [{ name: 'open', uriTemplate: 'a/{b' }],
    });
    const kit = await toolkitFromMcp(client, { logger, extraTools: [] }).catch((error: unknown) => error);
    expect(kit).toBeDefined();
    expect(warnings.map((line) => /"\w+" is left out: [^(]*/.exec(line)?.[0].trim())).toEqual([
      '"empty" is left out: its URI is not a text of 1 to 4,000 characters',
      '"open" is left out: its uriTemplate is not a template of RFC 6570',
    ]);
  });

  test('a server that knows no templates has none', async () => {
    const { client } = await connected({ resources: [{ name: 'c', uri: 'x://c' }] });
    const strict: McpConnection = {
      getServerCapabilities: () => client.getServerCapabilities(),
      request: (request, schema, options) =>
        request.method === 'resources/templates/list'
          ? Promise.reject(new McpError(ErrorCode.MethodNotFound, 'Method not found'))
          : (client as McpConnection).request(request, schema, options),
    };
    const kit = await toolkitFromMcp(strict, { logger: silent });
    expect([...kit].map(({ name }) => name)).toEqual(['read_c']);
    await kit.close();
  });

  test.each<[string, () => Record<string, unknown>, RegExp]>([
    [
      'refuses',
      () => {
        throw new McpError(ErrorCode.InternalError, 'no\u001b[2J');
      },
      /tools\/list failed: The MCP server refused the request: no\n/,
    ],
    ['answers wrongly', () => ({ tools: 'all' }), /the answer to tools\/list holds no list of tools/],
  ])('E681 a server that %s cannot be bridged', async (_what, pages, message) => {
    const { client } = await connected({ pages });
    const made = mcpSection(client, { key: 'remote', title: 'Remote', logger: silent });
    await expect(made).rejects.toThrow(/^E681 MCP bridge: /);
    await expect(mcpSection(client, { key: 'remote', title: 'Remote', logger: silent })).rejects.toThrow(message);
  });

  test('MCP-09 a server that never lists anything is given up', async () => {
    const { client } = await connected({});
    const silentServer: McpConnection = {
      getServerCapabilities: () => client.getServerCapabilities(),
      request: (_request, _schema, options) =>
        new Promise((_resolve, reject) => {
          setTimeout(() => {
            reject(new McpError(ErrorCode.RequestTimeout, 'Request timed out'));
          }, options?.timeout);
        }),
    };
    const made = mcpSection(silentServer, { key: 'remote', title: 'Remote', logger: silent, callTimeoutMs: 50 });
    await expect(made).rejects.toThrow(/^E681 .*tools\/list failed: The MCP server did not answer in time\./);
  });
});
