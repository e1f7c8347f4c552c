import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failAfter } from 'toolwright/testing';
import { HostFilesystem } from '@toolwright/files';
import { workbench } from './workbench.js';

// The tools over a folder of the host, with a secret beside it.

let above: string;
let files: HostFilesystem;

beforeEach(async () => {
  above = mkdtempSync(join(tmpdir(), 'toolwright-workspace-'));
  mkdirSync(join(above, 'root/src'), { recursive: true });
  writeFileSync(join(above, 'secret'), 'secret\n');
  writeFileSync(join(above, 'root/src/app.ts'), 'one\ntwo\n');
  symlinkSync('../secret', join(above, 'root/link'));
  files = await HostFilesystem.open(join(above, 'root'));
});

afterEach(async () => {
  await files.close();
  rmSync(above, { recursive: true });
});

const read = (path: string): string => readFileSync(join(above, path), 'utf8');

test('the tools work on the folder', async () => {
  const { call } = await workbench(files);
  expect((await call('ls', { path: 'src' })).text).toBe('app.ts');
  expect((await call('read_file', { path: 'src/app.ts' })).text).toMatch(/\n1\tone\n2\ttwo$/);
  expect((await call('grep', { pattern: 't.o' })).text).toBe('src/app.ts:2: two');
  await call('edit_file', { path: 'src/app.ts', old_text: 'two', new_text: 'three' });
  await call('write_file', { path: 'docs/a.md', content: 'hello' });
  expect([read('root/src/app.ts'), read('root/docs/a.md')]).toEqual(['one\nthree\n', 'hello']);
  await call('rm', { path: 'docs', recursive: true });
  expect(readdirSync(join(above, 'root'))).not.toContain('docs');
});

test('changes of a failed call are taken back on the disk', async () => {
  const { call } = await workbench(files, [failAfter('*')]);
  await call('write_file', { path: 'src/app.ts', content: '' });
  await call('write_file', { path: 'docs/a.md', content: 'hello' });
  await call('rm', { path: 'src', recursive: true });
  expect(read('root/src/app.ts')).toBe('one\ntwo\n');
  expect(readdirSync(join(above, 'root')).sort()).toEqual(['link', 'src']);
});

test('FS-01 neither a path nor a link leads to what lies beside the folder', async () => {
  const { call } = await workbench(files);
  const beside = ['../secret', 'src/../../secret', '%2e%2e/secret', '．．/secret', join(above, 'secret'), 'link'];
  for (const path of beside) {
    expect((await call('read_file', { path })).kind).toBe('failed');
    expect((await call('write_file', { path, content: 'x' })).kind).toBe('failed');
    expect((await call('edit_file', { path, old_text: 'secret', new_text: 'x' })).kind).toBe('failed');
    expect((await call('grep', { pattern: 'secret', path })).text).not.toMatch(/secret:1: secret/);
  }
  expect((await call('grep', { pattern: 'secret' })).text).toBe('No line matches.');
  expect(read('secret')).toBe('secret\n');
});
