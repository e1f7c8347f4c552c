// `npm test`: installs and builds what is missing, then runs jest with the arguments given after `--`.
import { build } from './build.mjs';
import { run } from './process.mjs';

await build();
process.exitCode = run(process.execPath, ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)]);
