// `npm run retail -- --data DIR --tasks FILE`: replays retail tasks and compares the records that they change.
import { buildAgainstPackage } from './build.mjs';
import { run } from './process.mjs';

await buildAgainstPackage('samples');
process.exitCode = run(process.execPath, ['build/samples/20-retail-desk/compare.js', ...process.argv.slice(2)]);
