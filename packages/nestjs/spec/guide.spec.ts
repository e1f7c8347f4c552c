import { spawn, type ChildProcess } from 'node:child_process';
import {
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

// Follows docs/nestjs.md from an empty folder: its files are written as they are, compiled and started, and its requests are
// sent. Needs dist/, as `npm test` builds it.

const root = resolve(__dirname, '../../..');
const steps = readFileSync(join(root, 'docs/nestjs.md'), 'utf8')
  .split(/^## /m)
  .filter((section) => /^\d\. /.test(section));

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-guide-')));
const running = new Set<ChildProcess>();

beforeAll(() => {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
});

afterEach(async () => {
  for (const child of running) await end(child);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs Node in the project, without the settings of the process that tests. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...inherited } = process.env;
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...inherited, NO_COLOR: '1', ...env } });
  running.add(child);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exit;
  }
  running.delete(child);
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

/** Starts the compiled application, and returns its address. */
async function serve(): Promise<string> {
  const child = start(['dist/main.js'], { PORT: '0' });
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (data: Buffer): void => {
      said += data.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', () => {
      reject(new Error(said));
    });
  });
}

/** A request of the page, and the answer that it shows. */
function questionsIn(step: string): readonly { readonly command: string; readonly answer: string }[] {
  return [...step.matchAll(/```sh\n(curl [^\n]+)\n```\n\n```json\n([^\n]+)\n```/g)].map(
    ([, command = '', answer = '']) => ({
      command,
      answer,
    }),
  );
}

async function ask(url: string, command: string): Promise<string> {
  const [, path = ''] = /localhost:3000(\S*)/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  const [, body] = /-d '([^']+)'/.exec(command) ?? [];
  const sent = body === undefined ? {} : { method: 'POST', body };
  return (
    await fetch(`${url}${path}`, { ...sent, headers: Object.fromEntries(headers) as Record<string, string> })
  ).text();
}

test('the guide has steps, files and questions to follow', () => {
  expect(steps).toHaveLength(4);
  expect(steps.flatMap(questionsIn)).toHaveLength(4);
});

test.each(steps.map((step) => [step.split('\n', 1)[0] ?? '', step]))(
  'the guide can be followed from an empty project: %s',
  async (_title, step) => {
    const files = [...step.matchAll(/^<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)^```$/gm)];
    expect(files.length).toBeGreaterThan(0);
    for (const [, path = '', text = ''] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(await compile()).toBe('');
    const url = await serve();
    for (const { command, answer } of questionsIn(step)) expect(await ask(url, command)).toBe(answer);
  },
  120_000,
);

test('the finished project runs as ES modules, too', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  expect(await compile()).toBe('');
  expect(readFileSync(join(folder, 'dist/main.js'), 'utf8')).toMatch(/^import /);
  const url = await serve();
  for (const { command, answer } of questionsIn(steps.at(-1)!)) expect(await ask(url, command)).toBe(answer);
}, 120_000);
