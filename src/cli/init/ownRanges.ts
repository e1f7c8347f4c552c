import { readFileSync } from 'node:fs';
import type { Manifest } from '../doctor/packages.js';
import { ownFile } from '../ownFile.js';
import type { ProjectInput } from './newProject.js';

/** The ranges of this version of Toolwright and of its peers. */
export function ownRanges(): Omit<ProjectInput, 'name'> {
  const { version = '', peerDependencies: peers = {} } = JSON.parse(
    readFileSync(ownFile('package.json'), 'utf8'),
  ) as Manifest;
  return { toolwright: `^${version}`, peers };
}
