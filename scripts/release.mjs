// `npm run release -- 0.2.0` sets that version for all packages. Its tag starts .github/workflows/release.yml.
// `npm run release -- --publish v0.2.0` builds the packages and publishes them to npm, each after its dependencies.
// `npm run release -- --dry-run` publishes the present version to a registry on this machine, which ends with the command.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import { listOutdatedBenches } from '../bench/page.mjs';
import { build } from './build.mjs';
import packages from './packages.cjs';
import { capture, fail, must, root, temporaryFolder } from './process.mjs';
import { startRegistry } from './registry.mjs';

const MISSING_REPOSITORY =
  'package.json of the root has no "repository": set it there to { "type": "git", "url": "git+https://…" }. Each package is published with it and with its own folder.';
const names = packages.map(({ manifest }) => manifest.name);

/** Lists the tasks of the owner before a release. */
function listMissingSteps() {
  const benches = listOutdatedBenches();
  return [
    ...(readManifest('.').repository === undefined ? [MISSING_REPOSITORY] : []),
    ...(benches.length === 0
      ? []
      : [
          `docs/benchmarks.md has figures of older code: ${benches.join(', ')}. Run \`npm run bench -- --write\` on a quiet machine, and commit the figures.`,
        ]),
  ];
}

/** Sets one version for all packages, and pins them to each other. */
function setVersion(version) {
  const pin = (manifest) => {
    manifest.version = version;
    const { peerDependencies, devDependencies = {} } = manifest;
    for (const name of names) {
      if (name in peerDependencies) peerDependencies[name] = version;
      // The core is developed with itself, by a link.
      if (name in devDependencies && name !== 'toolwright') devDependencies[name] = version;
    }
  };
  for (const { folder } of packages) editJson(join(root, folder, 'package.json'), pin);
  editJson(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const { folder } of packages) pin(lock.packages[folder === '.' ? '' : folder]);
  });
}

/** Packs the built packages with licence and repository, and without fields for developers. Returns each with its tarball. */
export function pack() {
  const out = temporaryFolder('tarballs');
  const { repository } = readManifest('.');
  return packages.map((each) => {
    const manifest = readManifest(each.folder);
    for (const field of ['scripts', 'devDependencies', 'workspaces']) delete manifest[field];
    if (repository !== undefined) manifest.repository = { ...repository, directory: each.folder };
    const stage = temporaryFolder('stage');
    for (const file of globSync([...manifest.files, 'README.md'], { cwd: join(root, each.folder) }))
      cpSync(join(root, each.folder, file), join(stage, file));
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    must(`npm pack of ${manifest.name}`, 'npm', ['pack', '--pack-destination', out], { cwd: stage });
    const name = manifest.name.replace('@', '').replace('/', '-');
    return { ...each, manifest, tarball: join(out, `${name}-${manifest.version}.tgz`) };
  });
}

/** Publishes in the order of the packages. An interrupted release continues with the packages that npm does not have. */
export function publish(packed, env) {
  for (const {
    manifest: { name, version },
    tarball,
  } of packed) {
    const isPublished = capture('npm', ['view', `${name}@${version}`, 'version'], { env }).stdout.trim() === version;
    const tag = version.includes('-') ? 'next' : 'latest';
    if (!isPublished)
      must(`npm publish of ${name}`, 'npm', ['publish', tarball, '--access', 'public', '--tag', tag], { env });
    console.log(`${name} ${version}: ${isPublished ? 'was published before' : 'published'}`);
  }
}

function prepare(version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? ''))
    fail(
      `Expected a version such as 0.2.0, --publish or --dry-run, and got ${version ?? 'nothing'}: npm run release -- 0.2.0`,
    );
  failIfStepsAreMissing();
  setVersion(version);
  console.log(`Commit this, tag it v${version}, and push both: .github/workflows/release.yml publishes the tag.`);
}

async function publishTag(tag) {
  const { version } = readManifest('.');
  if (tag !== `v${version}`)
    fail(
      `Expected the tag v${version}, the version in package.json, and got ${tag}: run npm run release -- VERSION first`,
    );
  failIfStepsAreMissing();
  await build();
  publish(pack(), {});
}

function failIfStepsAreMissing() {
  const missing = listMissingSteps();
  if (missing.length > 0) fail(missing.join('\n'));
}

async function rehearse() {
  await build();
  publish(pack(), await startRegistry());
  const missing = listMissingSteps();
  console.log(missing.length > 0 ? missing.join('\n') : 'Nothing is missing for a release.');
  // Ends the registry.
  process.exit();
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function editJson(file, edit) {
  const value = JSON.parse(readFileSync(file, 'utf8'));
  edit(value);
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, publish: { type: 'string' } },
    allowPositionals: true,
  });
  if (values['dry-run']) await rehearse();
  else if (values.publish !== undefined) await publishTag(values.publish);
  else prepare(positionals[0]);
}
