import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolwrightError } from 'toolwright';
import type { FilesystemSnapshot } from 'toolwright/resources';
import type { HostFilesystem } from '../../src/HostFilesystem';
import { diskTree } from './diskTree';
import { Folders } from './folders';

const folders = new Folders();
let attacker: ChildProcess | undefined;
afterEach(async () => {
  attacker?.kill('SIGKILL');
  await folders.remove();
});

const SECRET = 'from outside';

/**
 * Another process: it puts links to outside in the place of a directory and of a file, and the real ones back, all the time.
 * It writes only where no link can be, since a restored one would lead it outside itself.
 */
const attack = `
  const { lstatSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  process.chdir(root);
  const tried = (work) => { try { return work(); } catch { return undefined; } };
  console.log('begun');
  for (let round = 0; ; round++) {
    tried(() => mkdirSync('d'));
    tried(() => renameSync('d', '.git'));
    if (tried(() => lstatSync('.git').isSymbolicLink())) tried(() => unlinkSync('.git'));
    else if (round % 50 === 0) {
      tried(() => mkdirSync('.git/e'));
      tried(() => writeFileSync('.git/f', 'inside'));
      tried(() => writeFileSync('h', 'inside'));
      tried(() => renameSync('h', 'f'));
    }
    tried(() => symlinkSync(outside, 'd'));
    tried(() => symlinkSync(outside + '/f', 'g'));
    tried(() => renameSync('g', 'f'));
    tried(() => unlinkSync('d'));
    tried(() => renameSync('.git', 'd'));
    tried(() => unlinkSync('f'));
  }
`;

test('FS-02 nothing outside is read or changed while others swap links in', async () => {
  const [root, outside] = [await folders.folder(), await folders.folder()];
  mkdirSync(join(outside, 'e'));
  for (const name of ['f', 'secret', 'e/f']) writeFileSync(join(outside, name), SECRET);
  const before = diskTree(outside);
  const fs = await folders.open(root);
  const snapshots: FilesystemSnapshot[] = [];
  const counts = { done: 0, refused: 0 };

  attacker = spawn(process.execPath, ['-e', attack, root, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(attacker.stdout!, 'data');
  const begun = performance.now();
  // Both must be met, or there was no race; on a busy machine that takes longer.
  const isMet = (): boolean => Math.min(counts.done, counts.refused) > 50;
  while (performance.now() < begun + (isMet() ? 2_000 : 30_000)) {
    for (const operation of operations(fs, snapshots)) {
      try {
        expect(JSON.stringify([await operation()])).not.toContain(SECRET);
        counts.done++;
      } catch (error) {
        if (!(error instanceof ToolwrightError)) throw error;
        counts.refused++;
      }
    }
  }
  attacker.kill('SIGKILL');
  await once(attacker, 'exit');

  expect(diskTree(outside)).toEqual(before);
  for (const snapshot of snapshots) {
    await fs.restore(snapshot);
    expect(JSON.stringify(await fs.grep(''))).not.toContain(SECRET);
  }
  expect(diskTree(outside)).toEqual(before);
  expect(isMet()).toBe(true);
}, 60_000);

function operations(fs: HostFilesystem, snapshots: FilesystemSnapshot[]): readonly (() => Promise<unknown>)[] {
  return [
    () => fs.read('d/f'),
    () => fs.read('f'),
    () => fs.read('d/secret'),
    () => fs.list('d'),
    () => fs.stat('d/secret'),
    () => fs.grep('.'),
    () => fs.glob('**'),
    () => fs.write('d/f', 'ours'),
    () => fs.write('d/new/f', 'ours'),
    () => fs.write('f', 'ours', { mode: 'append' }),
    () => fs.write('f', 'ours'),
    () => fs.edit('f', 'i', 'o'),
    () => fs.mkdir('d/e/made'),
    () => fs.snapshot().then((snapshot) => snapshots.push(snapshot)),
    () => fs.delete('d/f'),
    () => fs.delete('d/secret'),
    () => fs.delete('d/e', { recursive: true }),
    () => fs.delete('d', { recursive: true }),
    async () => {
      if (snapshots.length > 0) await fs.restore(snapshots.at(-1)!);
    },
  ];
}
