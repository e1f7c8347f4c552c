'use strict';

const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const longSpecs = require('./spec/support/longSpecs.cjs');
const { publicSpecs, sourceSpecs } = require('./spec/support/publicSpecs.cjs');
const { paths } = require('./tsconfig.json').compilerOptions;

/** swc emits for decorated members what tsc emits, but for enums, unions and defaults (docs/toolchain.md). */
const swc = {
  configFile: false,
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'commonjs' },
};

const folders = ['spec', ...readdirSync(join(__dirname, 'packages')).map((name) => `packages/${name}/spec`)];

/** swc does not look at types: `npm run typecheck` does. */
const common = {
  rootDir: __dirname,
  roots: folders.filter((folder) => existsSync(join(__dirname, folder))).map((folder) => `<rootDir>/${folder}`),
  testEnvironment: '<rootDir>/spec/support/Environment.cjs',
  transform: { '\\.ts$|/node_modules/jose/': ['@swc/jest', swc] },
  // jose is ES modules alone, which jest requires without a transform only from Node 24 on.
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
};
const always = {
  '^fast-check$': '<rootDir>/spec/support/fastCheck.cjs',
  '^libphonenumber-js/max$': '<rootDir>/spec/support/phoneNumbers.cjs',
  '^(\\.{1,2}/.*)\\.js$': '$1',
};

/** Every spec against the sources of all packages, which is how mutants are found. */
const sources = {
  ...common,
  displayName: 'sources',
  testMatch: ['**/*.spec.ts'],
  moduleNameMapper: {
    '^toolwright/package\\.json$': '<rootDir>/package.json',
    ...sourcePaths(),
    '^\\.{1,2}/(?:.*/)?builtFolder\\.js$': '<rootDir>/spec/support/builtFolder.ts',
    ...always,
  },
};

/** The specs that import public entries alone, against the built packages, which load in a third of the time. */
const built = { ...common, displayName: 'package', testMatch: publicSpecs, moduleNameMapper: always };

/** Attacks measure for how long they hold the host, so they run by themselves. */
const isAttack = (file) => file.endsWith('.attack.spec.ts');
const isLong = (file) => longSpecs.some((place) => file.startsWith(join(__dirname, place)));
const projectsWith = (isWanted) => [
  { ...built, testMatch: publicSpecs.filter(isWanted) },
  { ...sources, testMatch: sourceSpecs.filter(isWanted) },
];
/** `npm test` runs the short specs, `npm test -- --long` the long ones and then the attacks; plain jest runs all against the sources. */
const projectsOf = {
  short: projectsWith((file) => !isLong(file) && !isAttack(file)),
  long: projectsWith((file) => isLong(file) && !isAttack(file)),
  attacks: projectsWith(isAttack),
  all: projectsWith(() => true),
};

/** @type {import('jest').Config} */
module.exports = {
  projects: projectsOf[process.env['SPECS']] ?? [sources],
  // Jest leaves a core to itself; with two cores that is half of the machine.
  maxWorkers: '100%',
  // A test that hangs is told in any case; one that waits for a busy machine is none.
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/spec/support/reporter.cjs'],
};

/** The paths of tsconfig.json, which lead to the sources of all packages. */
function sourcePaths() {
  return Object.fromEntries(
    Object.entries(paths).map(([pattern, [place]]) => [
      `^${pattern.replace('*', '(.*)')}$`,
      place.replace(/^\./, '<rootDir>').replaceAll('*', '$1'),
    ]),
  );
}
