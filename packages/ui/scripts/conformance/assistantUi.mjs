// Rows of a page of assistant-ui, which is a host of AG-UI with a client of its own: the page is in `host/`, and so are its packages.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { agUiHandler } from '@toolwright/ui';
import { must } from '../../../../scripts/process.mjs';
import { authenticate, call, makeFetch, openDesk } from './desk.mjs';

const folder = fileURLToPath(new URL('host', import.meta.url));

/** Writes two words, and waits until it is stopped. */
const stoppedModel = {
  name: 'stopped',
  complete: () => new Promise(() => {}),
  async *stream({ signal }) {
    yield { kind: 'text', text: 'I was ' };
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  },
};

async function openPage(script) {
  if (!existsSync(`${folder}/node_modules`)) {
    const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    must('npm install of the page with assistant-ui', 'npm', ['install', ...flags], { cwd: folder });
  }
  const { openPage } = await import('./host/page.mjs');
  const desk = await openDesk(script);
  const fetch = makeFetch(agUiHandler(desk.runs, { authenticate }));
  return { ...desk, fetch, page: await openPage(fetch) };
}

const refundW7 = call('refund', { id: 'W7', amount: 40 });

/** A row that opens a page, and closes it at the end. */
const row = (name, script, check) => ({
  name: `assistant-ui: ${name}`,
  async check() {
    const opened = await openPage(script);
    try {
      await check(opened);
      assert.deepEqual(opened.page.problems, []);
    } finally {
      opened.page.close();
    }
  },
});

export const rows = [
  row(
    'a call is shown with its result, and the answer behind it',
    [call('get_order', { id: 'W7' }), { text: 'It is sent.' }],
    async ({ page }) => {
      await page.send('Where is W7?');
      await page.waitFor(() => page.texts('article').at(-1)?.startsWith('It is sent.'));
      assert.deepEqual(page.texts('.call'), ['get_order {"id":"W7"}{"id":"W7","status":"sent"}']);
    },
  ),
  row(
    'an approval is asked beside its call, and the answer goes on behind it',
    [refundW7, { text: 'Refunded.' }],
    async ({ page, refunds }) => {
      await page.send('Refund W7.');
      await page.waitFor(() => page.texts('q').length === 1);
      assert.deepEqual([page.texts('q'), refunds], [['May refund run?'], []]);
      await page.press('Approve');
      await page.waitFor(() => page.texts('article').at(-1)?.startsWith('Refunded.'));
      assert.deepEqual([page.texts('output'), page.texts('q')], [['Refunded 40 for W7.'], []]);
      assert.deepEqual(refunds, [{ id: 'W7', amount: 40 }]);
    },
  ),
  row(
    'the model reads the reason of a denial',
    [refundW7, ({ messages }) => ({ text: /Too much\./.test(messages.at(-1).content) ? 'I may not.' : 'Why?' })],
    async ({ page, refunds }) => {
      await page.send('Refund W7.');
      await page.press('Deny');
      await page.waitFor(() => page.texts('article').at(-1)?.startsWith('I may not.'));
      assert.deepEqual(refunds, []);
    },
  ),
  row('another answer takes the place of the last one', [{ text: 'First.' }, { text: 'Second.' }], async (opened) => {
    const { page } = opened;
    await page.send('Hi');
    await page.press('Again');
    await page.waitFor(() => page.texts('article').at(-1)?.startsWith('Second.'));
    assert.equal(page.texts('article').length, 2);
    assert.deepEqual(await readTexts(opened), ['Hi', 'Second.']);
  }),
  row('stop ends the answer and keeps what was said', stoppedModel, async (opened) => {
    const { page, runs } = opened;
    await page.send('Hi');
    await page.waitFor(() => page.texts('article').at(-1)?.startsWith('I was '));
    page.stop();
    await page.waitFor(() => !page.isRunning());
    const [{ id }] = await runs.list({});
    await runs.result(id).catch(() => undefined);
    assert.equal((await runs.get(id)).status, 'cancelled');
    assert.match(page.texts('article').at(-1), /^I was /);
    assert.deepEqual(await readTexts(opened), ['Hi', 'I was ']);
  }),
];

async function readTexts({ fetch }) {
  const { messages } = await (await fetch('http://shop.test/api/chat/c-1')).json();
  return messages.map(({ content }) => content);
}
