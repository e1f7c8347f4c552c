// Runs that go on from a moment, that are parked, and that are opened from bundles.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { audit, library, retail, root, shots, visit } from './harness.mjs';

const { ScriptedModel, serveInspector } = library;

export async function fork() {
  const model = new ScriptedModel([{ text: 'I am sorry, I cannot do that.' }]);
  const desk = await retail({ adapter: model });
  const leave = desk.approvals.listen(() => {
    for (const { id } of desk.approvals.waiting) desk.approvals.answer(id, { kind: 'approved' });
  });
  await visit(desk, '&view=state&source=live', async (page) => {
    await desk.play();
    leave();
    await page.getByRole('slider', { name: 'Moment' }).waitFor();
    await page.getByRole('tab', { name: 'Continue from here' }).click();
    await page.getByLabel('What to change').waitFor();
    await page.screenshot({ path: `${shots}/state-fork-answer.png` });
    await page.getByLabel('What to change').selectOption({ label: 'The text of the section Rules of the desk' });
    const text = page.getByLabel('Text', { exact: true });
    await text.fill(`${await text.inputValue()}\n\nNever book anything.`);
    await page.screenshot({ path: `${shots}/state-fork-1440.png` });
    await audit(page, 'fork');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.screenshot({ path: `${shots}/state-fork-360.png` });
    await audit(page, 'fork, narrow');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the fork is ${overflow} pixels too wide`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('Forked from').waitFor();
    await page.getByText('I am sorry, I cannot do that.').first().waitFor();
    assert.match(model.requests[0].messages[0].content, /Never book anything\./);
    await page.screenshot({ path: `${shots}/runs-fork.png` });
    await audit(page, 'the run of a fork');
    await page.getByLabel('Conversation').selectOption({ index: 2 });
    await page.waitForFunction(() => document.querySelectorAll('.run-row.run').length === 1);
    await page.getByLabel('Conversation').selectOption('');
    await page.getByRole('button', { name: 'Show where it was forked' }).click();
    await page.waitForFunction(() => !document.querySelector('.detail-pane')?.textContent?.includes('Forked from'));
    // Where nothing would answer, or nothing is allowed, the page says why.
    await page.getByLabel('Runs shown').selectOption({ index: 0 });
    await page.getByRole('button', { name: 'State', exact: true }).click();
    await page.getByRole('tab', { name: 'Continue from here' }).click();
    await page.getByText('a bundle is a record').waitFor();
    await audit(page, 'no fork');
  });
}

/** Starts `npm run inspect`; resolves with its address once it has printed it. */
async function inspectCommand() {
  const child = spawn(process.execPath, [`${root}packages/inspector/scripts/inspect.mjs`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const part of child.stdout) {
    said += part;
    if (said.includes('Ctrl+C')) break;
  }
  const close = async () => {
    child.kill('SIGINT');
    assert.deepEqual(await ended, [0, null], 'Ctrl+C ends it with exit code 0');
  };
  return { url: /http:\S+/.exec(said)?.[0], close };
}

export async function command() {
  const inspector = await inspectCommand();
  await visit(inspector, '&view=approvals&source=live', async (page) => {
    const card = page.getByRole('article', { name: 'Approval of return_delivered_order_items' });
    await card.getByText('gift_card').first().waitFor();
    await page.getByRole('button', { name: 'State', exact: true }).click();
    await page.getByRole('tab', { name: 'Continue from here' }).click();
    await page.getByText('scripted (not a model)').waitFor();
    // Another plan than the script's: the run goes on with it, and the script after it.
    const calls = page.getByLabel('Its calls, as JSON');
    await calls.fill((await calls.inputValue()).replace('Return all of', 'Give back all of'));
    await page.screenshot({ path: `${shots}/command-fork.png` });
    await audit(page, 'the fork of npm run inspect');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('Forked from').waitFor();
    await page
      .getByText(/I would send back all \d+ items/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'State', exact: true }).click();
    await page
      .getByText(/Give back all of/)
      .first()
      .waitFor();
    await page.screenshot({ path: `${shots}/command-forked.png` });
  });
}

/** Runs whose questions are of a store, as far as the inspector uses them. */
function storedRuns() {
  const question = {
    id: 'q-2',
    call: '2.0',
    run: 'run-17',
    conversation: 'customer-4',
    tenant: null,
    askedAt: Date.now(),
  };
  let open = [
    { ...question, name: 'cancel_pending_order', arguments: {}, about: 'approval' },
    { ...question, id: 'q-3', call: '3.0', run: 'run-18', name: 'send_parcel', arguments: {}, about: 'unknown' },
  ];
  const before = { status: 'pending' };
  const changes = [{ what: '#W1', before, after: { status: 'cancelled' } }];
  const ofTenant = {
    preview: async (_run, id) =>
      id === 'q-2'
        ? { arguments: { order_id: '#W1' }, rehearsal: { changed: [{ part: 'resource', name: 'orders', changes }] } }
        : { arguments: { to: 'Ada' }, problem: 'it may act outside, and declares no preview' },
    reply: async (_run, id) => {
      open = open.filter((each) => each.id !== id);
      return id === 'q-2' ? 'late' : 'taken';
    },
  };
  return { acrossTenants: { questions: async () => open }, forTenant: () => ofTenant };
}

export async function parked() {
  const desk = await retail({ runs: storedRuns() });
  await visit(
    desk,
    '&view=approvals',
    async (page) => {
      const approval = page.getByRole('article', { name: 'Approval of cancel_pending_order' });
      await page.getByText('parked in the store').first().waitFor();
      await approval.getByText('"cancelled"').waitFor();
      await page.screenshot({ path: `${shots}/approvals-parked.png` });
      await audit(page, 'parked questions');
      const outcome = page.getByRole('article', { name: 'Outcome of send_parcel' });
      await outcome.getByLabel('What it did').fill('It was sent at noon.');
      await outcome.getByRole('button', { name: 'Take this as its outcome' }).click();
      await outcome.waitFor({ state: 'detached' });
      await approval.getByRole('button', { name: 'Approve' }).click();
      await page.getByText(/Your answer about cancel_pending_order came late/).waitFor();
      await page.screenshot({ path: `${shots}/approvals-late.png` });
      await audit(page, 'a late answer');
    },
    { colorScheme: 'dark' },
  );
}

export async function bundles() {
  const inspector = await serveInspector({});
  await visit(
    inspector,
    '&view=bundles',
    async (page) => {
      await page.getByLabel('Bundle file').setInputFiles(`${root}build/retail-desk.bundle.jsonl`);
      await page
        .getByRole('option', { name: /exchange_delivered_order_items/ })
        .first()
        .waitFor();
      await page.keyboard.press('6');
      await page.getByRole('button', { name: 'Make a test' }).first().click();
      await page.getByText("import { ReplayModel } from 'toolwright/testing';").waitFor();
      await page.screenshot({ path: `${shots}/bundles-test.png` });
      await page.keyboard.press('1');
      await page.getByText('## 1. Rules of the desk').waitFor();
      await page.keyboard.press('6');
      const text = readFileSync(`${root}build/retail-desk.bundle.jsonl`, 'utf8');
      const file = { name: 'dropped.jsonl', text: text.slice(0, text.length - 40) };
      await page.evaluate(({ name, text: content }) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], name));
        document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
      }, file);
      await page.getByRole('alert').waitFor();
      assert.match(await page.getByRole('alert').textContent(), /E750 line \d+: it is not JSON/);
    },
    { isExpected: (fault) => fault.includes('422') },
  );
}
