import { readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { swc } from './swc.js';
import { node, type Workspace } from './Workspace.js';

const root = resolve(__dirname, '../../..');
const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs');
/** They find files beside themselves, such as those of worker threads, so they stay where they are. */
const builtFolders = ['dist', 'packages/programs/dist', 'packages/durable/dist'].map((folder) =>
  join(realpathSync(root), folder, 'builtFolder.mjs'),
);

/**
 * A project with `bundled/main.js`, made of a program and the file of a spec that it imports. A few files instead of hundreds:
 * each of its processes starts in half of the time.
 */
export async function bundledProject(workspace: Workspace, file: string, main: string): Promise<string> {
  const sources = { [`src/${basename(file)}`]: readFileSync(file, 'utf8'), 'src/main.ts': main };
  const project = workspace.project('esm', sources);
  await swc.compile({ folder: project, settings: { format: 'esm' } });
  const options = [
    '--platform',
    'node',
    '--format',
    'esm',
    '--dir',
    'bundled',
    ...builtFolders.flatMap((file) => ['--external', file]),
  ];
  expect(await node(project, [rolldown, 'out/main.js', ...options])).toMatchObject({ code: 0 });
  return project;
}
