import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { version } from '../../../package.json';
import { CliProject, type Ran } from './support/CliProject';

const root = resolve(__dirname, '../../..');
const WANTED = `@toolwright/cli@${version}`;

/** A command that writes its arguments and what a pipe gives it, and ends with the code 7. */
const COMMAND = (name: string) => `#!/usr/bin/env node
const text = process.stdin.isTTY ? '' : require('node:fs').readFileSync(0, 'utf8');
console.log(JSON.stringify({ name: '${name}', args: process.argv.slice(2), text }));
process.exitCode = 7;
`;

/** Files of a package with the command, below a folder. */
const cliIn = (folder: string, name: string) => ({
  [`${folder}/node_modules/@toolwright/cli/package.json`]: JSON.stringify({
    bin: { 'toolwright-cli': './dist/main.cjs' },
    exports: { './package.json': './package.json' },
  }),
  [`${folder}/node_modules/@toolwright/cli/dist/main.cjs`]: COMMAND(name),
});

describe('the command of the package toolwright', () => {
  let project: CliProject;
  beforeEach(() => {
    project = new CliProject({ 'app/package.json': '{}', 'path/npm': COMMAND('npm') }, []);
    chmodSync(join(project.folder, 'path/npm'), 0o755);
    // A copy, since Node looks for packages beside the real file.
    for (const file of ['package.json', 'bin/toolwright.mjs']) {
      const copy = join(project.folder, 'core/node_modules/toolwright', file);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(root, file), copy);
    }
  });
  afterEach(() => {
    project.close();
  });

  const env = (extra: Readonly<Record<string, string>> = {}) => ({
    PATH: [join(project.folder, 'path'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    npm_config_yes: '',
    ...extra,
  });
  const stub = () => join(project.folder, 'core/node_modules/toolwright/bin/toolwright.mjs');
  const start = (args: readonly string[], extra?: Readonly<Record<string, string>>): Promise<Ran> =>
    project.exec(process.execPath, [stub(), ...args], { folder: 'app', input: 'given', env: env(extra) });
  const said = ({ out }: Ran): unknown => JSON.parse(out);

  test('the stub runs the package of the project, with its arguments, standard input and exit code', async () => {
    for (const files of [cliIn('app', 'of the project'), cliIn('core', 'beside')])
      for (const [path, text] of Object.entries(files)) project.write(path, text);
    const ran = await start(['call', 'order', '--yes']);
    expect(said(ran)).toEqual({ name: 'of the project', args: ['call', 'order', '--yes'], text: 'given' });
    expect([ran.code, ran.err]).toEqual([7, '']);
    expect(said(await start(['--yes', 'check']))).toMatchObject({ args: ['check'] });
  });

  test('the stub runs the package beside itself where the project has none', async () => {
    for (const [path, text] of Object.entries(cliIn('core', 'beside'))) project.write(path, text);
    expect(said(await start(['check']))).toMatchObject({ name: 'beside', args: ['check'] });
  });

  test('without the package and a terminal, the stub says what to do and starts nothing', async () => {
    expect(await start(['init', 'shop'])).toEqual({
      code: 1,
      out: '',
      err: `E969 toolwright: @toolwright/cli is not installed
  fix: npm install --save-dev ${WANTED}, or npx toolwright --yes init shop (docs/errors.md#e969)
`,
    });
    expect(await start(['call', '--', '--yes'])).toMatchObject({ code: 1, out: '' });
  });

  test.each([
    [['--yes', 'init'], {}, ['init']],
    [['init', '--yes'], {}, ['init', '--yes']],
    [['init', 'a b'], { npm_config_yes: 'true' }, ['init', 'a b']],
  ])('with consent, %j %j lets npm run the same version', async (args, extra, passed) => {
    const ran = await start(args, extra);
    const npmArgs = ['exec', '--yes', '--package', WANTED, '--', 'toolwright-cli', ...passed];
    expect(said(ran)).toEqual({ name: 'npm', args: npmArgs, text: 'given' });
    expect([ran.code, ran.err]).toEqual([7, '']);
  });

  test('without npm, the stub says that it cannot be started', async () => {
    expect(await start(['--yes', 'init'], { PATH: join(project.folder, 'app') })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^E969 toolwright: npm cannot be started: .*\n {2}fix: npm install/) as unknown,
    });
  });

  test.each([
    ['y\r', /Install and run @toolwright\/cli@\S+\? \(y\) [^]*"name":"npm"/, 7],
    ['n\r', /\(y\) /, 1],
    ['\r', /\(y\) /, 1],
    ['\u0003', /\(y\) /, 1],
  ])(
    'on a terminal, the stub asks before it runs npm: %j',
    async (answer, output, code) => {
      let answered = false;
      const ran = await project.execInTerminal([process.execPath, stub(), 'init'], {
        folder: 'app',
        env: env(),
        watch: (text, child) => {
          if (answered || !text.includes('(y) ')) return;
          answered = true;
          child.write(answer);
        },
      });
      expect(ran).toMatchObject({ code, out: expect.stringMatching(output) as unknown });
      expect(ran.out.includes('"name":"npm"')).toBe(answer === 'y\r');
    },
    60_000,
  );
});
