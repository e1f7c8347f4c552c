import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fetchThatAnswers, providerAnswers } from '../support/providerAnswers';
import { snippetsOf } from '../support/snippets';

// Runs the example of each package's README.md as its reader would, against the built packages. Providers are a `fetch` that
// answers from a script. Needs dist/, as `npm test` builds it.

jest.setTimeout(120_000);

const root = resolve(__dirname, '../..');
const commandLine = join(root, 'packages/cli/dist/main.cjs');
const keys = { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', AI_GATEWAY_API_KEY: 'none' };
const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  types: [],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};
const swc = {
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
  target: 'es2022',
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-example-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each(readdirSync(join(root, 'packages')))('packages/%s/README.md shows an example that runs', async (name) => {
  const blocks = snippetsOf(`packages/${name}/README.md`);
  const [{ code, source } = { code: '', source: '' }] = blocks.filter(({ language }) => language === 'ts');
  expect(source).toBe(`packages/${name}/spec/example.mts`);
  prepare(code, providerAnswers[name] ?? []);
  const commands = blocks.flatMap((block) => [...block.code.matchAll(/^npx toolwright (.+)$/gm)]);
  const runs = commands.map(([, args = '']) => [commandLine, ...args.split(' ').map((arg) => arg.replaceAll("'", ''))]);
  let output = '';
  for (const args of runs.length === 0 ? [['--import', './fetch.mjs', 'example.mjs']] : runs) output += await run(args);
  const shown = blocks.find(({ language }) => language === 'text');
  if (shown === undefined) expect(output).not.toBe('');
  else expect(output).toBe(shown.code);
});

/** The folder of a reader who has installed every package. */
function prepare(code: string, answers: readonly object[]): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const { code: javaScript } = transformSync(code, { configFile: false, swcrc: false, jsc: swc });
  const files = {
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'toolwright.config.mts': code,
    'example.mjs': javaScript,
    'fetch.mjs': answers.length === 0 ? '' : fetchThatAnswers(answers),
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

/** The output of a program that ends well. One that waits for Ctrl-C gets it. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: folder, env: { PATH: process.env['PATH'], NO_COLOR: '1', ...keys } },
      (error, output, complaints) =>
        error === null ? done(output) : fail(new Error(`${output}${complaints}`, { cause: error })),
    );
    child.stdout?.on('data', (text: string) => text.includes('Ctrl-C') && child.kill('SIGINT'));
  });
}
