// `npm run inspect:test [-- PART OF A TITLE]`: builds the inspector and the retail desk, records its run, and walks the page in Chromium.
import { buildAgainstPackage, buildInspector } from './build.mjs';
import { capture, fail, run } from './process.mjs';

await buildAgainstPackage('samples');
await buildInspector();
const env = { RETAIL_BUNDLE: 'build/retail-desk.bundle.jsonl' };
const recorded = capture(process.execPath, ['build/samples/20-retail-desk/main.js'], {
  env: { ...env, OPENAI_API_KEY: '' },
});
if (!recorded.ok) fail(recorded.output);
process.exitCode = run(process.execPath, ['packages/inspector/spec/browser.mjs', ...process.argv.slice(2)]);
