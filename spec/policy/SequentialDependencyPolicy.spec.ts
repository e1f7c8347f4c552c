import { SequentialDependencyPolicy } from 'toolwright/policies';
import { policyDesk } from './desk';

const NAMES = ['lint', 'build', 'test', 'deploy'];

describe('SequentialDependencyPolicy', () => {
  test('SequentialDependencyPolicy denies until every prerequisite has succeeded, and names the missing ones, sorted', async () => {
    const desk = await policyDesk([new SequentialDependencyPolicy({ deploy: ['test', 'build', 'lint'] })], NAMES);
    expect((await desk.call('deploy')).text).toContain(
      'build, lint, test must have succeeded before. Call them first.',
    );
    await desk.call('lint');
    await desk.call('test');
    expect((await desk.call('deploy')).text).toContain('build must have succeeded before. Call it first.');
    await desk.call('build');
    expect((await desk.call('deploy')).kind).toBe('succeeded');
  });

  test('a failed or denied call counts as not done', async () => {
    const desk = await policyDesk([new SequentialDependencyPolicy({ build: ['lint'], deploy: ['build'] })], NAMES);
    await desk.call('lint', { fails: true });
    expect((await desk.call('build')).kind).toBe('denied');
    expect((await desk.call('deploy')).kind).toBe('denied');
  });

  test('one success is enough, and a later failure does not undo it', async () => {
    const desk = await policyDesk([new SequentialDependencyPolicy({ build: ['lint'] })], NAMES);
    await desk.call('lint');
    await desk.call('lint', { fails: true });
    expect((await desk.call('build')).kind).toBe('succeeded');
    expect((await desk.call('build')).kind).toBe('succeeded');
  });

  test('SequentialDependencyPolicy allows tools that it does not name', async () => {
    const desk = await policyDesk([new SequentialDependencyPolicy({ deploy: ['build'] })], NAMES);
    expect((await desk.call('test')).kind).toBe('succeeded');
  });

  test.each<[string, Readonly<Record<string, readonly string[]>>, RegExp]>([
    ['no tool', {}, /names no tool/],
    ['no prerequisite', { deploy: [] }, /deploy names at least one tool/],
    ['what is no name', { deploy: [1 as never] }, /deploy names at least one tool/],
    ['itself', { deploy: ['deploy'] }, /deploy needs deploy, which never ends/],
    ['a circle', { a: ['b'], b: ['c'], c: ['a'] }, /a needs b needs c needs a/],
  ])('E713: SequentialDependencyPolicy refuses %s', (_name, prerequisites, message) => {
    expect(() => new SequentialDependencyPolicy(prerequisites)).toThrow(message);
    expect(() => new SequentialDependencyPolicy(prerequisites)).toThrow(
      expect.objectContaining({ code: 'E713' }) as Error,
    );
  });
});
