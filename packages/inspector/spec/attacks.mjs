// What attackers send, and where they ask from.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { browser, launch, library, retail, root, settled, shots, visit } from './harness.mjs';

const { readBundleFile, serveInspector } = library;
const EVIL = `"><script>globalThis.attacked=1</script><img src=x onerror="globalThis.attacked=1">javascript:attacked=1{{attacked}}</textarea></style>`;

/** Replaces every text of a bundle that is not its structure. */
function poisoned(value, key = '') {
  const kept = [
    'kind',
    'format',
    'outcome',
    'type',
    'caller',
    'how',
    'visibility',
    'role',
    'session',
    'run',
    'finishReason',
  ];
  if (typeof value === 'string') return kept.includes(key) ? value : EVIL;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => poisoned(entry, key));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poisoned(entry, name)]));
}

export async function scripts() {
  const { entries, head } = await readBundleFile(`${root}build/retail-desk.bundle.jsonl`);
  const file = `${shots}/poisoned.jsonl`;
  writeFileSync(file, [head, ...entries].map((entry) => `${JSON.stringify(poisoned(entry))}\n`).join(''));
  const inspector = await serveInspector({});
  await visit(inspector, '&view=bundles', async (page) => {
    await page.getByLabel('Bundle file').setInputFiles(file);
    await page.locator('[role=option]').first().waitFor();
    for (let index = 1; index <= 6; index++) {
      await page.keyboard.press(String(index));
      await settled(page);
      if ((await page.locator('[role=option]').count()) > 5) await page.locator('[role=option]').nth(5).click();
      for (const summary of await page.locator('main summary').all())
        await summary.click({ timeout: 1_000 }).catch(() => undefined);
      for (const tab of await page.locator('main [role=tab]').all())
        await tab.click({ timeout: 1_000 }).catch(() => undefined);
      await settled(page);
    }
    await page.keyboard.press('6');
    await page.getByRole('button', { name: 'Make a test' }).first().click();
    await page.locator('pre').last().waitFor();
    assert.equal(await page.evaluate(() => globalThis.attacked), undefined);
    assert.equal(await page.locator('script:not([type=module]), main img').count(), 0);
    assert.ok(await page.getByText('globalThis.attacked=1').count());
  });
}

export async function origins() {
  const desk = await retail();
  const { origin, hash } = new URL(desk.url);
  const attacker = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<p>evil</p>'),
  );
  await new Promise((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    await page.goto(`http://127.0.0.1:${attacker.address().port}/`);
    const said = await page.evaluate(
      async ([from, token]) => {
        const headers = { authorization: `Bearer ${token}` };
        const read = await fetch(`${from}/api/about`, { headers }).then(
          (answer) => answer.text(),
          () => 'refused',
        );
        const blind = await fetch(`${from}/api/rehearse`, { method: 'POST', mode: 'no-cors', body: '{}' }).then(
          (answer) => answer.type,
          () => 'refused',
        );
        const frame = document.createElement('iframe');
        frame.src = from;
        document.body.append(frame);
        await new Promise((resolve) => (frame.onload = resolve));
        let framed = 'closed';
        try {
          framed = frame.contentDocument?.querySelector('#app') ? 'open' : 'closed';
        } catch {
          framed = 'closed';
        }
        return { read, blind, framed };
      },
      [origin, hash.slice('#token='.length)],
    );
    assert.deepEqual(said, { read: 'refused', blind: 'refused', framed: 'closed' });
    // A name of the attacker that now leads to this machine.
    const rebound = await launch('--host-resolver-rules=MAP evil.example 127.0.0.1');
    const other = await rebound.newPage();
    const answer = await other.goto(`http://evil.example:${new URL(desk.url).port}/${hash}`);
    assert.equal(answer.status(), 403);
    await rebound.close();
  } finally {
    await context.close();
    attacker.close();
    await desk.close();
  }
}
