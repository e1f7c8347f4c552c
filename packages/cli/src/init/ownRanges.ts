import { readFileSync } from 'node:fs';
import type { Manifest } from '../doctor/packages.js';
import { coreFile, ownManifest } from '../ownFile.js';
import type { ProjectInput } from './newProject.js';

/** The versions of Nest that `@toolwright/nestjs` works with. A spec compares it with the peers of that package. */
export const NEST_RANGE = '^11.0.0 || ^12.0.0';

/** The ranges of this version of Toolwright, and of the packages that it needs. */
export function ownRanges(): Omit<ProjectInput, 'name'> {
  const { peerDependencies: peersOfCore } = JSON.parse(readFileSync(coreFile('package.json'), 'utf8')) as Manifest;
  const { version, peerDependencies: { typescript = '*' } = {} } = ownManifest();
  const peers = { ...peersOfCore, typescript, '@nestjs/common': NEST_RANGE, '@nestjs/core': NEST_RANGE };
  return { toolwright: `^${version}`, peers };
}
