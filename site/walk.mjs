// `npm run docs -- check [--shots]`: walks the built site in Chromium. With --shots, screenshots are in build/site-shots.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../scripts/process.mjs';
import { checkLinks } from './checkLinks.mjs';
import readPages from './readPages.cjs';
import { serveSite } from './site.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = join(root, 'build/site-shots');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
/** Pages of exports are made by one template, so that a few of them show its faults. */
const EXPORTS_PER_SAMPLE = 60;
/** The rules of axe that can find other faults in another theme. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** The parts that are the same on every page: audited on the home page and on the first page of the sidebar. */
const FRAME = ['.VPNav', '.VPSidebar'];
/** A name of an option, a code and a tool: the address that one of the first results has, and a text of a result. */
const SEARCHES = [
  ['timeoutMs', /^\/options/, /@Tool/],
  ['E108', /^\/errors#e108$/, /E108/],
  ['open_sections', /^\/(?!api)/, /open_sections/],
];

/**
 * Opens every page of the sidebar, wide and narrow, in light and dark, and searches.
 *
 * @returns a line of totals, and the faults, which are also printed when they are found
 */
export async function walkSite({ withShots }) {
  assert.ok(executablePath, 'Chromium is needed: apt-get install chromium');
  if (withShots) mkdirSync(shots, { recursive: true });
  const faults = [];
  // A fault is printed at once, since the walk takes a minute.
  const report = (fault) => {
    faults.push(fault);
    console.error(fault);
  };
  const { pages: files, links, faults: broken } = checkLinks();
  broken.forEach(report);
  const { url, close } = await serveSite(0);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const tab = await openTab(browser, url, report);
    const listed = await readSidebar(tab);
    const sample = sampleExports();
    // The pages of exports are alike, and axe takes most of the time.
    const isAudited = (path) => !path.startsWith('/api/') || path === '/api/' || sample.includes(path);
    for (const path of ['/', ...listed, ...sample])
      await tab.visit(path, async (page) => {
        for (const theme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          if (withShots && !path.startsWith('/api/')) await shoot(page, path, theme);
          if (!isAudited(path)) continue;
          const rules = theme === 'dark' ? RULES_OF_COLOURS : [];
          const skipped = ['/', listed[0]].includes(path) ? [] : FRAME;
          await audit(page, { where: `${path} in ${theme}`, rules, skipped, report });
        }
        await page.setViewportSize({ width: 360, height: 740 });
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (excess > 0) report(`${path} is ${excess} pixels too wide at 360 pixels`);
        if (withShots && !path.startsWith('/api/')) await shoot(page, path, '360');
        await page.setViewportSize({ width: 1440, height: 900 });
      });
    await tab.visit('/', async (page) => {
      for (const [text, address, about] of SEARCHES) await search(page, text, address, about, report);
    });
    const opened = 1 + listed.length + sample.length;
    const totals = [
      `site: ${opened} of ${files} pages opened in two themes and two widths`,
      `${links} links`,
      `${SEARCHES.length} searches`,
    ];
    return { totals: `${totals.join(', ')}, ${faults.length} faults`, faults };
  } finally {
    await browser.close();
    await close();
  }
}

/** Opens a tab that reports errors of its pages, failed requests, and requests to other servers. */
async function openTab(browser, url, report) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // Colours that are changing would be audited otherwise.
  await context.addInitScript(() => {
    const style = Object.assign(document.createElement('style'), {
      textContent: '*, *::before, *::after { transition: none !important; animation: none !important }',
    });
    document.addEventListener('DOMContentLoaded', () => document.head.append(style));
  });
  const page = await context.newPage();
  let where = '';
  const reportHere = (text) => report(`${where}: ${text}`);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) reportHere(message.text());
  });
  page.on('pageerror', (error) => reportHere(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) reportHere(`asks ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) reportHere(`${response.status()} for ${response.url()}`);
  });
  return {
    visit: async (path, look) => {
      where = path;
      await page.goto(url + path, { waitUntil: 'load' });
      await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined);
      return look(page);
    },
  };
}

/** Reads the addresses of the sidebar, which must have each page of docs/README.md. */
async function readSidebar(tab) {
  const listed = await tab.visit('/getting-started', (page) =>
    page.locator('.VPSidebar a.link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  );
  for (const { path } of readPages().flatMap(({ pages }) => pages))
    assert.ok(listed.includes(`/${path.replace(/\.md$/, '')}`), `the sidebar has no ${path}`);
  return [...new Set(listed)];
}

function sampleExports() {
  return readdirSync(join(root, 'build/site/api'), { recursive: true })
    .filter((path) => path.endsWith('.html') && !path.endsWith('index.html'))
    .sort()
    .filter((_, index) => index % EXPORTS_PER_SAMPLE === 0)
    .map((path) => `/api/${path.replace(/\.html$/, '')}`);
}

/** Runs axe on a page: these rules, or all rules for an empty list. */
async function audit(page, { where, rules, skipped, report }) {
  await page.evaluate(axe);
  const context = skipped.length === 0 ? undefined : { exclude: skipped.map((selector) => [selector]) };
  const options = { resultTypes: ['violations'], preload: false, ...(rules.length === 0 ? {} : { runOnly: rules }) };
  const run = ([what, how]) => globalThis.axe.run(what ?? document, how);
  const { violations } = await page.evaluate(run, [context, options]);
  for (const { id, nodes } of violations) {
    const targets = nodes.map(({ target }) => target.join(' '));
    report(`${where}: axe finds ${id} at ${targets.slice(0, 3).join(' and ')} (${targets.length} places)`);
  }
}

async function search(page, text, address, about, report) {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('searchbox');
  await box.fill(text);
  const results = page.locator('.VPLocalSearchBox .result');
  await results.filter({ hasText: about }).first().waitFor();
  const addresses = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  // More results are not seen without scrolling.
  if (!addresses.slice(0, 5).some((each) => address.test(each)))
    report(`the search for ${text} leads to ${addresses.slice(0, 5).join(', ')}`);
  await page.keyboard.press('Escape');
}

async function shoot(page, path, name) {
  const title = path.slice(1).replaceAll('/', '-') || 'home';
  await page.screenshot({ path: join(shots, `${title}-${name}.png`) });
}
