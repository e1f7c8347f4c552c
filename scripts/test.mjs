// `npm test`: installs and builds what is missing, then runs jest with the arguments given after `--`. Specs that import public
// entries alone run against the built package.
import { build } from './build.mjs';
import { run } from './process.mjs';

await build();
const env = { SPECS_AGAINST: 'dist' };
process.exitCode = run(process.execPath, ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)], { env });
