// `npm run docs`: writes the generated pages and lists of the repository, and builds the site into build/site.
//   npm run docs -- dev     shows the site while you write; start it again for a new page
//   npm run docs -- serve   builds the site and serves it as it will be published
//   npm run docs -- check   builds the site and walks it in Chromium; with --shots, takes screenshots
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from '../scripts/bootstrap.mjs';
import { fingerprint, isFresh, writeStamp } from '../scripts/build.mjs';
import { capture, fail, must, root } from '../scripts/process.mjs';

const here = join(root, 'site');
/** How npm names a registry that does not answer. */
const UNREACHABLE =
  /\b(?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b/;
const [, , task = 'build'] = process.argv;
if (!['build', 'dev', 'serve', 'check'].includes(task))
  fail(`npm run docs -- ${task}: no such task. Write dev, serve, check or nothing.`);

bootstrap();
// A check changes no file; the specs compare the generated pages.
if (task !== 'check') writePages();
install();
const { buildSite, serveSite, showSite } = await import('./site.mjs');
if (task === 'dev') console.log(`The site: ${await showSite()}`);
else {
  await buildSite();
  console.log('The site is in build/site.');
  if (task === 'serve') console.log(`It is served at ${(await serveSite(4173)).url}`);
  if (task === 'check') await check();
}

/** Writes the pages that are made from declarations, and the list of pages in llms.txt. */
function writePages() {
  const specs = ['errorsPage', 'llms', 'optionsPage'].map((name) => `spec/docs/${name}.spec.ts`);
  must('Writing the generated pages', process.execPath, ['node_modules/jest/bin/jest.js', ...specs], {
    env: { UPDATE_DOCS: '1' },
  });
}

async function check() {
  const { walkSite } = await import('./walk.mjs');
  const { totals, faults } = await walkSite({ withShots: process.argv.includes('--shots') });
  console.log(totals);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** Installs the tools of the site, unless they are installed. */
function install() {
  const stamp = 'site/node_modules/.toolwright-stamp';
  const state = fingerprint(['site/package-lock.json'], process.platform, process.arch);
  if (existsSync(join(here, 'node_modules')) && isFresh(stamp, state)) return;
  console.log('Installing VitePress and typedoc in site …');
  const args = ['ci', '--prefer-offline', '--fetch-retries=1', '--no-audit', '--no-fund'];
  const { ok, output } = capture('npm', args, { cwd: here });
  const [reason] = UNREACHABLE.exec(output) ?? [];
  if (!ok && reason !== undefined)
    fail(
      `VitePress and typedoc are not installed in site, and npm cannot reach its registry (${reason}). Connect, or set npm_config_registry to a registry that npm reaches, and run this command again.`,
    );
  if (!ok) fail(`npm ci in site failed:\n${output}`);
  writeStamp(stamp, state);
}
