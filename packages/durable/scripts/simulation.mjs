// `npm run -w @toolwright/durable simulation`: simulates 1,000 workers and 100,000 parked runs (bench/simulation).
import { buildAgainstPackages } from '../../../scripts/build.mjs';
import { run } from '../../../scripts/process.mjs';

await buildAgainstPackages('bench');
process.exitCode = run(process.execPath, ['build/bench/simulation/durable.js']);
