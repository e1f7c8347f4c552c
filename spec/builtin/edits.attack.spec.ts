import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { HostFilesystem } from '@toolwright/files';
import { workbench } from './workspace/workbench';
import { HELD_MS, leastPause } from '../support/hostPause';
import { measureAround } from '../support/attacks/around';

measureAround();

const folders: string[] = [];
async function openHost(): Promise<HostFilesystem> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-edits-'));
  folders.push(folder);
  return HostFilesystem.open(folder);
}
const opened: readonly [string, () => Promise<Filesystem>][] = [
  ['memory', () => Promise.resolve(new InMemoryFilesystem())],
  ['host', openHost],
];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const A = 'a'.repeat(20_000);
const LINES = `${'a'.repeat(9_990)}\r\n`.repeat(90);

describe.each(opened)('edits that take long (%s)', (_name, open) => {
  test.each<[string, string, string, boolean]>([
    ['one line', 'a'.repeat(900_000), `${A}b${A}`, false],
    ['one line, to be replaced everywhere', 'a'.repeat(900_000), `${A}b${A}`, true],
    ['lines that end with \\r\\n', LINES, `${'a'.repeat(9_000)}b\n${A}`, false],
    ['a text with a long end', 'a'.repeat(900_000), `b${'a'.repeat(225_000)}`, false],
  ])('HOST-06g a text of one letter that does not occur: %s', async (_what, content, oldText, replaceAll) => {
    const files = await open();
    await files.write('f', content);
    const { call } = await workbench(files);
    const args = { path: 'f', old_text: oldText, new_text: 'c', replace_all: replaceAll };
    let text = '';
    expect(await leastPause(async () => (text = (await call('edit_file', args)).text), 3)).toBeLessThan(HELD_MS);
    expect(text).toContain('Read the file, and give the text exactly as it is there');
    if (files instanceof HostFilesystem) await files.close();
  });

  test('HOST-06h millions of occurrences are replaced in pieces', async () => {
    const files = await open();
    const { call } = await workbench(files);
    const args = { path: 'f', old_text: 'a', new_text: 'b', replace_all: true };
    let text = '';
    const pause = await leastPause(async () => {
      await files.write('f', 'a'.repeat(4_000_000));
      text = (await call('edit_file', args)).text;
    }, 5);
    expect(text).toBe('Replaced 4000000 occurrences in f.');
    expect(pause).toBeLessThan(HELD_MS);
    expect((await files.stat('f')).sizeBytes).toBe(4_000_000);
    expect((await files.grep('^b+$')).length).toBe(1);
    if (files instanceof HostFilesystem) await files.close();
  });
});

test('HOST-06h a write of others while a text is replaced is not lost', async () => {
  const files = new InMemoryFilesystem({ files: { f: 'a'.repeat(1_000_000) } });
  const edited = files.edit('f', 'a', 'b', { replaceAll: true });
  await new Promise((resolve) => setImmediate(resolve));
  await files.write('f', 'aaa');
  expect(await edited).toMatchObject({ replacements: 3 });
  expect(files.files()).toEqual({ f: 'bbb' });
});
