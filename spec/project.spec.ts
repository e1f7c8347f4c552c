import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import semver from 'semver';
import { globSync } from 'tinyglobby';
import { parse } from 'yaml';
import manifest from '../package.json';

// The files by which the project is run: nothing else would notice that one of them names a version or a command that is gone.
const root = resolve(__dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readYaml = (file: string): unknown => parse(read(file));

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
        readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
      }
    >
  >;
}

const ci = readYaml('.github/workflows/ci.yml') as Workflow;
const release = readYaml('.github/workflows/release.yml') as Workflow;

test('CI runs .ci/run on every major of Node that docs/support.md names', () => {
  const { steps, strategy } = ci.jobs['run'] ?? { steps: [] };
  const majors = /the even majors ([\d, and]+) \|/.exec(read('docs/support.md'))?.[1]?.match(/\d+/g)?.map(Number);
  expect(strategy?.matrix.node).toEqual(majors);
  expect(steps.map(({ run }) => run)).toContain('.ci/run');
  for (const major of majors ?? []) expect(semver.intersects(`^${String(major)}`, manifest.engines.node)).toBe(true);
});

test('docs/support.md names the oldest Node and the majors of NestJS that the manifests take', () => {
  const support = read('docs/support.md');
  expect(manifest.engines.node).toBe(`>=${/\| Node \| ([\d.]+) or newer/.exec(support)?.[1] ?? ''}`);
  const nest = JSON.parse(read('packages/nestjs/package.json')) as typeof manifest;
  const peers: Readonly<Record<string, string>> = nest.peerDependencies;
  const majors = /\| NestJS \| ([\d and]+) \|/.exec(support)?.[1]?.split(' and ');
  expect(peers['@nestjs/core']).toBe(majors?.map((major) => `^${major}.0.0`).join(' || '));
});

test('a release runs the tests and publishes its tag without a token, with provenance', () => {
  expect(release.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  const commands = release.jobs['publish']?.steps.flatMap(({ run = [] }) => run);
  expect(commands).toEqual(['npm ci', 'npm test', 'npm run release -- --publish "$GITHUB_REF_NAME"']);
  expect(read('.github/workflows/release.yml')).toContain("NPM_CONFIG_PROVENANCE: 'true'");
  expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\.|TOKEN/);
});

test('updates are looked for in every folder with a lock file', () => {
  const { updates } = readYaml('.github/dependabot.yml') as {
    readonly updates: readonly { readonly 'package-ecosystem': string; readonly directories?: readonly string[] }[];
  };
  const folders = globSync('**/package-lock.json', { cwd: root, ignore: ['**/node_modules/**', 'build/**'] });
  const watched = updates.flatMap(({ directories = [] }) => directories);
  expect(watched.toSorted()).toEqual(
    folders.map((file) => `/${file.replace(/\/?package-lock\.json$/, '')}`).toSorted(),
  );
});

test('each form for an issue has fields with ids and labels', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root, dot: true, ignore: ['**/config.yml'] });
  expect(forms).toHaveLength(2);
  for (const form of forms) {
    const { name, description, body } = readYaml(form) as Readonly<Record<string, unknown>>;
    expect([name, description]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    const fields = body as readonly { readonly id: string; readonly attributes: { readonly label: string } }[];
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(fields.filter(({ attributes }) => attributes.label === '')).toEqual([]);
  }
});
