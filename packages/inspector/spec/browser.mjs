// `npm run -w @toolwright/inspector browser`: walks every view in Chromium, by mouse and by keyboard, wide and narrow, light and dark; measures a run of
// 50,000 events; and opens what an attacker would send. Screenshots are in build/inspector.
import { origins, scripts } from './attacks.mjs';
import { browser } from './harness.mjs';
import { bundles, command, fork, parked } from './runs.mjs';
import { large, manyTools, weight } from './scale.mjs';
import { approval, keyboard, rehearsal, walk } from './views.mjs';

/** A part of a title: only such checks run. */
const ONLY = process.argv[2];
let failed = 0;

await check('every view of the retail desk, wide and narrow, light and dark, has no fault that axe finds', walk);
await check('every view is reached and used by the keyboard alone', keyboard);
await check('a rehearsal shows what would change, and a section that is opened what it adds', rehearsal);
await check('an approval waits with its differences, and is answered', approval);
await check('a run goes on from a moment with another text, and shows where it comes from', fork);
await check('npm run inspect has a run, of which any moment goes on by the script', command);
await check('a question of a parked run waits beside the others, and a late answer says so', parked);
await check('a bundle is dropped, opened and made a test', bundles);
await check('a run of 50,000 events scrolls with the work of one of 500', large);
await check('10,000 tools are listed, found and opened', manyTools);
await check('a bundle with a script in every field runs none', scripts);
await check('pages of other origins and names get nothing', origins);
await check('the page is under 300 kB compressed, and asks no other machine', weight);
await browser.close();
process.exitCode = failed > 0 ? 1 : 0;

async function check(title, run) {
  if (ONLY !== undefined && !title.includes(ONLY)) return;
  const began = performance.now();
  try {
    const said = await run();
    console.log(`ok    ${title} (${Math.round(performance.now() - began)} ms)${said ? `: ${said}` : ''}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${title}\n${error.stack}`);
  }
}
