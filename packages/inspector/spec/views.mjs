// The views of the retail desk, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { audit, onPage, retail, settled, shots, visit } from './harness.mjs';

const VIEWS = ['prompt', 'tools', 'runs', 'state', 'approvals', 'bundles'];

export async function walk() {
  const desk = await retail();
  const sizes = [
    [360, 740, 'light'],
    [1440, 900, 'light'],
    [1440, 900, 'dark'],
    [360, 740, 'dark'],
  ];
  try {
    for (const [width, height, colorScheme] of sizes) {
      await onPage(
        desk.url,
        async (page) => {
          for (const [index, view] of VIEWS.entries()) {
            await page.keyboard.press(String(index + 1));
            await page.waitForFunction((name) => location.hash.includes(`view=${name}`), view);
            await settled(page);
            const chosen = { tools: 3, runs: 21 }[view];
            if (chosen !== undefined) {
              await page
                .locator('[role=option]')
                .nth(Math.min(chosen, width < 760 ? 12 : chosen))
                .click();
              await settled(page);
            }
            const where = `${view}-${width}-${colorScheme}`;
            await page.screenshot({ path: `${shots}/${where}.png` });
            await audit(page, where);
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(overflow <= 0, `${where} is ${overflow} pixels too wide`);
            await page.keyboard.press('Escape');
          }
        },
        { width, height, colorScheme },
      );
    }
  } finally {
    await desk.close();
  }
  return `${sizes.length * VIEWS.length} screenshots`;
}

export async function keyboard() {
  const desk = await retail();
  await visit(desk, '', async (page) => {
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    await page.keyboard.press('3');
    await settled(page);
    await page.keyboard.press('j');
    assert.equal(await focused(), 'Timeline');
    for (let times = 0; times < 3; times++) await page.keyboard.press('j');
    await page.keyboard.press('k');
    const chosen = await page.locator('[aria-selected=true][role=option]').getAttribute('aria-posinset');
    assert.equal(chosen, '2');
    await page.keyboard.press('End');
    const last = page.locator('[aria-selected=true][role=option]');
    assert.equal(await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize'));
    await page.keyboard.press('/');
    await page.keyboard.type('exchange_delivered');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length < 20);
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('[role=option]').count());
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    assert.ok(await page.locator('dialog[open]').isVisible());
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    await settled(page);
    // Every control is reached by the tab key, and shows that it is.
    const reached = new Set();
    for (let times = 0; times < 60; times++) {
      await page.keyboard.press('Tab');
      reached.add(await focused());
      const isSeen = await page.evaluate(() => {
        const { outlineStyle } = getComputedStyle(document.activeElement);
        return document.activeElement === document.body || outlineStyle !== 'none';
      });
      assert.ok(isSeen, `no focus is shown on ${await focused()}`);
    }
    for (const name of ['Open all', 'Rendered prompt', 'Keys'])
      assert.ok(reached.has(name) || reached.size > 60, `${name} was not reached: ${[...reached].join(' | ')}`);
  });
}

export async function rehearsal() {
  const desk = await retail();
  await visit(desk, '&view=prompt', async (page) => {
    await settled(page);
    await page.getByRole('button', { name: /Products: summary/ }).click();
    await page.getByRole('button', { name: 'Products: open' }).waitFor();
    await page.getByLabel('storeName').fill('the Mill');
    await page.getByText('You are the support agent of the Mill.').first().waitFor();
    await page.getByRole('tab', { name: 'Difference' }).click();
    await page.locator('.diff .added', { hasText: 'the Mill' }).waitFor();
    await page.screenshot({ path: `${shots}/prompt-difference.png` });
    await page.getByRole('tab', { name: 'As sent' }).click();
    await page.getByRole('tab', { name: 'Anthropic' }).click();
    await page.locator('.json').first().waitFor();
    await page.keyboard.press('2');
    await page.getByRole('option', { name: /planning_setup_plan/ }).click();
    await page.getByLabel('objective').fill('Three requests');
    await page.getByLabel('initial_steps').fill('["One", "Two"]');
    await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
    await page.getByText('rolled back').first().waitFor();
    await page.getByText('What it would change').waitFor();
    await page.screenshot({ path: `${shots}/tools-rehearsal.png` });
    await page.getByRole('tab', { name: 'Schemas' }).click();
    await page.getByRole('tab', { name: 'gemini' }).click();
    await page.screenshot({ path: `${shots}/tools-schemas.png` });
    await audit(page, 'schemas');
  });
}

export async function approval() {
  const desk = await retail();
  await visit(desk, '&view=approvals&source=live', async (page) => {
    await page.getByText('Nothing waits').waitFor();
    const run = desk.play();
    run.catch(() => undefined);
    const card = page.getByRole('article', { name: 'Approval of return_delivered_order_items' });
    await card.getByText('"return requested"').waitFor();
    const reason = card.getByLabel('Reason for a denial');
    const { width, height } = await reason.boundingBox();
    assert.ok(width > 600 && height >= 50, 'the reason has room');
    await page.screenshot({ path: `${shots}/approvals-waiting.png` });
    await audit(page, 'approvals');
    await reason.fill('Not on a gift card.');
    const [first] = desk.approvals.waiting;
    await page.getByRole('button', { name: 'Deny' }).click();
    // The agent asks again, for another way to pay.
    while ([undefined, first.id].includes(desk.approvals.waiting[0]?.id))
      await new Promise((done) => setTimeout(done, 20));
    await card
      .getByText(/paypal|credit_card/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await run;
    await page.keyboard.press('3');
    await page.getByRole('option', { name: /denied/ }).click();
    await page.getByText('Not on a gift card.').first().waitFor();
    await page.screenshot({ path: `${shots}/runs-live.png` });
  });
}
