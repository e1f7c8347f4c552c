import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliProject } from './support/CliProject';

let project: CliProject;

beforeEach(() => {
  project = new CliProject({
    'package.json': '{ "type": "module", "private": true }\n',
    'toolwright.config.js': `import { readFileSync } from 'node:fs';
import { pinFile } from '@toolwright/mcp';

const connect = (file) => () => ({
  getServerCapabilities: () => ({ tools: {} }),
  request: async () => ({ tools: JSON.parse(readFileSync(file, 'utf8')) }),
});
const pins = pinFile('mcp-pins.json');
export const mcp = { notes: { client: connect('notes.json'), pins }, files: { client: connect('files.json'), pins } };
`,
  });
  project.write('notes.json', JSON.stringify([{ name: 'read', description: 'Reads a note.' }]));
  project.write('files.json', '[]');
});
afterEach(() => {
  project.close();
});

const diff = (...args: readonly string[]) => project.run(['mcp', 'diff', ...args]);

describe('toolwright mcp diff', () => {
  test('a server without pins differs in each tool, until they are accepted', async () => {
    const first = await diff('notes');
    expect(first).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 difference. Accept with --accept.') as string,
    });
    expect(first.out).toBe('notes: tool read added\n  + description: "Reads a note."\n  + name: "read"\n');
    expect(existsSync(join(project.folder, 'mcp-pins.json'))).toBe(false);
    expect(await diff('notes', '--accept')).toMatchObject({ code: 0 });
    expect(await diff('notes')).toMatchObject({ code: 0, out: '' });
  });

  test('a changed description is shown, as JSON too, and exits with 1', async () => {
    await diff('--accept');
    project.write('notes.json', JSON.stringify([{ name: 'read', description: 'Reads a note.\u001b[2J' }]));
    const shown = await diff();
    expect(shown.code).toBe(1);
    expect(shown.out).toBe(
      'notes: tool read changed\n  - description: "Reads a note."\n  + description: "Reads a note.\\u001b[2J"\n',
    );
    const json = await diff('--json');
    expect([json.code, JSON.parse(json.out)]).toEqual([
      1,
      [
        {
          server: 'notes',
          change: 'changed',
          kind: 'tool',
          remoteName: 'read',
          difference: '- description: "Reads a note."\n+ description: "Reads a note.\\u001b[2J"',
        },
      ],
    ]);
  });

  test('all servers of the module are compared, and are pinned in one file', async () => {
    expect((await diff('--accept')).code).toBe(0);
    const { servers } = JSON.parse(readFileSync(join(project.folder, 'mcp-pins.json'), 'utf8')) as {
      readonly servers: object;
    };
    expect(Object.keys(servers)).toEqual(['files', 'notes']);
  });

  test.each<[string, readonly string[], string, RegExp]>([
    ['is unknown', ['note'], '', /^E980 toolwright\.config\.js: mcp has no server "note"\. Did you mean "notes"\?/m],
    ['is not declared', [], 'export const mcp = { notes: {} };\n', /^E980 .*mcp\.notes is not \{ client, pins \}/m],
    ['is in no export', [], 'export const other = 1;\n', /^E980 .*it exports no mcp/m],
  ])('E980 a server that %s is refused with exit code 2', async (_what, args, config, message) => {
    if (config !== '') project.write('toolwright.config.js', config);
    expect(await diff(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) as string });
  });
});
