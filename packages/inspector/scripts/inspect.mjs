// `npm run inspect [-- --port N] [-- FILE]`: the inspector on the run that `npm start` recorded, and on a retail desk that serves a
// scripted customer meanwhile.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAgainstPackages } from '../../../scripts/build.mjs';
import { fail, root } from '../../../scripts/process.mjs';

const { values, positionals } = parseArgs({
  options: { port: { type: 'string', default: '0' } },
  allowPositionals: true,
});
await buildAgainstPackages('samples');

const at = (path) => new URL(path, `file://${root}`).href;
const { ApprovalInbox, serveInspector } = await import(at('packages/inspector/dist/index.mjs'));
const { readBundleFile } = await import(at('dist/bundles.mjs'));
const { openDesk } = (await import(at('build/samples/20-retail-desk/demo/openDesk.js'))).default;

const file = positionals[0] ?? `${root}build/retail-desk.bundle.jsonl`;
const bundle = positionals.length > 0 || existsSync(file) ? await bundleOf(file) : undefined;
const approvals = new ApprovalInbox();
const { adapter, app, newSession, play, prompt } = await openDesk(approvals);
// The shop is made up and in memory: its tools may be tried. No model is asked: the script goes on from any moment of its run.
const options = { adapter, allowCalls: true, approvals, newSession, prompts: [prompt], port: Number(values.port) };
const inspector = await serveInspector({ app, bundle, bundleName: basename(file) }, options);
console.log(`The inspector is at ${inspector.url}`);
console.log(bundle ? `It shows ${basename(file)}; npm start records it.` : 'npm start records a run to look at.');
console.log(
  'Live: a scripted customer, whose refunds wait for you in Approvals. Any moment can go on in State, by the script.',
);
console.log('Ctrl+C ends it.');
process.once('SIGINT', () => void inspector.close().then(() => process.exit(0)));
process.once('SIGTERM', () => void inspector.close().then(() => process.exit(0)));
await play();

async function bundleOf(path) {
  try {
    return await readBundleFile(path);
  } catch (error) {
    return fail(error.message);
  }
}
