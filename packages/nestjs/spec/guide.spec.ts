import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';

// Follows docs/nestjs.md from an empty folder: its files are written and changed as it says, compiled and started, and its requests are
// sent, and its page is used where Chromium is installed. Needs dist/, as `npm test` builds it. `npm run -w @toolwright/nestjs cells`
// follows it with other versions and on Fastify.

const root = resolve(__dirname, '../../..');
/** The folder of the installed packages, and the platform to use. */
const { GUIDE_MODULES: modules = join(root, 'node_modules'), GUIDE_PLATFORM: platform = 'express' } = process.env;
const CHROMIUM = '/usr/bin/chromium';
const steps = readFileSync(join(root, 'docs/nestjs.md'), 'utf8')
  .split(/^## /m)
  .filter((section) => /^\d+\. /.test(section));

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-guide-')));
const running = new Set<ChildProcess>();
jest.setTimeout(120_000);

beforeAll(() => {
  const linked = join(folder, 'node_modules');
  mkdirSync(linked);
  const names = readdirSync(modules).filter((entry) => !entry.startsWith('.') && entry !== '@types');
  for (const name of names) symlinkSync(join(modules, name), join(linked, name), 'junction');
  symlinkSync(join(root, 'node_modules/@types'), join(linked, '@types'), 'junction');
  writeManifest({});
});

afterAll(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

function writeManifest(fields: object): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...fields }));
}

/** Runs Node in the project, without the settings of the process that tests. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...inherited } = process.env;
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...inherited, NO_COLOR: '1', ...env } });
  running.add(child);
  return child;
}

async function endAll(): Promise<void> {
  for (const child of running) {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exit;
    }
    running.delete(child);
  }
}

/** With TypeScript 7, which checks the same and is faster. */
async function compile(): Promise<string> {
  const child = start([join(root, 'node_modules/typescript7/bin/tsc'), '-p', '.']);
  let said = '';
  child.stdout?.on('data', (data: Buffer) => (said += data.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  running.delete(child);
  return said;
}

/** The compiled application while it runs. */
interface Served {
  readonly url: string;
  /** Everything that it has printed so far. */
  readonly said: () => string;
}

async function serve(): Promise<Served> {
  const child = start(['dist/main.js'], { PORT: '0' });
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (data: Buffer): void => {
      said += data.toString();
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (url !== undefined) resolve({ url, said: () => said });
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => {
      reject(new Error(said));
    });
  });
}

/** Writes the files of a step, and makes its changes. Returns how many there are. */
function follow(step: string): number {
  const blocks = [...step.matchAll(/^<!-- (file|change|on fastify): (\S+) -->\n```\w+\n([\s\S]*?)^```$/gm)];
  for (const [, kind, path = '', text = ''] of blocks) {
    if (kind === 'on fastify' && platform !== 'fastify') continue;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, kind === 'file' ? text : change(path, readFileSync(file, 'utf8'), text));
  }
  return blocks.length;
}

/** Applies the parts of a diff, each to lines that the file has exactly once. */
function change(path: string, text: string, diff: string): string {
  const linesOf = (part: string, marks: string): string =>
    part
      .split('\n')
      .filter((line) => line === '' || marks.includes(line[0]!))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return diff.split('@@\n').reduce((before, part) => {
    const old = linesOf(part.replace(/\n$/, ''), ' -');
    const places = `\n${before}`.split(`\n${old}`);
    if (places.length !== 2) throw new Error(`${path} has these lines ${String(places.length - 1)} times:\n${old}`);
    return places.join(`\n${linesOf(part.replace(/\n$/, ''), ' +')}`).slice(1);
  }, text);
}

/** A request of the page, and the answer that it shows. */
function questionsIn(step: string): readonly { readonly command: string; readonly answer: string }[] {
  return [...step.matchAll(/```sh\n(curl [^\n]+)\n```\n\n```json\n([^\n]+)\n```/g)].map(
    ([, command = '', answer = '']) => ({ command, answer }),
  );
}

