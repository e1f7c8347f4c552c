import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkCompiler } from '../src/doctor/checkCompiler';
import { checkPackages } from '../src/doctor/checkPackages';
import { type Diagnosis, readManifest, type Manifest } from '../src/doctor/installedPackages';
import { Project } from '../src/load/Project';
import { findAlias } from '../src/load/aliases';

const root = resolve(__dirname, '../../..');
const core = readManifest(root) as Manifest;
const own = readManifest(join(root, 'packages/cli')) as Manifest;
const sound = { experimentalDecorators: true, emitDecoratorMetadata: true };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const link = join(folder, 'node_modules/typescript');
  mkdirSync(dirname(link));
  symlinkSync(join(root, 'node_modules/typescript'), link, 'junction');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, object>>): void {
  for (const [path, value] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  }
}

function named(diagnoses: readonly Diagnosis[], name: string): Diagnosis | undefined {
  return diagnoses.find((each) => each.name === name);
}

describe('doctor on the settings of the compiler', () => {
  test('types that are not emitted are named, and seen in what the compiler really emits', () => {
    write({ 'tsconfig.json': { compilerOptions: { experimentalDecorators: true } } });
    const found = checkCompiler(folder);
    expect(named(found, 'tsconfig')).toMatchObject({
      status: 'error',
      message: 'tsconfig.json lacks emitDecoratorMetadata',
      remedy: expect.stringContaining('"emitDecoratorMetadata": true') as unknown,
    });
    expect(named(found, 'metadata')).toMatchObject({ status: 'error' });
  });

  test('sources with standard decorators need no settings, and no runner that emits types', () => {
    write({ 'tsconfig.json': { compilerOptions: {} }, 'package.json': { scripts: { start: 'tsx src/main.ts' } } });
    const isSound = () => checkCompiler(folder).every(({ status }) => status === 'ok');
    expect(isSound()).toBe(false);
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/desk.ts'), "import { Tool } from 'toolwright/es';");
    expect(named(checkCompiler(folder), 'decorators')?.message).toContain('src/desk.ts imports toolwright/es');
    expect(isSound()).toBe(true);
    write({ 'tsconfig.json': { compilerOptions: { experimentalDecorators: true } } });
    expect(isSound()).toBe(false);
  });

  test('no compiler is told with the package that helps', () => {
    rmSync(join(folder, 'node_modules/typescript'));
    expect(named(checkCompiler(folder), 'compiler')).toMatchObject({
      message: 'the project has no compiler for TypeScript: only built JavaScript can be loaded',
      remedy: 'npm install --save-dev typescript@6',
    });
  });

  test('TypeScript 7, which has no interface, is told with the package that helps, as E964 tells it', () => {
    const told = () => named(checkCompiler(folder), 'compiler');
    const compile = () => new Project(folder).compile(join(folder, 'a.ts'), 'module');
    rmSync(join(folder, 'node_modules/typescript'));
    write({ 'node_modules/typescript/package.json': { name: 'typescript', version: '7.0.2', main: 'index.json' } });
    write({ 'node_modules/typescript/index.json': { version: '7.0.2' } });
    expect(told()).toMatchObject({
      message: expect.stringMatching(/^typescript 7\.0\.2 does not have an API/) as unknown,
      remedy: 'npm install --save-dev @typescript/typescript6',
    });
    expect(compile).toThrow(
      expect.objectContaining({
        code: 'E964',
        problem: 'typescript 7.0.2 does not have an API for other programs',
        remedy: 'npm install --save-dev @typescript/typescript6, or name the built file.',
      }) as Error,
    );
  });

  test('a sound project has no finding; an alias of paths is one', () => {
    write({ 'tsconfig.json': { compilerOptions: sound } });
    expect(checkCompiler(folder).filter(({ status }) => status !== 'ok')).toEqual([]);
    write({ 'tsconfig.json': { compilerOptions: { ...sound, paths: { '@app/*': ['./src/*'] } } } });
    expect(checkCompiler(folder).filter(({ status }) => status !== 'ok')).toMatchObject([
      { name: 'paths', status: 'warning', message: expect.stringContaining('@app/*') as unknown },
    ]);
  });

  test('an alias is known in what Node says of it', () => {
    const missing = (message: string) => Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
    const aliases = ['~', '@app/*', 'models/*'];
    expect(findAlias(missing("Cannot find package '@app/desk' imported from /x.ts"), aliases)).toBe('@app/*');
    expect(findAlias(missing("Cannot find package 'models' imported from /x.ts"), aliases)).toBe('models/*');
    expect(findAlias(missing("Cannot find package '~' imported from /x.ts"), aliases)).toBe('~');
    expect(findAlias(missing("Cannot find package '@application/desk' imported from /x.ts"), aliases)).toBeUndefined();
    expect(findAlias(new Error("'@app/desk'"), aliases)).toBeUndefined();
  });
});

