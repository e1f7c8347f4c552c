// `node samples/40-desk/walk.mjs [--shots] [PART OF A TITLE]`: builds the sample and its page, and walks the page in Chromium: two customers
// and a supervisor in three tabs, with a server that is killed. With --shots, screenshots are in build/desk.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { buildAgainstPackages, fingerprint, isFresh, writeStamp } from '../../scripts/build.mjs';
import { must, root, temporaryFolder } from '../../scripts/process.mjs';

const here = join(root, 'samples/40-desk');
const shots = join(root, 'build/desk');
const withShots = process.argv.includes('--shots');
const [only] = process.argv.slice(2).filter((argument) => argument !== '--shots');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

await build();
const folder = temporaryFolder('desk');
let server = await startServer(0);
const { url } = server;
const { people } = await (await fetch(`${url}/api/people`)).json();
const [first, second, supervisor] = people;
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
assert.ok(executablePath, 'Chromium is needed: apt-get install chromium');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
/** The tabs of one browser, with one set of cookies. */
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const faults = [];
let steps = 0;
let passed = 0;

try {
  await walk();
} finally {
  await browser.close();
  await server.kill();
}
console.log(`desk: ${steps} steps, ${passed} passed`);
process.exitCode = steps > 0 && passed === steps ? 0 : 1;

