import { pathToFileURL } from 'node:url';
import { node, type Workspace } from './Workspace.js';

const program = `
  const all = [];
  for (const url of process.argv.slice(1)) {
    try {
      all.push(await (await import(url)).said);
    } catch (error) {
      all.push(String(error));
    }
  }
  process.stdout.write(JSON.stringify(all));
`;

/**
 * The export `said` of each project, or the error: one process imports what compilers made of `src/main.ts`, project by project.
 */
export async function saidBy(workspace: Workspace, folders: readonly string[]): Promise<readonly string[]> {
  const urls = folders.map((folder) => pathToFileURL(`${folder}/out/main.js`).href);
  const { stdout, stderr } = await node(workspace.folder, ['--input-type=module', '--eval', program, ...urls]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly string[];
}
