import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { join, resolve } from 'node:path';
import { built, CliProject, shop } from './support/CliProject';

const root = resolve(__dirname, '../../..');

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
}, 600_000);

describe('a package that the project does not have', () => {
  const core = ['toolwright', 'reflect-metadata', 'class-validator', 'class-transformer'];
  const missing: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [
      ['serve', '--mcp'],
      /^E969 serve --mcp: @toolwright\/mcp is not installed\n {2}fix: npm install @toolwright\/mcp \(docs/m,
    ],
    [
      ['tools', '--format', 'ts'],
      /^E969 tools --format ts: @toolwright\/programs is not installed\n {2}fix: npm install @toolwright\/programs \(/m,
    ],
    [
      ['inspect'],
      /^E969 inspect: @toolwright\/inspector is not installed\n {2}fix: npm install --save-dev @toolwright\/inspector \(/m,
    ],
  ];

  test.each(missing)('the command names the missing package: %j', async (args, said) => {
    const own = new CliProject(built(shop), core);
    try {
      expect(await own.run(args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(said) as unknown });
    } finally {
      own.close();
    }
  });

  test('a missing package that another one needs is named, and any other error of a package is shown as it is', async () => {
    const own = new CliProject(built(shop), core);
    try {
      own.write('node_modules/@toolwright/mcp/index.js', "require('@modelcontextprotocol/sdk/server');\n");
      expect((await own.run(['serve', '--mcp'])).err).toMatch(
        /^E969 .*: @modelcontextprotocol\/sdk is not installed\n {2}fix: npm install @modelcontextprotocol\/sdk /m,
      );
      own.write('node_modules/@toolwright/mcp/index.js', "throw new Error('too old');\n");
      expect((await own.run(['serve', '--mcp'])).err).toMatch(/too old/);
    } finally {
      own.close();
    }
  });

  test('tokens are estimated, and the note names the packages that count them', async () => {
    const own = new CliProject(built(shop), core);
    try {
      const { code, err } = await own.run(['tools']);
      expect([code, err]).toEqual([0, expect.stringContaining('npm install @toolwright/openai gpt-tokenizer')]);
    } finally {
      own.close();
    }
  });
});

test('a stack trace of the built command names lines of its sources', () => {
  const folder = join(root, 'packages/cli');
  const places = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.map'));
  for (const name of places) {
    const map = JSON.parse(readFileSync(join(folder, 'dist', name), 'utf8')) as { readonly sources: readonly string[] };
    for (const source of map.sources) expect([name, existsSync(join(folder, 'dist', source))]).toEqual([name, true]);
  }
  const main = new SourceMap(JSON.parse(readFileSync(join(folder, 'dist/CliError.cjs.map'), 'utf8')) as never);
  const lines = readFileSync(join(folder, 'dist/CliError.cjs'), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('super('));
  const { originalSource, originalLine } = main.findEntry(at, lines[at]?.indexOf('super(') ?? 0) as SourceMapping;
  const text = readFileSync(join(folder, 'dist', originalSource), 'utf8').split('\n')[originalLine];
  expect([originalSource, text?.trim()]).toEqual(['../src/CliError.ts', expect.stringMatching(/^super\(/)]);
});
