import { bind } from '../../../src/resource/bind';
import { TransactionResources } from '../../../src/resource/TransactionResources';
import { InMemoryFilesystem } from '../../../src/resource/filesystem/InMemoryFilesystem';
import { registryOf } from '../registryOf';

/** A filesystem that is bound, and the registry of its application. */
const bound = () => {
  const fs = new InMemoryFilesystem({ files: { 'keep.txt': 'v1' } });
  return { fs, registry: registryOf([bind(InMemoryFilesystem, { value: fs })]) };
};
const filesOf = (fs: InMemoryFilesystem) => ({ ...fs.files() });

describe('as a resource of a call, files in memory', () => {
  test('HAND-24 files in memory are written when the call succeeds, and are as they were when it does not', async () => {
    const { fs, registry } = bound();
    const [good, bad] = [new TransactionResources(registry), new TransactionResources(registry)];
    for (const call of [good, bad]) {
      await call.get(InMemoryFilesystem).write('new.txt', 'n');
      await call.get(InMemoryFilesystem).delete('keep.txt');
    }
    bad.close();
    expect(filesOf(fs)).toEqual({ 'keep.txt': 'v1' });
    expect(good.conflicts()).toBe(false);
    expect(good.commit()).toBeUndefined();
    expect(filesOf(fs)).toEqual({ 'new.txt': 'n' });
  });

  test('HAND-28 a nested call is a savepoint', async () => {
    const { fs, registry } = bound();
    const outer = new TransactionResources(registry);
    const [first, second] = [
      new TransactionResources(registry, { parent: outer }),
      new TransactionResources(registry, { parent: outer }),
    ];
    await first.get(InMemoryFilesystem).write('first', '1');
    expect(first.commit()).toBeUndefined();
    await second.get(InMemoryFilesystem).write('second', '2');
    second.close();
    expect(filesOf(fs)).toEqual({ 'keep.txt': 'v1' });
    expect(outer.commit()).toBeUndefined();
    expect(filesOf(fs)).toEqual({ 'keep.txt': 'v1', first: '1' });
  });

  test('CONC-03 a call that has read what another one has written since is in conflict', async () => {
    const { registry } = bound();
    const [one, other] = [new TransactionResources(registry), new TransactionResources(registry)];
    for (const call of [one, other]) {
      const { content } = await call.get(InMemoryFilesystem).read('keep.txt');
      await call.get(InMemoryFilesystem).write('keep.txt', `${content}+`);
    }
    expect(one.conflicts()).toBe(false);
    expect(one.commit()).toBeUndefined();
    expect(other.conflicts()).toBe(true);
  });

  test('CONC-08 a read-only call that writes is reported', async () => {
    const { registry } = bound();
    const call = new TransactionResources(registry);
    await call.get(InMemoryFilesystem).read('keep.txt');
    expect(() => call.refuseChanges()).not.toThrow();
    await call.get(InMemoryFilesystem).write('keep.txt', 'v1');
    expect(() => call.refuseChanges()).toThrow(/InMemoryFilesystem/);
  });
});
