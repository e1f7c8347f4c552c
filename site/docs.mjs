// `npm run docs`: writes the generated pages of docs/ and builds the site into build/site.
//   npm run docs -- dev     shows the site while you write; start it again for a new page
//   npm run docs -- serve   builds the site and serves it as it will be published
//   npm run docs -- check   builds the site and walks it in Chromium; with --shots, takes screenshots
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from '../scripts/bootstrap.mjs';
import { fingerprint, isFresh, writeStamp } from '../scripts/build.mjs';
import { fail, must, root } from '../scripts/process.mjs';

const here = join(root, 'site');
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

/** Writes the pages of docs/ that are made from declarations. */
function writePages() {
  const specs = ['errorsPage', 'optionsPage'].map((name) => `spec/docs/${name}.spec.ts`);
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
  must('npm ci in site', 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: here });
  writeStamp(stamp, state);
}
