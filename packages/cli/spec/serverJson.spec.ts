import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './support/inProcess';

const MANIFEST = {
  name: '@ada/orders',
  version: '1.2.3',
  description: 'Orders of a shop.',
  mcpName: 'io.github.ada/orders',
  repository: { type: 'git', url: 'git+https://github.com/ada/orders.git' },
};

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function folderWith(manifest: object, serverJson?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-server-json-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  if (serverJson !== undefined) writeFileSync(join(folder, 'server.json'), serverJson);
  return folder;
}

const read = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'));

describe('toolwright serve --server-json', () => {
  test('serve --server-json writes what the registry needs from package.json', async () => {
    const folder = folderWith(MANIFEST);
    expect(await runHere(folder, ['serve', '--server-json'])).toEqual({ code: 0, out: 'server.json\n', err: '' });
    expect(read(folder)).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.ada/orders',
      description: 'Orders of a shop.',
      repository: { url: 'https://github.com/ada/orders', source: 'github' },
      version: '1.2.3',
      packages: [{ registryType: 'npm', identifier: '@ada/orders', version: '1.2.3', transport: { type: 'stdio' } }],
    });
  });

  test('serve --server-json takes over a new version, and keeps everything else of the file', async () => {
    const folder = folderWith(MANIFEST);
    await runHere(folder, ['serve', '--server-json']);
    const written = read(folder) as { readonly packages: readonly object[] };
    const remotes = [{ type: 'streamable-http', url: 'https://orders.example/mcp' }];
    const packages = written.packages.map((each) => ({ ...each, runtimeHint: 'npx' }));
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ ...written, packages, remotes }));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...MANIFEST, version: '2.0.0' }));
    await runHere(folder, ['serve', '--server-json']);
    expect(read(folder)).toMatchObject({
      version: '2.0.0',
      remotes,
      packages: [{ identifier: '@ada/orders', version: '2.0.0', runtimeHint: 'npx' }],
    });
  });

  test.each<[string, object, RegExp]>([
    ['no mcpName', { mcpName: undefined }, /mcpName: expected a name such as io\.github\.USER\/SERVER/],
    ['an mcpName with two slashes', { mcpName: 'io.github.ada/orders/x' }, /mcpName/],
    ['an mcpName with a space', { mcpName: 'io.github.ada/my orders' }, /mcpName/],
    ['no description', { description: undefined }, /description: expected 1 to 100 characters/],
    ['a description of 101 characters', { description: 'x'.repeat(101) }, /description/],
    ['no version', { version: undefined }, /version: expected one version/],
    ['a range as version', { version: '^1.2.3' }, /version/],
  ])('E930: serve --server-json refuses a package.json with %s', async (_name, wrong, message) => {
    const folder = folderWith({ ...MANIFEST, ...wrong });
    const { code, err } = await runHere(folder, ['serve', '--server-json']);
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
    expect(err).toContain('E930 package.json');
  });

  test('E930: serve --server-json leaves a broken server.json as it is', async () => {
    const folder = folderWith(MANIFEST, '{ broken');
    expect((await runHere(folder, ['serve', '--server-json'])).err).toContain('E930 server.json');
    expect(readFileSync(join(folder, 'server.json'), 'utf8')).toBe('{ broken');
  });

  test('E973: serve without --mcp and --server-json says what to write', async () => {
    expect((await runHere(folderWith(MANIFEST), ['serve'])).err).toContain('E973 serve');
  });
});
