'use strict';

const { join } = require('node:path');
const entries = require('./scripts/entries.cjs');
const longSpecs = require('./scripts/longSpecs.cjs');
const publicSpecs = require('./scripts/publicSpecs.cjs');

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

/** swc does not look at types: `npm run typecheck` does. */
const common = {
  rootDir: __dirname,
  roots: ['<rootDir>/spec', '<rootDir>/packages/inspector/spec'],
  testEnvironment: '<rootDir>/spec/support/Environment.cjs',
  transform: { '\\.ts$': ['@swc/jest', swc] },
};
const always = {
  '^fast-check$': '<rootDir>/spec/support/fastCheck.cjs',
  '^libphonenumber-js/max$': '<rootDir>/spec/support/phoneNumbers.cjs',
  '^(\\.{1,2}/.*)\\.js$': '$1',
};

/** Every spec against the sources, which is how mutants are found. */
const sources = {
  ...common,
  displayName: 'sources',
  testMatch: ['**/*.spec.ts'],
  moduleNameMapper: {
    '^@toolwright/inspector$': '<rootDir>/packages/inspector/src/server/index.ts',
    ...entryMapper((entry) => `src/${entry}.ts`),
    '^(\\.{1,2}/.*)/builtFolder\\.js$': '<rootDir>/spec/support/builtFolder.ts',
    ...always,
  },
};

/** The specs that import public entries alone, against the built package: it loads in a third of the time. */
const built = {
  ...common,
  displayName: 'package',
  testMatch: publicSpecs,
  moduleNameMapper: { ...entryMapper((_entry, name) => `dist/${name}.cjs`), ...always },
};

const isIn = (places) => (file) => places.some((place) => file.startsWith(join(__dirname, 'spec', place)));
const isLong = isIn(longSpecs);
const projectsIn = (places) => [
  { ...built, testMatch: publicSpecs.filter(isIn(places)) },
  {
    ...sources,
    testMatch: places.map((place) => join(__dirname, 'spec', place, place.endsWith('/') ? '**/*.spec.ts' : '')),
    testPathIgnorePatterns: publicSpecs,
  },
];
/**
 * `npm test` runs the short specs, `npm run test:long` the others, attacks by themselves, all against the built package; plain jest
 * runs all of them.
 */
const projectsOf = {
  short: [
    { ...built, testMatch: publicSpecs.filter((file) => !isLong(file)) },
    { ...sources, testPathIgnorePatterns: [...publicSpecs, ...longSpecs.map((place) => join('/spec', place))] },
  ],
  long: projectsIn(longSpecs.filter((place) => place !== 'attacks/')),
  attacks: projectsIn(['attacks/']),
  all: [built, { ...sources, testPathIgnorePatterns: publicSpecs }],
};

/** @type {import('jest').Config} */
module.exports = {
  projects: projectsOf[process.env['SPECS']] ?? [sources],
  // Jest leaves a core to itself; with two cores that is half of the machine.
  maxWorkers: '100%',
  // A test that hangs is told in any case; one that waits for a busy machine is none.
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/scripts/reporter.cjs'],
};

/** Maps `toolwright` and its sub-paths, one rule for each entry. */
function entryMapper(fileOf) {
  return Object.fromEntries(
    Object.entries(entries).map(([subPath, entry]) => [
      `^toolwright${subPath.slice(1)}$`,
      `<rootDir>/${fileOf(entry, subPath === '.' ? 'index' : subPath.slice(2))}`,
    ]),
  );
}
