'use strict';

const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const longSpecs = require('../support/longSpecs.cjs');

const place = process.env['MUTATE'];
const share = Number(process.env['SAMPLE']);
const spec = join(__dirname, '..');

/** Folders of spec/, those first that find most: the first failed test ends the run of a mutant. */
const FOLDERS = `
  session dispatch resource schema policy conformance limit event value evaluate application
  builder decorator override prompt tool builtin common error
`.match(/\w+/g);

/** What needs jest's modules, or a built package. */
const NEEDS_MORE = /jest\.(isolateModules|requireActual|mock\()|toMatchInlineSnapshot|toolchain\/support|\.\/dist\//;
/** Clear or read metadata that all specs share, start other processes, or check the types of programs, which takes seconds. */
const UNFIT = ['schema/differential.spec.ts', 'schema/lowering/classValidatorJudge.spec.ts'];

const isLong = (file) => file.endsWith('.attack.spec.ts') || longSpecs.some((each) => file.startsWith(each));
const own = place.replace(/^src\//, '').split('/')[0];
const specs = [own, ...FOLDERS.filter((name) => name !== own)]
  .flatMap((name) =>
    readdirSync(join(spec, name), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((file) => `${name}/${file}`),
  )
  .filter((file) => file.endsWith('.spec.ts') && (file.startsWith(`${own}/`) || !isLong(file)))
  .filter((file) => !UNFIT.includes(file) && !NEEDS_MORE.test(readFileSync(join(spec, file), 'utf8')));

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
module.exports = {
  mutate: [place.endsWith('.ts') ? place : `${place}/**/*.ts`, '!**/*.d.ts'],
  ignorePatterns: ['/dist', '/build'],
  tempDirName: 'build/stryker-tmp',
  testRunner: 'mocha',
  plugins: ['@stryker-mutator/mocha-runner', require.resolve('./sample.cjs')],
  checkers: share < 1 ? ['sample'] : [],
  coverageAnalysis: 'perTest',
  // What runs while files are loaded cannot be switched on in a process that has loaded them.
  ignoreStatic: true,
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    'no-opts': true,
    require: [join(__dirname, 'specRunner.cjs')],
    spec: specs.map((file) => `spec/${file}`),
  },
  testRunnerNodeArgs: ['--no-experimental-strip-types'],
  maxTestRunnerReuse: 60,
  // One of them checks, at first, which mutants are in the sample.
  concurrency: share < 1 ? 3 : 2,
  // A busy machine must not count as a mutant that hangs.
  timeoutMS: 20_000,
  timeoutFactor: 2,
  dryRunTimeoutMinutes: 20,
  disableTypeChecks: false,
  reporters: ['json', 'progress-append-only', 'clear-text'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: `build/mutation-${own}.json` },
};
