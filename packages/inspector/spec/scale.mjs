// What is large: a run, a prompt, and the page itself.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { browser, library, root, shots, visit } from './harness.mjs';

const { createApplication, definePrompt, defineSection, defineTool, readBundle, serveInspector } = library;
/** Steps of scrolling that are measured. */
const FRAMES = 120;
/** A hundred times as many events open with at most so many times the work: most of it is that of any page. */
const MOST_OPENING = 5;
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

/** Opens and scrolls a run of so many events; times are of the processor, in milliseconds. */
async function measureRun(events) {
  const bundle = await readBundle(largeBundle(events));
  assert.equal(bundle.entries.length, events);
  const inspector = await serveInspector({ bundle, bundleName: 'large' });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    /** The work of the page's thread so far: other programs on the machine do not count. */
    const worked = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
    };
    const server = process.cpuUsage();
    await page.goto(`${inspector.url}&view=runs`);
    await page.waitForFunction(
      (count) => document.querySelector('.summary-line')?.textContent?.startsWith(count),
      events.toLocaleString('en'),
    );
    const { user, system } = process.cpuUsage(server);
    const before = await worked();
    const { rows, rate } = await page.evaluate(scrollThrough, FRAMES);
    const frame = ((await worked()) - before) / FRAMES;
    await page.screenshot({ path: `${shots}/runs-${events}.png` });
    const searched = performance.now();
    await page.getByLabel('Filter the timeline').fill('tool_44');
    const found = (events / 50).toLocaleString('en');
    await page.waitForFunction(
      (count) => document.querySelector('.summary-line')?.textContent?.startsWith(`${count} of`),
      found,
    );
    return { opening: before + (user + system) / 1_000, frame, rows, rate, filter: performance.now() - searched };
  } finally {
    await context.close();
    await inspector.close();
  }
}

/** Runs in the page: scrolls down, from the top again after the end, and returns frames a second and rows in the document. */
async function scrollThrough(frames) {
  const list = document.querySelector('.virtual');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  const began = await frame();
  let now = began;
  for (let step = 0; step < frames; step++) {
    list.scrollTop = (list.scrollTop + 3_000) % (list.scrollHeight - list.clientHeight);
    now = await frame();
  }
  return { rate: (frames * 1_000) / (now - began), rows: list.querySelectorAll('[role=option]').length };
}

/** A page that draws only what is visible does the same work for a hundred times as many events. */
export async function large() {
  const small = await measureRun(500);
  const run = await measureRun(50_000);
  const ratio = run.frame / small.frame;
  const figures = `opened with ${run.opening.toFixed(0)} ms of work (500 events: ${small.opening.toFixed(0)}), ${run.frame.toFixed(1)} ms of work a frame (500 events: ${small.frame.toFixed(1)}; ${run.rate.toFixed(0)} frames a second here), ${run.rows} rows in the document, filtered in ${run.filter.toFixed(0)} ms`;
  assert.ok(run.opening < MOST_OPENING * small.opening && ratio < 2 && run.rows < 100, figures);
  return figures;
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
