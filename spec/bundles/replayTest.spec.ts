import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { readBundle, recordBundle, replayTest } from 'toolwright/bundles';
import { CliProject } from '../../packages/cli/spec/support/CliProject';
import { silent } from '../support/silent';

const root = resolve(__dirname, '../..');

/** The same application, for the test that was written. */
const app = `import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const time = defineTool({ name: 'get_time', description: 'The time.', hints: { readOnly: true }, handler: () => '12:00' });
const clock = defineSection({ key: 'clock', title: 'Clock', template: 'Say the time.', tools: [time] });
export const AgentPrompt = definePrompt({ ns: 'tests', key: 'clock', sections: [clock] });
export const createApp = () => createApplication({ prompts: [AgentPrompt], logger: silent });
`;

/** The text of a bundle of one run. */
async function recorded(): Promise<string> {
  const hints = { readOnly: true };
  const time = defineTool({ name: 'get_time', description: 'The time.', hints, handler: () => '12:00' });
  const clock = defineSection({ key: 'clock', title: 'Clock', template: 'Say the time.', tools: [time] });
  const prompt = definePrompt({ ns: 'tests', key: 'clock', sections: [clock] });
  await using app = await createApplication({ prompts: [prompt], logger: silent });
  const recording = recordBundle(app);
  const adapter = new ScriptedModel([{ toolCalls: [{ name: 'get_time', arguments: {} }] }, { text: 'It is noon.' }]);
  await app.evaluate(app.prompt(prompt), { adapter, messages: [{ role: 'user', content: 'What time is it?' }] });
  return recording.text();
}

/** The same in CommonJS. */
const commonJs = app
  .replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);')
  .replaceAll(/export const (\w+)/g, 'const $1 = exports.$1');

const PACKAGES = ['toolwright', 'reflect-metadata', 'jest', 'vitest'];

describe('a test that replays a run', () => {
  let text: string;
  const projects: CliProject[] = [];
  /** A project with a bundle, and one in which the outcome of the call is another one. */
  function projectOf(manifest: object, source: string, files: Readonly<Record<string, string>> = {}): CliProject {
    const bundles = { 'run.bundle.jsonl': text, 'other.bundle.jsonl': text.replaceAll('12:00', '13:00') };
    const written = { 'package.json': JSON.stringify(manifest), 'src/app.js': source, ...bundles, ...files };
    const project = new CliProject(written, PACKAGES);
    projects.push(project);
    return project;
  }
  /** Makes a test by the command line, and runs it beside one of the other bundle. */
  async function replayed(project: CliProject, extension: string, run: readonly string[], options: string[] = []) {
    const test = join('test', `run.test.${extension}`);
    const args = ['replay', 'run.bundle.jsonl', '--write-test', test, '--app', 'src/app.js', ...options];
    const { code, out } = await project.run(args);
    expect(code).toBe(0);
    const other = join('test', `other.test.${extension}`);
    const source = readFileSync(join(project.folder, test), 'utf8');
    project.write(other, source.replace('../run.bundle', '../other.bundle'));
    const ran = await project.exec(process.execPath, [...run, test, other]);
    return { said: out, ran: ran.out + ran.err };
  }
  const passedAndFailed = [/^(?:#|ℹ) pass 1$/m, /^(?:#|ℹ) fail 1$/m, /13:00/];
  const expectAll = (text: string, patterns: readonly RegExp[]) => {
    for (const pattern of patterns) expect(text).toMatch(pattern);
  };

  beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
    text = await recorded();
  }, 600_000);
  afterAll(() => {
    for (const project of projects) project.close();
  });

  test('a test that replays a run passes as replayTest wrote it, and fails when an outcome in the bundle is another one', async () => {
    const project = projectOf({ type: 'module' }, app);
    const bundle = await readBundle(text);
    const options = { app: './src/app.js' };
    project.write('run.test.mjs', replayTest(bundle, options));
    project.write('other.test.mjs', replayTest(bundle, { ...options, file: './other.bundle.jsonl' }));
    const same = await project.exec(process.execPath, ['--test', 'run.test.mjs']);
    const other = await project.exec(process.execPath, ['--test', 'other.test.mjs']);
    expect([same.code, same.out]).toEqual([0, expect.stringMatching(/^(?:#|ℹ) pass 1$/m)]);
    expect([other.code, other.out]).toEqual([1, expect.stringMatching(/13:00/)]);
  }, 120_000);

  test.each([
    ['ES modules', { type: 'module' }, app],
    ['CommonJS', {}, commonJs],
  ])(
    'a replay test runs under node --test in a project of %s',
    async (_name, manifest, source) => {
      const project = projectOf(manifest, source);
      const { said, ran } = await replayed(project, 'js', ['--test']);
      expect(said).toBe('+ test/run.test.js (node --test)\n');
      expectAll(ran, passedAndFailed);
    },
    120_000,
  );

  test.each([
    ['ES modules', { type: 'module' }, app, ['--experimental-vm-modules']],
    ['CommonJS', {}, commonJs, []],
  ])(
    'a replay test runs under jest in a project of %s that tests with it',
    async (_name, manifest, source, flags) => {
      const project = projectOf({ ...manifest, devDependencies: { jest: '^30.0.0' }, jest: { transform: {} } }, source);
      const { said, ran } = await replayed(project, 'js', [...flags, 'node_modules/jest/bin/jest.js']);
      expect(said).toBe('+ test/run.test.js (jest)\n');
      expectAll(ran, [/^Tests: +1 failed, 1 passed, 2 total$/m, /^PASS .*run\.test\.js/m, /13:00/]);
    },
    120_000,
  );

  test.each<[string, object, string, string[]]>([
    ['named by npm test', { type: 'module', scripts: { test: 'vitest run' } }, app, []],
    // vitest has no CommonJS, but tests applications that are.
    ['asked for in a project of CommonJS', {}, commonJs, ['--runner', 'vitest']],
  ])(
    'a replay test runs under vitest, %s',
    async (_name, manifest, source, options) => {
      const project = projectOf(manifest, source);
      const { said, ran } = await replayed(project, 'mjs', ['node_modules/vitest/vitest.mjs', 'run'], options);
      expect(said).toBe('+ test/run.test.mjs (vitest)\n');
      expectAll(stripVTControlCharacters(ran), [
        /^ *Tests +1 failed \| 1 passed \(2\)$/m,
        /FAIL +test\/other\.test\.mjs/,
        /13:00/,
      ]);
    },
    120_000,
  );

  test('a test that is there stays, and a transcript makes none', async () => {
    const project = projectOf({ type: 'module' }, app, {
      'mine.test.js': '// mine',
      'run.transcript.jsonl': '{"format":"toolwright/transcript","version":1}\n',
    });
    const there = await project.run(['replay', 'run.bundle.jsonl', '--write-test', 'mine.test.js']);
    expect([there.code, there.err]).toEqual([2, expect.stringMatching(/^E970 mine\.test\.js: file already exists/)]);
    expect(readFileSync(join(project.folder, 'mine.test.js'), 'utf8')).toBe('// mine');
    const none = await project.run(['replay', 'run.transcript.jsonl', '--write-test', 'new.test.js']);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('a test is made of a bundle')]);
  }, 120_000);
});