async function ask(url: string, command: string): Promise<string> {
  const [, path = ''] = /localhost:3000(\S*)/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  const [, user] = /-u (\S+)/.exec(command) ?? [];
  const [, body] = /-d '([^']+)'/.exec(command) ?? [];
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(Object.fromEntries(headers) as Record<string, string>),
      ...(user === undefined ? {} : authorize(user.split(':')[0]!)),
    },
    ...(body === undefined ? {} : { body }),
  });
  return response.text();
}

function authorize(user: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}` };
}

test('the guide has steps, files and questions to follow', () => {
  expect(steps).toHaveLength(8);
  expect(steps.flatMap(questionsIn)).toHaveLength(7);
});

describe.each(steps.map((step) => [step.split('\n', 1)[0] ?? '', step]))('step %s', (_title, step) => {
  afterAll(endAll);

  test('its files compile, and the application answers as the guide says', async () => {
    expect(follow(step)).toBeGreaterThan(0);
    expect(await compile()).toBe('');
    const { url } = await serve();
    for (const { command, answer } of questionsIn(step)) expect(await ask(url, command)).toBe(answer);
  });
});

/** A chunk of the stream of a chat. */
interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly approvalId?: string;
}

describe.each([
  ['CommonJS', {}],
  ['ES modules', { type: 'module' }],
])('the finished application, as %s', (_form, fields) => {
  let served: Served;
  beforeAll(async () => {
    writeManifest(fields);
    expect(await compile()).toBe('');
    expect(/^import /m.test(readFileSync(join(folder, 'dist/main.js'), 'utf8'))).toBe('type' in fields);
    served = await serve();
  });
  afterAll(endAll);

  const call = (user: string, path: string, body?: object): Promise<Response> =>
    fetch(`${served.url}${path}`, {
      headers: { ...authorize(user), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const say = (user: string, chat: string, text: string): Promise<Response> =>
    call(user, '/api/chat', { id: chat, message: { id: `m-${chat}`, role: 'user', parts: [{ type: 'text', text }] } });
  const chunksOf = async (response: Response): Promise<readonly Chunk[]> => {
    const text = await response.text();
    return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as Chunk);
  };
  const textOf = (chunks: readonly Chunk[]): string =>
    chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('');
  const statusOf = async (id: string): Promise<unknown> =>
    ((await (await call('ann', `/orders/${id}`)).json()) as { readonly status: unknown }).status;
  const questionsOf = async (user: string): Promise<readonly { readonly question: string; readonly tool: string }[]> =>
    ((await (await call(user, '/api/chat/questions')).json()) as { readonly questions: [] }).questions;

  test('a page and its component are served to users alone', async () => {
    const refused = await fetch(served.url);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
    const page = await call('ann', '/');
    expect(page.headers.get('content-type')).toMatch('text/html');
    expect(await page.text()).toMatch(/<form>/);
    const script = await call('ann', '/approval.js');
    expect(script.headers.get('content-type')).toMatch('text/javascript');
    expect(await script.text()).toMatch(/^export \{ registerApproval \};$/m);
  });

  test('a message is answered by a stream, in pieces', async () => {
    const chunks = await chunksOf(await say('ann', 'c-stream', 'list_my_orders'));
    expect(textOf(chunks)).toMatch(/^\[\{"id":"7","customer":"ann"/);
    const sent = await chunksOf(await say('ann', 'c-missing', 'get_order 9'));
    expect(textOf(sent)).toBe('There is no order 9.');
    expect(sent.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(1);
  });

  test('a customer may not cancel, and nobody is asked', async () => {
    expect(textOf(await chunksOf(await say('ann', 'c-denied', 'cancel_order 7')))).toMatch('Forbidden resource');
    expect(await questionsOf('sam')).toEqual([]);
    expect((await call('ann', '/orders/7/cancel', {})).status).toBe(403);
    expect(await statusOf('7')).toBe('pending');
  });

  test('a call of the staff waits for a supervisor, who approves it', async () => {
    const chunks = await chunksOf(await say('ben', 'c-ask', 'cancel_order 7'));
    expect(chunks.map(({ type }) => type)).toContain('tool-approval-request');
    expect(await questionsOf('ben')).toEqual([]);
    const [{ question, tool }] = (await questionsOf('sam')) as [{ question: string; tool: string }];
    expect(tool).toBe('cancel_order');
    expect(await statusOf('7')).toBe('pending');
    const path = `/api/chat/questions/${question}`;
    expect((await call('ben', path, { approved: true })).status).toBe(404);
    const { seen } = (await (await call('sam', path)).json()) as { readonly seen: string };
    expect((await call('sam', path, { approved: true, seen })).status).toBe(204);
    const rest = await chunksOf(await call('ben', '/api/chat/c-ask/stream'));
    const record = await (await call('ben', '/api/chat/c-ask')).text();
    expect(textOf(rest) + record).toMatch('cancelled');
    expect(await statusOf('7')).toBe('cancelled');
  });

  test('the error of the service has the same message for the model and for a browser', async () => {
    await chunksOf(await say('ben', 'c-shipped', 'cancel_order 8'));
    const [open] = await questionsOf('sam');
    await call('sam', `/api/chat/questions/${open!.question}`, { approved: true });
    await chunksOf(await call('ben', '/api/chat/c-shipped/stream'));
    expect(await (await call('ben', '/api/chat/c-shipped')).text()).toMatch('Order 8 has left the house.');
    const refused = await call('ben', '/orders/8/cancel', {});
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ message: 'Order 8 has left the house.' }),
    ]);
  });

  test('an MCP client lists and calls the tools for its user', async () => {
    const connect = async (headers: Readonly<Record<string, string>>): Promise<Client> => {
      const client = new Client({ name: 'guide', version: '1.0.0' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit: { headers } }),
      );
      return client;
    };
    await expect(connect({})).rejects.toThrow('Sign in first.');
    const client = await connect(authorize('ann'));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['get_order', 'cancel_order', 'list_my_orders']);
    const textOfCall = async (name: string, args: Record<string, string> = {}): Promise<string> => {
      const { content } = await client.callTool({ name, arguments: args });
      return (content as readonly { readonly text: string }[])[0]!.text;
    };
    expect(await textOfCall('list_my_orders')).toMatch('"customer":"ann"');
    expect(await textOfCall('cancel_order', { id: '7' })).toMatch('denied: Forbidden resource');
    await client.close();
    const staff = await connect(authorize('ben'));
    const { content } = await staff.callTool({ name: 'cancel_order', arguments: { id: '7' } });
    expect(JSON.stringify(content)).toMatch('denied');
    expect(JSON.stringify(content)).not.toMatch('Forbidden');
    await staff.close();
  });

  if (existsSync(CHROMIUM))
    test('two people use the page in a browser', async () => {
      const { chromium } = await import('playwright-core');
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
      const faults: unknown[] = [];
      const open = async (user: string): Promise<Page> => {
        const context = await browser.newContext({ httpCredentials: { username: user, password: user } });
        const page = await context.newPage();
        page.on('pageerror', (error) => faults.push(error));
        await page.goto(served.url);
        return page;
      };
      const staff = await open('ben');
      const supervisor = await open('sam');
      await staff.getByLabel('Message').fill('cancel_order 7');
      await staff.getByRole('button', { name: 'Send' }).click();
      await staff.getByText('cancel_order: approval-requested').waitFor();
      await supervisor.getByRole('button', { name: 'Approve', exact: true }).click();
      await staff.getByText('"status":"cancelled"').waitFor();
      await supervisor.locator('toolwright-approval').waitFor({ state: 'detached' });
      expect(faults).toEqual([]);
      await browser.close();
    });

  test('runs, requests to the model and calls are printed as spans of one trace', async () => {
    const before = served.said().length;
    await chunksOf(await say('ann', 'c-traced', 'get_order 8'));
    const spansOf = (): readonly RegExpMatchArray[] => [
      ...served
        .said()
        .slice(before)
        .matchAll(/traceId: '(\w+)',[\s\S]*?\n {2}name: '([^']+)'/g),
    ];
    // The run is printed last, when the client may have its answer already.
    while (!spansOf().some(([, , name]) => name === 'invoke_agent shop/desk')) await sleep(5);
    expect(spansOf().map(([, , name]) => name)).toEqual([
      'chat',
      'execute_tool get_order',
      'chat',
      'invoke_agent shop/desk',
    ]);
    expect(new Set(spansOf().map(([, trace]) => trace)).size).toBe(1);
  });
});
