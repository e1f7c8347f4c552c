// What is large: a run, a prompt, and the page itself.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { browser, library, root, shots, visit } from './harness.mjs';

const { createApplication, definePrompt, defineSection, defineTool, readBundle, serveInspector } = library;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A recording with so many entries that timelines show. */
function largeBundle(events) {
  const head = { kind: 'bundle', format: 'toolwright/bundle', version: 1, createdAt: 0, versions: { toolwright: '0' } };
  const lines = [
    head,
    { kind: 'run', seq: 0, time: 0, run: 'r', prompt: 'large/run', adapter: 'script', session: 's' },
  ];
  for (let at = 1; at < events; at++) {
    const place = { seq: at, time: at * 7, run: 'r', session: 's' };
    lines.push(
      at % 2 === 0
        ? {
            kind: 'call',
            ...place,
            turn: at,
            callId: `c${at}`,
            name: `tool_${at % 50}`,
            arguments: { at, text: 'x'.repeat(120) },
          }
        : {
            kind: 'event',
            ...place,
            type: 'ToolProgressed',
            fields: { name: `tool_${at % 50}`, message: `Step ${at} of many` },
          },
    );
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

export async function large() {
  const bundle = await readBundle(largeBundle(50_000));
  assert.equal(bundle.entries.length, 50_000);
  const inspector = await serveInspector({ bundle, bundleName: 'large' });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    /** Seconds of the page's thread: other programs on the machine do not count. */
    const worked = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value;
    };
    const began = performance.now();
    const server = process.cpuUsage();
    await page.goto(`${inspector.url}&view=runs`);
    await page.waitForFunction(() => document.querySelector('.summary-line')?.textContent?.startsWith('50,000'));
    const opened = performance.now() - began;
    const { user, system } = process.cpuUsage(server);
    const before = await worked();
    const opening = Math.round(before * 1_000 + (user + system) / 1_000);
    const { rate, slowest, options } = await page.evaluate(async () => {
      const list = document.querySelector('.virtual');
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      const times = [];
      let before = await frame();
      for (let step = 0; step < 120; step++) {
        list.scrollTop += 3_000;
        const now = await frame();
        times.push(now - before);
        before = now;
      }
      const sum = times.reduce((all, time) => all + time, 0);
      return {
        rate: 1_000 / (sum / times.length),
        slowest: Math.max(...times),
        options: list.querySelectorAll('[role=option]').length,
      };
    });
    const perFrame = (((await worked()) - before) * 1_000) / 120;
    await page.screenshot({ path: `${shots}/runs-50000.png` });
    const searched = performance.now();
    await page.getByLabel('Filter the timeline').fill('tool_44');
    await page.waitForFunction(() => document.querySelector('.summary-line')?.textContent?.startsWith('1,000 of'));
    const found = performance.now() - searched;
    const figures = `opened with ${opening} ms of work (${Math.round(opened)} ms here), ${perFrame.toFixed(1)} ms of work a frame (${Math.round(rate)} frames a second here, the slowest ${Math.round(slowest)} ms), ${options} rows in the document, filtered in ${Math.round(found)} ms`;
    assert.ok(opening < 2_000 && perFrame < 20 && options < 100, figures);
    return figures;
  } finally {
    await context.close();
    await inspector.close();
  }
}

export async function manyTools() {
  const tools = Array.from({ length: 10_000 }, (_none, at) =>
    defineTool({
      name: `tool_${at}`,
      description: `Tool number ${at} of many.`,
      hints: { readOnly: true },
      handler: () => String(at),
    }),
  );
  const Many = defineSection({ key: 'many', title: 'Many', template: 'Very many tools.', tools });
  const Prompt = definePrompt({ ns: 'many', key: 'tools', sections: [Many] });
  const app = await createApplication({ prompts: [Prompt], logger: silent });
  const inspector = await serveInspector({ app });
  try {
    return await visit(inspector, '&view=tools', async (page) => {
      const began = performance.now();
      await page
        .getByRole('option', { name: /tool_0/ })
        .first()
        .waitFor();
      const opened = performance.now() - began;
      assert.ok((await page.locator('[role=option]').count()) < 100);
      await page.getByLabel('Find a tool').fill('tool_9999');
      await page.getByRole('option', { name: /tool_9999/ }).click();
      await page.getByText('Tool number 9999 of many.').waitFor();
      assert.ok(opened < 5_000, `${Math.round(opened)} ms`);
      return `listed in ${Math.round(opened)} ms`;
    });
  } finally {
    await app.close();
  }
}

export async function weight() {
  const folder = `${root}packages/inspector/dist/ui`;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const texts = files.map((file) => readFileSync(`${file.parentPath}/${file.name}`));
  const size = texts.reduce((sum, text) => sum + gzipSync(text).length, 0) / 1_000;
  assert.ok(size < 300, `${size} kB`);
  const page = texts
    .map(String)
    .join('\n')
    .replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '');
  assert.deepEqual(page.match(/https?:\/\/[\w.-]+/g) ?? [], []);
  return `${size.toFixed(1)} kB`;
}
