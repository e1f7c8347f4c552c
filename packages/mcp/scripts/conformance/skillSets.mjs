// The scenarios of the skills extension, which the requirements of a revision do not score. Each runs by itself, and by force, because
// extensions have no revision.
import { fileURLToPath } from 'node:url';

const REVISION = '2026-07-28';
const client = fileURLToPath(new URL('./skillsClient.mjs', import.meta.url));

const SERVER_SCENARIOS = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'];
const CLIENT_SCENARIOS = [
  'sep-2640-client-no-prefetch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
];

export const skillSet = {
  needsServer: true,
  scenarios: [
    ...SERVER_SCENARIOS.map((name) => ({ name, list: (url) => force(name, 'server', '--url', url) })),
    ...CLIENT_SCENARIOS.map((name) => ({
      name,
      list: (_url, node) => force(name, 'client', '--command', `${node} ${client}`),
    })),
  ],
};

function force(name, ...args) {
  return [...args, '--scenario', name, '--spec-version', REVISION, '--force'];
}
