// The scenarios of the skills extension, which the requirements of a revision do not score. Each runs by itself, and by force, because
// extensions have no revision.
import { fileURLToPath } from 'node:url';

const REVISION = '2026-07-28';
const client = fileURLToPath(new URL('./skillsClient.mjs', import.meta.url));

export const SKILL_SERVER_SCENARIOS = [
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
  'sep-2640-skills-directory',
];

export const SKILL_CLIENT_SCENARIOS = [
  'sep-2640-client-no-prefetch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
];

/**
 * Runs the seven scenarios.
 *
 * @param run runs the suite with arguments; resolves with its report
 * @param url the fixture server
 * @param node the Node that runs the client
 * @returns the number of scenarios that passed, and the reports of the others
 */
export async function runSkillScenarios(run, url, node) {
  const sets = [
    ...SKILL_SERVER_SCENARIOS.map((name) => ['server', '--url', url, '--scenario', name]),
    ...SKILL_CLIENT_SCENARIOS.map((name) => ['client', '--command', `${node} ${client}`, '--scenario', name]),
  ];
  const surprises = [];
  for (const args of sets) {
    const report = await run([...args, '--spec-version', REVISION, '--force']);
    if (!isPassed(report)) surprises.push(`skills ${args.at(-1)} fails:\n${report}`);
  }
  return { group: 'skills', line: `${sets.length - surprises.length}/${sets.length}`, surprises };
}

/** A scenario whose checks were all skipped shows nothing, so some check must have passed. */
function isPassed(report) {
  const [, passed = 0, failed = 1] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(report) ?? [];
  return Number(passed) > 0 && Number(failed) === 0;
}
