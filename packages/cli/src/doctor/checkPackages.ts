import { relative } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import intersects from 'semver/ranges/intersects.js';
import {
  createGoodDiagnosis,
  type Diagnosis,
  findCopies,
  findInstalled,
  findToolwrightPackages,
  type InstalledPackage,
  type Manifest,
} from './installedPackages.js';

/** Packages that store declarations. With two copies, declarations in one are not found in the other. */
const ONLY_ONCE = ['reflect-metadata', 'class-validator', 'class-transformer'];

/**
 * Checks Node and the packages of a project against the needs of its Toolwright packages.
 *
 * @param own the manifest of the command
 */
export function checkPackages(folder: string, own: Manifest, node: string): readonly Diagnosis[] {
  const ours = findToolwrightPackages(folder);
  const peers = checkPeers(folder, ours);
  const good = peers.filter(({ status }) => status === 'ok').map(({ name, message }) => `${name} ${message}`);
  return [
    checkNode(own, node),
    checkVersion(folder, own),
    ...checkVersions(ours),
    ...(good.length === 0 ? [] : [createGoodDiagnosis('peers', [...new Set(good)].join(', '))]),
    ...peers.filter(({ status }) => status !== 'ok'),
    ...checkCopies(folder, [...ours.map(({ name }) => name), ...ONLY_ONCE]),
  ];
}

function checkNode({ engines = {} }: Manifest, node: string): Diagnosis {
  const range = engines['node'] ?? '*';
  if (satisfies(node, range)) return createGoodDiagnosis('node', node);
  return { name: 'node', status: 'error', message: `${node} is too old`, remedy: `Install Node ${range}.` };
}

/** Checks that all Toolwright packages have the version of the core. They are released together. */
function checkVersions(ours: readonly InstalledPackage[]): readonly Diagnosis[] {
  const core = ours.find(({ name }) => name === 'toolwright');
  const others = ours.filter((each) => each !== core);
  if (core === undefined || others.length === 0) return [];
  const differing = others.filter(({ version }) => version !== core.version);
  if (differing.length === 0) return [createGoodDiagnosis('packages', others.map(({ name }) => name).join(', '))];
  return differing.map(({ name, version }) => ({
    name,
    status: 'error',
    message: `${version} is installed, and toolwright is ${core.version}`,
    remedy: `npm install "${name}@${core.version}"`,
  }));
}

function checkPeers(folder: string, ours: readonly InstalledPackage[]): readonly Diagnosis[] {
  const names = new Set(ours.map(({ name }) => name));
  return ours.flatMap((each) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = each.manifest;
    return Object.entries(peerDependencies).flatMap(([name, range]): readonly Diagnosis[] => {
      // `checkVersions` checks these.
      if (names.has(name)) return [];
      const found = findInstalled(name, each.folder) ?? findInstalled(name, folder);
      const isOptional = peerDependenciesMeta[name]?.optional === true;
      const remedy = `npm install "${name}@${range}"`;
      if (found === undefined)
        return isOptional
          ? []
          : [{ name, status: 'error', message: `it is not installed, and ${each.name} needs it`, remedy }];
      if (satisfies(found.version, range, { includePrerelease: true }))
        return [createGoodDiagnosis(name, found.version)];
      const message = `${found.version} is installed, and ${each.name} needs ${range}`;
      return [{ name, status: isOptional ? 'warning' : 'error', message, remedy }];
    });
  });
}

function checkCopies(folder: string, names: readonly string[]): readonly Diagnosis[] {
  return [...findCopies(names, folder)].flatMap(([name, copies]): readonly Diagnosis[] => {
    if (copies.length < 2) return [];
    const where = copies.map((copy) => `${copy.version} in ${relative(folder, copy.folder)}`).join(', ');
    const remedy = `npm dedupe, or one version in package.json: npm ls ${name} shows which packages require which version.`;
    return [{ name, status: 'error', message: `it is installed ${String(copies.length)} times: ${where}`, remedy }];
  });
}

/** Compares the version of the command with the project's. A global command may have another version. */
function checkVersion(folder: string, { version = '' }: Manifest): Diagnosis {
  const found = findInstalled('toolwright', folder);
  if (found === undefined)
    return {
      name: 'toolwright',
      status: 'error',
      message: 'it is not installed in the project',
      remedy: 'npm install toolwright',
    };
  if (found.version === version) return createGoodDiagnosis('toolwright', version);
  const message = `the command line is ${version}, and the project has ${found.version}`;
  return { name: 'toolwright', status: 'warning', message, remedy: "Run the project's own: npx toolwright doctor" };
}

/** Checks whether two ranges share a version. Returns true if the first is not a range, such as the address of a repository. */
export function canMeet(range: string, needed: string): boolean {
  try {
    return intersects(range, needed);
  } catch {
    return true;
  }
}