async function walk() {
  const tabs = {};
  await step('three people sign in, each in a tab of the same browser', async () => {
    for (const person of people) {
      const page = await openTab('');
      if (person === first) await audit(page, 'sign-in');
      await page.getByRole('button', { name: person.name }).click();
      await page.getByText(person.name, { exact: true }).waitFor();
      tabs[person.id] = page;
    }
    await audit(tabs[supervisor.id], 'supervisor-empty');
    await audit(tabs[first.id], 'customer-empty');
  });
  const [customer, other, boss] = [tabs[first.id], tabs[second.id], tabs[supervisor.id]];
  if (boss === undefined) return;

  await step('two customers are answered at the same time, word by word, and see the calls and chapters', async () => {
    await Promise.all([say(customer, 'What is the state of my orders?'), say(other, 'What do you sell?')]);
    await Promise.all([seeGrowing(customer), seeGrowing(other)]);
    await Promise.all([settle(customer), settle(other)]);
    assert.match(await lastAnswer(customer), /^Hello .*what you would like me to do with it\.$/s);
    assert.match(await lastAnswer(other), /^We sell 20 kinds of things: /);
    await other.getByText('Opened the chapter “catalogue”').waitFor();
    await customer.getByText('find user id by email').click();
    await customer.getByText(first.email).first().waitFor();
    await audit(customer, 'customer-answer');
  });

  await step('a message that is sent during an answer reaches the agent before it answers', async () => {
    await newChat(customer);
    await say(customer, 'What is the state of my orders?');
    await customer.getByText('get order details').first().waitFor();
    await say(customer, 'Which address do you have?');
    await customer.locator('.bubble.pending, .bubble.added').first().waitFor();
    await shoot(customer, 'steering');
    await settle(customer);
    assert.match(
      await lastAnswer(customer),
      /^I have read that you added “Which address do you have\?”.*Your parcels go to/s,
    );
    assert.equal(await customer.locator('.bubble.added').count(), 1);
    await customer.reload();
    await settle(customer);
    assert.equal(await customer.locator('.bubble.added').count(), 1, 'the message is kept in its place');
  });

  await step('an answer is stopped, and what was said stays', async () => {
    await newChat(customer);
    await say(customer, 'What is the state of my orders?');
    await seeGrowing(customer);
    await customer.getByRole('button', { name: 'Stop' }).click();
    await settle(customer);
    const kept = await lastAnswer(customer);
    assert.doesNotMatch(kept, /what you would like me to do with it\.$/);
    assert.match(kept, /^Hello/);
    await customer.reload();
    await settle(customer);
    assert.doesNotMatch(await lastAnswer(customer), /what you would like me to do with it\.$/);
    await say(customer, 'What do you sell?');
    await settle(customer);
    assert.match(await lastAnswer(customer), /^We sell 20 kinds/);
  });

  await step('a page that is loaded again in the middle of an answer shows all of it, once', async () => {
    await newChat(customer);
    await say(customer, 'What is the state of my orders?');
    await seeGrowing(customer);
    await customer.reload();
    await settle(customer);
    const text = await lastAnswer(customer);
    assert.match(text, /^Hello .*what you would like me to do with it\.$/s);
    assert.equal(text.split('Hello').length, 2);
    assert.equal(await customer.locator('.message').count(), 2);
  });

  await step('a supervisor sees what a refund would change, and denies it with a reason by keyboard', async () => {
    await newChat(customer);
    await say(
      customer,
      first.suggestions.find((text) => text.includes('gift card')),
    );
    await settle(customer);
    await say(customer, 'Yes, please.');
    await customer.getByText('A supervisor decides about this').waitFor();
    await audit(customer, 'customer-waiting');
    await customer.getByText('waits for a supervisor').waitFor();
    const view = boss.locator('toolwright-approval');
    await view.getByRole('article', { name: 'Approval of return_delivered_order_items' }).waitFor();
    await view.getByText('"delivered"').waitFor();
    await view.getByText('"return requested"', { exact: true }).waitFor();
    await audit(boss, 'supervisor-question');
    const reason = view.getByLabel('Reason for a denial');
    for (const width of [360, 1440]) {
      await boss.setViewportSize({ width, height: 800 });
      await reason.scrollIntoViewIfNeeded();
      const { x, width: wide, height } = await reason.boundingBox();
      assert.ok(x >= 0 && x + wide <= width && wide > 240 && height >= 50, `the reason is cut off at ${width} pixels`);
    }
    await reason.focus();
    await boss.keyboard.type('Not on a gift card: it could be passed on.');
    // The page polls meanwhile, which must not take the text away.
    await boss.waitForResponse((response) => response.url().endsWith('/api/chat/questions'));
    assert.equal(await reason.inputValue(), 'Not on a gift card: it could be passed on.');
    await boss.keyboard.press('Tab');
    await boss.keyboard.press('Enter');
    await boss.getByText('Denied: return delivered order items.').waitFor();
    await customer.getByText('denied by the supervisor').waitFor();
    await settle(customer);
    assert.match(await lastAnswer(customer), /Not on a gift card: it could be passed on\./);
    assert.deepEqual(commits(), []);
  });

  await step('a supervisor approves a refund with other arguments', async () => {
    await say(customer, first.suggestions[1]);
    await settle(customer);
    await say(customer, 'Yes.');
    const view = boss.locator('toolwright-approval');
    await view.getByRole('button', { name: 'Edit arguments' }).click();
    const editor = view.getByLabel('Arguments, as JSON');
    const given = JSON.parse(await editor.inputValue());
    assert.ok(given.item_ids.length > 1);
    await editor.fill('{');
    await view.getByRole('button', { name: 'Approve with these arguments' }).click();
    await view.getByText('This is not valid JSON').waitFor();
    await editor.fill(JSON.stringify({ ...given, item_ids: given.item_ids.slice(1) }, null, 2));
    await audit(boss, 'supervisor-editing');
    await view.getByRole('button', { name: 'Approve with these arguments' }).click();
    await boss.getByText('Approved: return delivered order items.').waitFor();
    await customer.getByText('approved and done').waitFor();
    await settle(customer);
    assert.match(await lastAnswer(customer), new RegExp(`^Done: ${given.item_ids.length - 1} items of order`));
    assert.deepEqual(commits(), [`orders ${given.order_id}`]);
    await audit(customer, 'customer-refunded');
  });

  await step(
    'the server is killed after a change of the shop and in the middle of an answer, and nothing is done twice',
    async () => {
      const port = Number(new URL(url).port);
      const comesBack = async () => {
        await other.getByText('The connection is lost').waitFor();
        server = await startServer(port);
        await other.getByText('The connection is lost').waitFor({ state: 'detached' });
      };
      await server.kill();
      server = await startServer(port, { diesAfterCommit: true });
      await newChat(other);
      const wish = second.suggestions.find((text) => text.includes('cancel'));
      const orderId = /#W\d{7}/.exec(wish)[0];
      await say(other, wish);
      await settle(other);
      await say(other, 'Yes.');
      await server.ended;
      await shoot(other, 'connection-lost');
      await comesBack();
      await seeGrowing(other);
      await server.kill();
      await comesBack();
      await settle(other);
      const text = await lastAnswer(other);
      assert.match(text, new RegExp(`^Done: order ${orderId} is cancelled.*for you today\\?$`, 's'));
      assert.equal(text.split('Done:').length, 2, 'the answer is there once');
      assert.equal(await other.getByText('cancel pending order').count(), 1);
      assert.equal(commits().filter((commit) => commit === `orders ${orderId}`).length, 1, 'it is cancelled once');
    },
  );

  await step('chats are listed, and one opens again', async () => {
    const links = other.getByRole('navigation', { name: 'Chats' }).getByRole('link');
    assert.equal(await links.count(), 2);
    await links.filter({ hasText: 'What do you sell?' }).click();
    await other.getByText(/^We sell 20 kinds/).waitFor();
    await audit(other, 'customer-list');
  });

  await step('nobody reads the chat of somebody else', async () => {
    const id = new URL(customer.url()).hash.split('/')[2];
    const statusFor = (page, person) =>
      page.evaluate(
        async ([path, name]) => (await fetch(path, { headers: { 'x-desk-person': name } })).status,
        [`/api/chat/${id}`, person.id],
      );
    assert.equal(await statusFor(customer, first), 200);
    assert.equal(await statusFor(other, second), 404);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('choose who you are').waitFor();
    assert.equal(await statusFor(other, second), 401);
  });

  await step('no page had an error, and none asked another machine', () => assert.deepEqual(faults, []));
}

