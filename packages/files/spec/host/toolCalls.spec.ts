import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bind } from 'toolwright';
import { Filesystem } from 'toolwright/resources';
import { TransactionResources } from 'toolwright/internal';
import { registryOf } from '../../../../spec/resource/registryOf';
import { diskTree } from './diskTree';
import { Folders } from './folders';

const folders = new Folders();
afterEach(() => folders.remove());

/** A folder that is bound as the filesystem, and calls that use it. */
async function bound() {
  const root = await folders.folder();
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh\n');
  chmodSync(join(root, 'run.sh'), 0o750);
  const fs = await folders.open(root);
  const registry = registryOf([bind(Filesystem, { value: fs })]);
  return { root, call: (readOnly = false) => new TransactionResources(registry, { readOnly }) };
}

const changeAll = async (files: Filesystem): Promise<void> => {
  await files.write('made/by/call', 'x');
  await files.edit('run.sh', 'sh', 'zsh');
  await files.delete('empty');
};

describe('files on the host, as a resource of a call', () => {
  test('HAND-24 files on the host are as they were when the call fails, and stay changed when it succeeds', async () => {
    const { root, call } = await bound();
    const before = diskTree(root);
    const bad = call();
    await changeAll(bad.get(Filesystem));
    bad.close();
    expect(await bad.finish(false, () => undefined)).toBeUndefined();
    expect(diskTree(root)).toEqual(before);
    await expect(async () => bad.get(Filesystem).write('late', 'x')).rejects.toMatchObject({ code: 'E602' });

    const good = call();
    await changeAll(good.get(Filesystem));
    good.close();
    await good.finish(true, () => undefined);
    expect(Object.keys(diskTree(root))).toEqual(['made', 'made/by', 'made/by/call', 'run.sh']);
    expect(diskTree(root)).toMatchObject({ 'run.sh': { file: '#!/bin/zsh\n', mode: 0o750 } });
  });

  test('CONC-08 files on the host are read by a read-only call, and not written', async () => {
    const { root, call } = await bound();
    const before = diskTree(root);
    const reading = call(true);
    const files = reading.get(Filesystem);
    expect((await files.read('run.sh')).content).toBe('#!/bin/sh');
    expect(await files.glob('**')).toEqual(['run.sh']);
    await expect(async () => files.write('a', 'x')).rejects.toMatchObject({ code: 'E607' });
    expect(() => reading.refuseChanges()).toThrow(/HostFilesystem/);
    reading.close();
    await reading.finish(false, () => undefined);
    expect(diskTree(root)).toEqual(before);
  });
});
