import { transformSync } from '@swc/core';
import { build } from 'esbuild';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fetchThatAnswers, providerAnswers } from '../support/providerAnswers';
import { container, Desk } from './application/Desk.js';
import { report } from './application/report.js';
import { swc, swcOptions } from './support/swc.js';
import { deskProject } from './support/desk.js';
import { once } from './support/once.js';
import { execute, node, Workspace, write } from './support/Workspace.js';

jest.setTimeout(120_000);
const root = resolve(__dirname, '../..');
const adapters = ['openai', 'anthropic', 'ai-sdk'];
/** The answer of each adapter's example. */
const answer = 'There are 4 of A-1.';
const keys = { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', AI_GATEWAY_API_KEY: 'none' };
const workspace = new Workspace();
afterAll(() => workspace.close());

/** The rows of the table of runtimes in docs/toolchain.md. */
const rows = [
  ...readFileSync(join(root, 'docs/toolchain.md'), 'utf8').matchAll(
    /^\| ((?:Node|Bun|Deno)[ \d]*) \| ([\d.]+) \| (.+) \| (.+) \| (.+) \|$/gm,
  ),
].map(([, runtime = '', version = '', application, clients, endless]) => ({
  runtime,
  version,
  application,
  adapters: clients,
  endless,
}));

/** Collects the outputs of the adapters' examples, which use the providers' own clients. Bundlers need the names of files. */
const examples = `
  const outputs = {};
  const { log } = console;
  ${adapters
    .map(
      (name) => `{
    const texts = [];
    console.log = (text) => texts.push(text);
    try {
      await import('./fetch-${name}.js');
      await import('./${name}.js');
    } catch (error) {
      texts.push(String(error));
    }
    outputs['${name}'] = texts.join();
  }`,
    )
    .join('\n')}
`;

/** Prints the version, the report of the application, and the outputs of the examples. */
const main = `
  const { versions } = globalThis.process;
  const version = versions.bun ?? versions.deno ?? versions.node;
  const { said } = await import('./Desk.main.js');
  const report = await said;
  ${examples}
  log(JSON.stringify({ version, report, outputs }));
`;

/**
 * Prints whether an application with a slow pattern of zod starts: `no`, or the code of its refusal. Prints `yes` if the runtime ends
 * such a pattern in time, and is killed otherwise.
 */
const endless = `
  import { createContext, Script } from 'node:vm';
  import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
  import { z } from 'zod';
  const slow = /a*a*a*a*a*b/;
  const tryPattern = async (pattern) => {
    const params = z.object({ text: z.string().regex(pattern) });
    const tool = defineTool({ name: 'find', description: 'Find.', params, handler: () => 'found' });
    const section = defineSection({ key: 'a', title: 'A', tools: [tool] });
    const prompts = [definePrompt({ ns: 'n', key: 'k', sections: [section] })];
    return createApplication({ prompts }).then(() => 'accepted', ({ code }) => code);
  };
  console.log((await tryPattern(/^C[0-9]+$/)) + ' ' + (await tryPattern(slow)));
  const call = () => slow.test('a'.repeat(2_000));
  try {
    new Script('call()').runInContext(createContext({ call }), { timeout: 40 });
  } catch ({ code }) {
    console.log(code);
  }
`;

/** The cells of the table for what `endless` prints: accepted or refused, and the end of the slow pattern. */
const endings: Readonly<Record<string, string>> = {
  'accepted accepted,ERR_SCRIPT_EXECUTION_TIMEOUT': 'ended in time',
  'accepted E224': 'refused: E224',
};

/** The command of each runtime. */
const commands = once(async () => {
  const { code, stdout, stderr } = await node(root, ['spec/toolchain/runtimes/install.mjs']);
  if (code !== 0) throw new Error(stderr);
  return new Map(Object.entries(JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>));
});

/** The application, compiled once for all runtimes. */
const compiled = once(async () => {
  const { 'src/main.ts': desk = '', ...files } = deskProject();
  const folder = workspace.project('esm', { ...files, 'src/Desk.main.ts': desk });
  await swc.compile({ folder, settings: { format: 'esm' } });
  write(folder, { 'out/main.js': main, 'out/endless.js': endless, 'tsconfig.json': '{}' });
  for (const name of adapters) {
    const source = readFileSync(join(root, 'packages', name, 'spec/example.mts'), 'utf8');
    write(folder, {
      [`out/${name}.js`]: transformSync(source, swcOptions({ format: 'esm' })).code,
      [`out/fetch-${name}.js`]: `{ ${fetchThatAnswers(providerAnswers[name] ?? [])} }`,
    });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
});

async function runOn(runtime: string, file: string, seconds: string): Promise<string> {
  const [program = '', ...options] = (await commands()).get(runtime) ?? [];
  // A runtime that cannot end the code would also not end by itself.
  // Bun follows the `paths` of this repository's tsconfig.json to the sources, as no user's project does.
  const own = runtime === 'Bun' ? [`--tsconfig-override=${join(await compiled(), 'tsconfig.json')}`] : [];
  const args = ['-s', 'KILL', seconds, program, ...options, ...own, `out/${file}.js`];
  const { stdout, stderr } = await execute('timeout', await compiled(), args, keys);
  if (stdout === '' && file === 'main') throw new Error(`${runtime} printed nothing:\n${stderr}`);
  return stdout;
}

test('docs/toolchain.md has a table of every runtime', async () => {
  expect(rows.map(({ runtime }) => runtime)).toEqual([...(await commands()).keys()].slice(0, -1));
});

test.each(rows)('$runtime says what the table in docs/toolchain.md says of it', async (row) => {
  const {
    version,
    report: said,
    outputs,
  } = JSON.parse(await runOn(row.runtime, 'main', '30')) as {
    readonly version: string;
    readonly report: string;
    readonly outputs: Readonly<Record<string, string>>;
  };
  const expected = await report(Desk, container);
  // The message of JSON.parse is the engine's.
  const readable = said.replace('JSON Parse error: Unexpected EOF', 'Unexpected end of JSON input');
  expect(readable).toBe(expected);
  const ended = (await runOn(row.runtime, 'endless', '5')).trim().split('\n');
  expect(row).toEqual({
    runtime: row.runtime,
    version,
    application: said === expected ? 'the same bytes' : 'another text for malformed JSON',
    adapters: adapters.every((name) => outputs[name] === answer) ? 'yes' : JSON.stringify(outputs),
    endless: endings[ended.join()] ?? ended.join(),
  });
});

test.each(['Bun', 'Deno'])('%s runs standard decorators from the sources, with the same bytes', async (runtime) => {
  // Deno does not look for a file of another name, so the names of the sources end as they are imported.
  const sources = Object.entries(deskProject('../standard/Desk')).map(([path, text]) => [
    path,
    text.replaceAll(".js';", ".ts';"),
  ]);
  const print = `import { said } from './main.ts';\nconsole.log(await said);`;
  const files = Object.fromEntries(sources) as Readonly<Record<string, string>>;
  const folder = workspace.project('esm', { ...files, 'src/print.ts': print });
  write(folder, { 'tsconfig.json': '{}' });
  const [program = '', ...options] = (await commands()).get(runtime) ?? [];
  const own = runtime === 'Bun' ? [`--tsconfig-override=${join(folder, 'tsconfig.json')}`] : [];
  const { stdout, stderr } = await execute(program, folder, [...options, ...own, 'src/print.ts']);
  const readable = stdout.replace('JSON Parse error: Unexpected EOF', 'Unexpected end of JSON input').trim();
  expect(readable === '' ? stderr : readable).toBe(await report(Desk, container));
});

test('workerd renders the same text and schemas, talks to providers, and rejects calls that need a time limit', async () => {
  const folder = await compiled();
  const entry = `
    const test = async () => {
      console.log(await (await import('./Desk.main.js')).said);
      Object.assign(process.env, ${JSON.stringify(keys)});
      ${examples}
      log('examples ' + JSON.stringify(outputs));
    };
    export default { test };
  `;
  const config = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (services = [(name = "main", worker = (
      modules = [(name = "main", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01"))]);`;
  write(folder, { 'out/workerd.js': entry, 'worker.capnp': config });
  await build({
    absWorkingDir: folder,
    entryPoints: ['out/workerd.js'],
    outfile: 'worker.js',
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
    // Packages that are CommonJS require modules of Node.
    banner: { js: "import * as nodeModule from 'node:module'; const require = nodeModule.createRequire('/');" },
  });
  const [program = ''] = (await commands()).get('workerd') ?? [];
  const { stdout, stderr } = await execute(program, folder, ['test', 'worker.capnp']);
  const printed = stdout + stderr;
  const json = /^\{\n[^]*?^\}$/m.exec(printed)?.[0];
  if (json === undefined) throw new Error(printed);
  const { outcomes, state, ...said } = JSON.parse(json) as Report;
  const { outcomes: wanted, state: _changed, ...expected } = JSON.parse(await report(Desk, container)) as Report;
  expect(said).toEqual(expected);
  expect(state).toEqual([]);
  const limit =
    'arguments: could not be checked: E418: expected a runtime that can end a check after 40 ms, got: The process.threadCpuUsage method is not implemented\n  fix: ';
  expect(outcomes.filter(({ text }) => text.includes(limit)).map(({ name }) => name)).toEqual(Array(4).fill('order'));
  expect(outcomes.filter(({ text }) => !text.includes(limit))).toEqual(
    wanted.filter(({ name, text }) => name !== 'order' || text.includes('malformed')),
  );
  const outputs = JSON.parse(/^examples (\{.*\})$/m.exec(printed)?.[1] ?? '{}') as Readonly<Record<string, string>>;
  const clients = adapters.every((name) => outputs[name] === answer) ? 'yes' : JSON.stringify(outputs);
  const { version } = JSON.parse(
    readFileSync(join(root, 'build/runtimes/node_modules/workerd/package.json'), 'utf8'),
  ) as { readonly version: string };
  expect(readFileSync(join(root, 'docs/toolchain.md'), 'utf8')).toContain(
    `| workerd | ${version} | without calls that need a time limit | ${clients} | calls are rejected |`,
  );
});

interface Report {
  readonly outcomes: readonly { readonly name: string; readonly text: string }[];
  readonly state: unknown;
}
