// `npm run -w @toolwright/inspector browser [-- PART OF A TITLE]`: builds the inspector and the retail desk, records its run, and walks the page in Chromium.
import { buildAgainstPackages } from '../../../scripts/build.mjs';
import { capture, fail, run } from '../../../scripts/process.mjs';

await buildAgainstPackages('samples');
const env = { RETAIL_BUNDLE: 'build/retail-desk.bundle.jsonl' };
const recorded = capture(process.execPath, ['build/samples/20-retail-desk/main.js'], {
  env: { ...env, OPENAI_API_KEY: '' },
});
if (!recorded.ok) fail(recorded.output);
process.exitCode = run(process.execPath, ['packages/inspector/spec/browser.mjs', ...process.argv.slice(2)]);