async function step(title, work) {
  if (only !== undefined && !title.includes(only) && !title.includes('sign in')) return;
  steps++;
  const began = performance.now();
  try {
    await work();
    passed++;
    console.log(`ok    ${title} (${Math.round(performance.now() - began)} ms)`);
  } catch (error) {
    console.log(`FAIL  ${title}\n${error.stack}`);
    if (withShots)
      for (const [index, page] of context.pages().entries())
        await page.screenshot({ path: join(shots, `failed-${steps}-${index}.png`) });
  }
}

async function openTab(path) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The browser itself reports requests that fail: while the server is down, for a new chat, and those that the walk expects.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  await page.goto(`${url}/${path}`);
  return page;
}

async function newChat(page) {
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('How can we help').waitFor();
}

async function say(page, text) {
  await page.locator('.composer textarea').fill(text);
  await page.locator('.composer textarea').press('Enter');
}

/** Waits until the answer is being written and has a few words. */
async function seeGrowing(page) {
  const bubble = page.locator('.message.assistant').last().locator('.bubble.assistant').last();
  await page.waitForFunction(
    () => {
      const answers = [...document.querySelectorAll('.message')].at(-1)?.querySelectorAll('.bubble.assistant');
      return (answers && [...answers].at(-1)?.textContent.split(' ').length) > 4 && document.querySelector('.typing');
    },
    undefined,
    { polling: 20 },
  );
  return bubble.textContent();
}

/** Waits until nothing is being written. */
async function settle(page) {
  await page.waitForFunction(
    () => document.querySelectorAll('.message').length > 0 && document.querySelector('.typing') === null,
  );
  // An answer may be about to be resumed.
  await page.waitForTimeout(150);
  await page.waitForFunction(() => document.querySelector('.typing') === null);
}

function lastAnswer(page) {
  return page.locator('.message').last().locator('.bubble.assistant').last().textContent();
}

/** Lists what calls have changed in the shop so far, one entry for each row of each commit. */
function commits() {
  const file = join(folder, 'shop.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.flatMap((line) =>
    Object.entries(JSON.parse(line).changes).flatMap(([table, rows]) =>
      Object.keys(rows).map((id) => `${table} ${id}`),
    ),
  );
}

/** Looks for faults with axe, and for contents that are too wide: light and dark, narrow and wide. */
async function audit(page, name) {
  for (const width of [360, 1440])
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const where = `${name}-${width}-${colorScheme}`;
      await shoot(page, where);
      // The debugger runs axe, which the policy of the page does not bind.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3)}`,
      );
      assert.deepEqual(found, [], `axe on ${where}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(excess <= 0, `${where} is ${excess} pixels too wide`);
    }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

async function shoot(page, name) {
  if (withShots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

async function build() {
  if (withShots) {
    rmSync(shots, { recursive: true, force: true });
    mkdirSync(shots, { recursive: true });
  }
  await buildAgainstPackages('samples');
  const sources = ['package-lock.json', 'package.json', 'page'].map((path) => `samples/40-desk/${path}`);
  const stamp = fingerprint([...sources, 'packages/ui/src/approval']);
  if (existsSync(join(here, 'dist')) && isFresh('build/stamps/desk-page', stamp)) return;
  must('npm ci', 'npm', ['ci'], { cwd: here });
  must('npm run build', 'npm', ['run', 'build'], { cwd: here });
  writeStamp('build/stamps/desk-page', stamp);
}

/**
 * Starts the sample as a user does.
 *
 * @param port 0 for a free one
 * @param diesAfterCommit true for a process that is killed as soon as a change of the shop is on the disk, before the call is recorded
 */
async function startServer(port, { diesAfterCommit = false } = {}) {
  const env = { ...process.env, PORT: String(port), DESK_DATA: folder, DESK_PACE_MS: '60', OPENAI_API_KEY: '' };
  const preload = join(folder, 'dieAfterCommit.cjs');
  if (diesAfterCommit)
    writeFileSync(
      preload,
      `const fs = require('node:fs');
      const { fdatasyncSync } = fs;
      fs.fdatasyncSync = (file) => {
        fdatasyncSync(file);
        process.kill(process.pid, 'SIGKILL');
      };`,
    );
  const args = [...(diesAfterCommit ? ['--require', preload] : []), 'build/samples/40-desk/main.js'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface(child.stdout), 'line').then(([text]) => text), ended]);
  const found = /http:\/\/\S+/.exec(String(line))?.[0];
  assert.ok(found, `the server did not start: ${line}`);
  return {
    url: found,
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
