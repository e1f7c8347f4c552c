// `npm test`: installs and builds what is missing, then runs the short specs; `npm run test:long` runs the long ones
// (scripts/longSpecs.cjs), and attacks in a run of their own. Arguments after `--` are for jest: with a path or a name, all specs
// that match run. Specs that import public entries alone run against the built package.
import { build } from './build.mjs';
import { run } from './process.mjs';

await build();
const args = process.argv.slice(2).filter((arg) => arg !== '--long');
const isLong = args.length < process.argv.length - 2;
const isNamed = args.some((arg) => !arg.startsWith('--'));
const jest = (specs, ...more) =>
  run(process.execPath, ['node_modules/jest/bin/jest.js', ...args, ...more], { env: { SPECS: specs } });
if (isNamed) process.exitCode = jest('all');
else if (!isLong) process.exitCode = jest('short');
else {
  const code = jest('long');
  // They measure for how long the host is held, and so have the machine to themselves.
  process.exitCode = Math.max(code, jest('attacks', '--runInBand'));
}
