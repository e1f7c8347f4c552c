import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliProject } from '../support/cli/CliProject';
import { nest11, nest12, plain } from '../support/cli/existingApps';
import manifest from '../../package.json';

const root = resolve(__dirname, '../..');

interface Plan {
  readonly kind: string;
  readonly format: string;
  readonly runner: string;
  readonly manager: string;
  readonly applied: boolean;
  readonly changes: readonly { readonly file: string; readonly diff: string }[];
  readonly findings: readonly {
    readonly code: string;
    readonly place: string;
    readonly message: string;
    readonly remedy: string;
  }[];
  readonly notes: readonly string[];
  readonly steps: readonly string[];
}

/** Runs a test with a project, which is removed afterwards. */
async function withProject<T>(
  files: Readonly<Record<string, string>>,
  use: (project: CliProject) => Promise<T>,
): Promise<T> {
  const project = new CliProject(files, ['typescript']);
  try {
    return await use(project);
  } finally {
    project.close();
  }
}

const read = (project: CliProject, path: string): string => readFileSync(join(project.folder, path), 'utf8');

/** Every file of a project with its text. */
function textsIn(project: CliProject): Readonly<Record<string, string>> {
  const entries = readdirSync(project.folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('node_modules'),
  );
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

async function planOf(project: CliProject, ...options: readonly string[]): Promise<Plan> {
  const { out } = await project.run(['add', '--json', ...options]);
  return JSON.parse(out) as Plan;
}

/** Plans for files of an application, with some of them replaced or left out. */
function planFor(
  files: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string | undefined>> = {},
): Promise<Plan> {
  const kept = Object.entries({ ...files, ...changed }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return withProject(Object.fromEntries(kept), (project) => planOf(project));
}

const codesOf = ({ findings }: Plan): readonly string[] => findings.map(({ code, place }) => `${code} ${place}`);
const filesOf = ({ changes }: Plan): readonly string[] => changes.map(({ file }) => file);
const diffOf = ({ changes }: Plan, file: string): string => changes.find((change) => change.file === file)?.diff ?? '';

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
}, 600_000);

describe('add', () => {
  test.each([
    [
      'Nest 11 with jest',
      nest11,
      [process.execPath, 'node_modules/jest/bin/jest.js'],
      ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'rxjs', 'jest', '@swc/jest', '@types/jest'],
    ],
    [
      'Nest 12 with vitest',
      nest12,
      [process.execPath, 'node_modules/vitest/vitest.mjs', 'run'],
      ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'rxjs', 'vitest'],
    ],
    ['a plain application with node:test', plain, ['npm', 'test'], []],
  ])(
    '%s: types are right and the written test passes; a second run changes nothing',
    async (_name, files, [command = '', ...args], packages) => {
      const names = [
        'toolwright',
        'reflect-metadata',
        'class-validator',
        'class-transformer',
        'typescript',
        '@types/node',
      ];
      const project = new CliProject(files, [...names, ...packages]);
      try {
        const { code, out, err } = await project.run(['add', '--yes']);
        expect([code, out, err]).toEqual([
          0,
          expect.stringContaining('+++ b/package.json'),
          expect.stringContaining('npm install'),
        ]);
        const types = await project.exec(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']);
        expect([types.code, types.out]).toEqual([0, '']);
        const tested = await project.exec(command, args);
        expect([tested.code, tested.out + tested.err]).toEqual([
          0,
          expect.stringMatching(/pass(?:ed)? .*[12]|[12] pass/),
        ]);
        const before = textsIn(project);
        const again = await project.run(['add', '--yes']);
        expect(again).toEqual({ code: 0, out: '', err: 'Everything is there: nothing was changed.\n' });
        expect(textsIn(project)).toEqual(before);
      } finally {
        project.close();
      }
    },
    300_000,
  );
});
