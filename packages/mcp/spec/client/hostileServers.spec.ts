import { setTimeout as sleep } from 'node:timers/promises';
import 'reflect-metadata';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { join } from 'node:path';
import { type Application, createApplication, definePrompt, type RenderedPrompt } from 'toolwright';
import { McpCallError, mcpSection, toolkitFromMcp } from '@toolwright/mcp';
import { QuickJsSandbox } from '@toolwright/programs';
import { closeServers, startServer } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';
import { collectGarbage } from '../../../../spec/session/collectGarbage';

jest.setTimeout(120_000);
const sandbox = new QuickJsSandbox({ workers: 1 });
afterEach(closeServers);
afterAll(() => sandbox.close());

const hostile = join(__dirname, '../support/clientHostile.mjs');

async function deskOf(
  given: string | (() => Promise<Client>),
): Promise<{ readonly app: Application; readonly rendered: RenderedPrompt }> {
  const source = typeof given === 'string' ? (await startServer([hostile, given])).client : given;
  const remote = await mcpSection(source, { key: 'remote', title: 'Remote', logger: silent, callTimeoutMs: 30_000 });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  return { app, rendered: await app.prompt(prompt).render() };
}

const MOST_HELD = 20_000_000;

/** Bytes that this process still needs: engines release the others at their own time. */
function held(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const codeOf = (error: unknown): string => {
  const { cause } = Object(error) as { readonly cause?: unknown };
  return cause instanceof McpCallError ? cause.code : 'no McpCallError';
};

describe('MCP-09 a server that', () => {
  test('MCP-09 a server that is killed in the middle of a call: a failed result, and so for every later call', async () => {
    const { app, rendered } = await deskOf('dies');
    for (const _time of [1, 2]) {
      const outcome = await app.invoke(rendered, 'q', {});
      expect([outcome.kind, 'error' in outcome && codeOf(outcome.error)]).toEqual(['failed', 'E685']);
      expect(outcome.text).toContain('The MCP server is out of reach.');
    }
    await app.close();
  });

  test('MCP-09 a server that died is reached again if a function reconnects, and not before', async () => {
    const ways = ['dies', 'nothing there', 'babbles'];
    const connect = async (way: string): Promise<Client> => {
      if (way === 'nothing there') throw new Error(`no ${hostile}`);
      return (await startServer([hostile, way])).client;
    };
    let open: Promise<Client> | undefined;
    const current = (): Promise<Client> => {
      const forget = (): void => {
        open = undefined;
      };
      open ??= connect(ways[0] ?? '').then((client) => Object.assign(client, { onclose: forget }));
      open.catch(forget);
      return open;
    };
    const { app, rendered } = await deskOf(current);
    const kinds: string[] = [];
    for (const _way of ['dies', 'nothing there', 'babbles']) {
      const { kind, text } = await app.invoke(rendered, 'q', {});
      expect(text).not.toContain(hostile);
      kinds.push(kind);
      ways.shift();
    }
    expect(kinds).toEqual(['failed', 'failed', 'succeeded']);
    await app.close();
  });

  test('MCP-09 a server that floods with 100 MB: a failed result, and nothing of it is held', async () => {
    const { app, rendered } = await deskOf('floods');
    const before = held();
    const outcome = await app.invoke(rendered, 'q', {});
    expect([outcome.kind, 'error' in outcome && codeOf(outcome.error)]).toEqual(['failed', 'E685']);
    // Its pipe is closed in the background, which takes longer on a busy machine.
    for (let waited = 0; held() - before >= MOST_HELD && waited < 50; waited++) await sleep(100);
    // As bytes, as text and as a value it would be three times 100 MB.
    expect(held() - before).toBeLessThan(MOST_HELD);
    await app.close();
  });

  test('MCP-09 a server that sends invalid messages is still heard when it sends a valid one', async () => {
    const { app, rendered } = await deskOf('babbles');
    expect((await app.invoke(rendered, 'q', {})).text).toBe('at last');
    await app.close();
  });

  test('a server that never answers does not outlast the program that asks it', async () => {
    const { client } = await startServer([hostile, 'hangs']);
    const kit = await toolkitFromMcp(client, {
      sandbox,
      logger: silent,
      check: 'syntax',
      each: () => ({ timeoutMs: 300 }),
    });
    const caught = await kit.execute('return await q().catch(({ message }) => message)');
    expect(caught.returnValue).toContain('300 ms');
    await kit.close();
    const hasty = await toolkitFromMcp(client, { sandbox, logger: silent, check: 'syntax', timeoutMs: 3_000 });
    const ended = await hasty.execute('return await q()');
    expect([ended.status, ended.toolCalls.map(({ status }) => status)]).toEqual(['timed_out', ['cancelled']]);
    await hasty.close();
  });
});