describe('doctor on packages', () => {
  test('a Node that is too old for the engines', () => {
    expect(named(checkPackages(folder, own, '18.20.4'), 'node')).toEqual({
      name: 'node',
      status: 'error',
      message: '18.20.4 is too old',
      remedy: `Install Node ${own.engines?.['node'] ?? ''}.`,
    });
    expect(named(checkPackages(folder, own, '24.0.0'), 'node')).toMatchObject({ status: 'ok' });
  });

  test('reflect-metadata that is missing, and a peer in two versions', () => {
    write({
      'node_modules/toolwright/package.json': core,
      'node_modules/class-validator/package.json': { version: '0.15.1' },
      'node_modules/class-transformer/package.json': { version: '0.5.1' },
      'node_modules/other/package.json': { version: '1.0.0' },
      'node_modules/other/node_modules/class-validator/package.json': { version: '0.14.0' },
    });
    const found = checkPackages(folder, own, '22.0.0');
    expect(named(found, 'reflect-metadata')).toEqual({
      name: 'reflect-metadata',
      status: 'error',
      message: 'it is not installed, and toolwright needs it',
      remedy: `npm install "reflect-metadata@${core.peerDependencies?.['reflect-metadata'] ?? ''}"`,
    });
    expect(named(found, 'class-validator')).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/^it is installed 2 times: 0\.15\.1 in .*, 0\.14\.0 in .*other/) as unknown,
    });
    expect(named(found, 'toolwright')).toMatchObject({ status: 'ok' });
  });

  test('packages of Toolwright in two versions, and two copies of one', () => {
    const mcp = { name: '@toolwright/mcp', version: '0.0.9' };
    write({
      'node_modules/toolwright/package.json': { ...core, peerDependencies: {} },
      'node_modules/@toolwright/cli/package.json': { ...own, peerDependencies: {} },
      'node_modules/@toolwright/mcp/package.json': mcp,
      'node_modules/other/node_modules/@toolwright/mcp/package.json': mcp,
    });
    const found = checkPackages(folder, own, '22.0.0').filter(({ status }) => status === 'error');
    expect(found).toEqual([
      {
        name: '@toolwright/mcp',
        status: 'error',
        message: `0.0.9 is installed, and toolwright is ${String(core.version)}`,
        remedy: `npm install "@toolwright/mcp@${String(core.version)}"`,
      },
      expect.objectContaining({
        name: '@toolwright/mcp',
        message: expect.stringMatching(/^it is installed 2 times: 0\.0\.9 in /) as unknown,
      }),
    ]);
    write({ 'node_modules/@toolwright/mcp/package.json': { ...mcp, version: core.version } });
    rmSync(join(folder, 'node_modules/other'), { recursive: true });
    expect(named(checkPackages(folder, own, '22.0.0'), 'packages')).toEqual({
      name: 'packages',
      status: 'ok',
      message: '@toolwright/cli, @toolwright/mcp',
    });
  });

  test('doctor warns of an optional peer of a wrong version, and reports a required one as an error', () => {
    const openai = readManifest(join(root, 'packages/openai')) as Manifest;
    write({
      'node_modules/toolwright/package.json': { ...core, peerDependencies: {} },
      'node_modules/@toolwright/openai/package.json': openai,
      'node_modules/openai/package.json': { version: '4.0.0' },
      'node_modules/gpt-tokenizer/package.json': { version: '2.0.0' },
    });
    const found = checkPackages(folder, own, '22.0.0');
    const range = openai.peerDependencies?.['openai'] ?? '';
    expect(named(found, 'openai')).toMatchObject({
      status: 'error',
      message: `4.0.0 is installed, and @toolwright/openai needs ${range}`,
    });
    expect(named(found, 'gpt-tokenizer')).toMatchObject({ status: 'warning' });
  });
});
