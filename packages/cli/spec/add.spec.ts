import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { textsIn, withProject } from './support/addProject';
import { nest11, nest12, plain } from './support/existingApps';

const root = resolve(__dirname, '../../..');
const ALWAYS = ['toolwright', 'reflect-metadata', 'class-validator', 'class-transformer', 'typescript', '@types/node'];
const NEST = ['@toolwright/nestjs', '@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'rxjs'];

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
}, 600_000);

test.each([
  {
    name: 'Nest 11 with jest',
    files: nest11,
    packages: [...NEST, 'jest', '@swc/jest', '@types/jest'],
    run: [process.execPath, 'node_modules/jest/bin/jest.js'],
    passed: 'Tests:       2 passed',
  },
  {
    name: 'Nest 12 with vitest',
    files: nest12,
    packages: [...NEST, 'vitest'],
    run: [process.execPath, 'node_modules/vitest/vitest.mjs', 'run'],
    passed: 'Tests  2 passed',
  },
  { name: 'a plain application with node:test', files: plain, packages: [], run: ['npm', 'test'], passed: 'pass 1' },
])(
  'add, $name: types are right, the written test passes, and a second run changes nothing',
  ({ files, packages, run: [command = '', ...args], passed }) =>
    withProject(
      files,
      async (project) => {
        const { code, out, err } = await project.run(['add', '--yes']);
        expect([code, out]).toEqual([0, expect.stringContaining('+++ b/package.json')]);
        expect(err).toContain('npm install');
        const types = await project.exec(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']);
        expect([types.code, types.out]).toEqual([0, '']);
        const tested = await project.exec(command, args);
        expect([tested.code, tested.out + tested.err]).toEqual([0, expect.stringContaining(passed)]);
        const before = textsIn(project);
        const again = await project.run(['add', '--yes']);
        expect(again).toEqual({ code: 0, out: '', err: 'Everything is there: nothing was changed.\n' });
        expect(textsIn(project)).toEqual(before);
      },
      [...ALWAYS, ...packages],
    ),
  300_000,
);

test('add, where the runner emits no types: the written test passes without them', () => {
  const manifest = (plain['package.json'] ?? '').replace(/"test": "[^"]*"/, '"test": "tsx --test"');
  expect(manifest).toContain('tsx --test');
  return withProject(
    { ...plain, 'package.json': manifest },
    async (project) => {
      expect(await project.run(['add', '--yes'])).toMatchObject({
        code: 0,
        err: expect.stringContaining('tsx') as string,
      });
      const tsc = ['node_modules/typescript/bin/tsc', '--emitDecoratorMetadata', 'false', '--outDir', 'dist'];
      const built = await project.exec(process.execPath, tsc);
      expect([built.code, built.out]).toEqual([0, '']);
      const tested = await project.exec(process.execPath, ['--test', 'dist/src/agent/desk.test.js']);
      expect([tested.code, tested.out + tested.err]).toEqual([0, expect.stringContaining('pass 1')]);
    },
    ALWAYS,
  );
}, 300_000);
