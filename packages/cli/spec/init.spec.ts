import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import core from '../../../package.json';
import nestjs from '../../nestjs/package.json';
import { NEST_RANGE } from '../src/init/writeProject';
import { CliProject } from './support/CliProject';

const root = resolve(__dirname, '../../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

describe('init', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  }, 600_000);

  test.each([
    ['plain', 'place_order', '{"article":"tea","count":2}', 'Ordered: 2 tea.', 'Two teas are ordered.'],
    ['nest', 'get_order', '{"id":"7"}', '{"id":"7","status":"pending"}', 'Order 7 is pending.'],
  ])(
    'init writes a %s project whose test passes, and on which every command works',
    async (kind, tool, args, answer, reply) => {
      const project = new CliProject({}, []);
      try {
        const { code, out, err } = await project.run(['init', '--kind', kind, '--yes']);
        expect([code, out]).toEqual([0, expect.stringContaining('+ package.json')]);
        expect(err).toContain('npm test');
        const manifest = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8')) as Manifest;
        expect(Object.values(manifest.dependencies).every((range) => typeof range === 'string')).toBe(true);
        const ours = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([name]) =>
          name.includes('toolwright'),
        );
        const wanted = ['toolwright', ...(kind === 'nest' ? ['@toolwright/nestjs'] : []), '@toolwright/cli'];
        expect(ours).toEqual(wanted.map((name) => [name, `^${core.version}`]));
        const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
        for (const name of names) project.install(name);
        const tested = await project.exec('npm', ['test']);
        expect([tested.code, tested.out + tested.err]).toEqual([
          0,
          expect.stringMatching(kind === 'nest' ? /^# pass 2$|ℹ pass 2/m : /^# pass 1$|ℹ pass 1/m),
        ]);
        expect(await project.run(['check'])).toMatchObject({ code: 0 });
        expect(await project.run(['call', tool, args])).toMatchObject({ code: 0, out: `${answer}\n` });
        expect(await project.run(['run', 'Hello', '--script', 'replies.json'])).toMatchObject({
          code: 0,
          out: `${reply}\n`,
        });
        const again = await project.run(['init', '--kind', kind, '--yes']);
        expect(again).toMatchObject({ code: 2, err: expect.stringContaining('E972') as unknown });
      } finally {
        project.close();
      }
    },
    300_000,
  );

  test('the range of Nest is that of the peers of @toolwright/nestjs', () => {
    expect(nestjs.peerDependencies).toMatchObject({ '@nestjs/common': NEST_RANGE, '@nestjs/core': NEST_RANGE });
  });

  test('init asks in a terminal, and writes what was chosen', async () => {
    const project = new CliProject({}, []);
    let step = 0;
    try {
      await project.runInTerminal(['init'], {
        watch: (said, child) => {
          if (step === 0 && said.includes('Which folder?')) {
            step = 1;
            child.write('/agent\r');
          } else if (step === 1 && said.includes('What kind of project?')) {
            step = 2;
            child.write('\u001b[B\r');
          }
        },
      });
      expect(existsSync(join(project.folder, 'agent/src/app.module.ts'))).toBe(true);
    } finally {
      project.close();
    }
  }, 60_000);
});
