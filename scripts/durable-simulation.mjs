// `npm run durable:simulation`: 1,000 workers and 100,000 parked runs, on paper (bench/simulation).
import { buildAgainstPackage } from './build.mjs';
import { run } from './process.mjs';

await buildAgainstPackage('bench');
process.exitCode = run(process.execPath, ['build/bench/simulation/durable.js']);
