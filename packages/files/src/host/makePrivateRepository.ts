import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from 'toolwright/internal/light';
import { GitConversation } from './GitConversation.js';
import { hostRefusals } from './hostRefusals.js';

/**
 * Creates an empty private git repository outside the folder with the files.
 *
 * @param root the real path of the folder with the files
 * @param folder the folder in which to create it; the system's folder for temporary files by default
 * @returns its path; the caller removes it
 * @throws ResourceError E906
 */
export async function makePrivateRepository(root: string, folder = tmpdir()): Promise<string> {
  const repository = await makeFolder(root, folder);
  try {
    await new GitConversation(repository, ['init', '--bare', '--quiet', '--template=']).end();
    return repository;
  } catch (cause) {
    await rm(repository, { recursive: true });
    throw hostRefusals.notOpened(
      root,
      `git, which keeps the snapshots, cannot be run: ${messageOf(cause)}`,
      'Install git on the PATH of this process, or pass { snapshots: false }.',
      cause,
    );
  }
}

async function makeFolder(root: string, folder: string): Promise<string> {
  try {
    const above = await realpath(folder);
    const isWithin = `${above}/`.startsWith(root === '/' ? root : `${root}/`);
    if (!isWithin) return await mkdtemp(join(above, 'toolwright-git-'));
  } catch (cause) {
    throw createNoPlaceError(root, folder, messageOf(cause), cause);
  }
  throw createNoPlaceError(root, folder, 'it is inside the folder of which snapshots are taken');
}

function createNoPlaceError(root: string, folder: string, why: string, cause?: unknown): Error {
  return hostRefusals.notOpened(
    root,
    `snapshots cannot be kept in ${folder}: ${why}`,
    'Name a folder elsewhere with { gitFolder }, or pass { snapshots: false }.',
    cause,
  );
}
