// A browser, the pages that checks open in it, and the retail desk that they look at.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const shots = `${root}build/inspector`;
const built = (path) => import(new URL(path, `file://${root}`).href);
/** What the checks use of Toolwright and of the inspector, as they were built. */
export const library = {
  ...(await built('dist/index.mjs')),
  ...(await built('dist/bundles.mjs')),
  ...(await built('dist/testing.mjs')),
  ...(await built('packages/inspector/dist/index.mjs')),
};
const { ApprovalInbox, readBundleFile, serveInspector } = library;
const { openDesk } = (await built('build/samples/20-retail-desk/demo/openDesk.js')).default;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
assert.ok(executablePath, 'Chromium is needed: apt-get install chromium');
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });

/** Starts a browser, with further flags. */
export const launch = (...flags) => chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
export const browser = await launch('--disable-sync', '--no-first-run');

/** Uses a page, and closes it; fails on any error of the page, and on any request that leaves the machine. */
export async function onPage(url, use, { width = 1440, height = 900, colorScheme = 'light', isExpected } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|blob:|data:)/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  try {
    await page.goto(url);
    await page.waitForSelector('.nav');
    const said = await use(page);
    assert.deepEqual(
      faults.filter((fault) => !isExpected?.(fault)),
      [],
    );
    return said;
  } finally {
    await context.close();
  }
}

/** Uses a page of an inspector, and closes both. */
export async function visit(inspector, place, use, options) {
  try {
    return await onPage(`${inspector.url}${place}`, use, options);
  } finally {
    await inspector.close();
  }
}

export async function retail(options = {}) {
  const approvals = new ApprovalInbox();
  const { app, newSession, play, prompt } = await openDesk(approvals);
  const bundle = await readBundleFile(`${root}build/retail-desk.bundle.jsonl`);
  const settings = { allowCalls: true, approvals, newSession, prompts: [prompt], ...options };
  const inspector = await serveInspector({ app, bundle, bundleName: 'retail-desk.bundle.jsonl' }, settings);
  const close = async () => {
    await inspector.close();
    // A run that still waits for an approval would keep it open.
    for (const { id } of approvals.waiting) approvals.answer(id, { kind: 'denied', reason: 'closing' });
    await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  };
  return { ...inspector, play, approvals, close };
}

export async function audit(page, where) {
  // axe is run by the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3)}`);
  assert.deepEqual(found, [], `axe on ${where}`);
}

/** Waits until everything that was asked for has come. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('main')?.textContent?.includes('Loading…'));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
