// `npm run check`: every check that a change must pass besides `npm test`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, must, root, run } from './process.mjs';

const npm = (...args) => ['npm', ['run', ...args]];
const node = (...args) => [process.execPath, args];

if (!existsSync('/usr/bin/chromium')) {
  must('apt-get update', 'apt-get', ['update', '-qq']);
  must('apt-get install chromium', 'apt-get', ['install', '-qq', '-y', '--no-install-recommends', 'chromium']);
}
// `npm test` ran all of them on the Node of this process. On another Node, only the built packages are repeated.
runAlone(
  'the short specs of the built packages on Node 24',
  node('scripts/test.mjs', '--node24', '--selectProjects=package'),
);
runAlone('the long specs on Node 24', node('scripts/test.mjs', '--node24', '--long'));
// These keep a core busy or wait, so a few run at a time, the longest first. Their output is printed one after the other.
await runTogether([
  npm('mutants'),
  node('scripts/samples.mjs'),
  npm('lint'),
  node('scripts/package-check.mjs'),
  npm('docs', '--', 'check'),
  npm('-w', '@toolwright/ui', 'kills', '--', '--points', '40'),
  npm('-w', '@toolwright/durable', 'kills', '--', '--seconds', '25'),
]);
// The walk of the desk waits for most of its two minutes.
await runTogether([
  node('samples/40-desk/walk.mjs'),
  npm('-w', '@toolwright/inspector', 'browser'),
  npm('typecheck'),
  node('node_modules/jest/bin/jest.js', 'packages/mcp/spec/server/fuzz'),
  npm('-w', '@toolwright/mcp', 'conformance'),
  npm('-w', '@toolwright/ui', 'conformance'),
]);
// These measure times, so nothing runs beside them.
runAlone('benchmarks', node('bench/check.mjs'));
runAlone('soak', npm('soak', '--', '--seconds', '60', '--print-times'));

function runAlone(what, [program, args]) {
  const began = performance.now();
  if (run(program, args) !== 0) fail(`${what}: failed`);
  reportTime(what, began);
}

/** Prints the time of a check. `.ci/run` should end within 35 minutes on two cores. */
function reportTime(what, began) {
  console.log(`time: ${((performance.now() - began) / 1_000).toFixed(0)} s, ${what}\n`);
}

async function runTogether(commands) {
  const waiting = [...commands];
  const failed = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [program, args] = next;
      const began = performance.now();
      const { code, output } = await captureAsync(program, args);
      console.log(output);
      reportTime(args.join(' '), began);
      if (code !== 0) failed.push([program, ...args].join(' '));
    }
  };
  await Promise.all([work(), work(), work()]);
  if (failed.length > 0) fail(`Failed: ${failed.join('; ')}`);
}

function captureAsync(program, args) {
  const env = { ...process.env, FC_SEED: 'random', FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? '9' };
  const child = spawn(program, args, { cwd: root, env: args.join(' ').includes('fuzz') ? env : process.env });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => parts.push(data));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString() }));
  });
}
