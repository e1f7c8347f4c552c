'use strict';

const entries = require('./scripts/entries.json');

/** Maps `toolwright` and its sub-paths to their sources, one rule for each entry. */
const entryMapper = Object.fromEntries(
  Object.entries(entries).map(([subPath, source]) => [`^toolwright${subPath.slice(1)}$`, `<rootDir>/src/${source}.ts`]),
);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  // ts-jest only transpiles, because tsconfig.json sets `isolatedModules`; `npm run typecheck` looks for type errors.
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json' }] },
  moduleNameMapper: {
    ...entryMapper,
    '^(\\.{1,2}/.*)/builtFolder\\.js$': '<rootDir>/spec/support/builtFolder.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // A test that hangs is told in any case; one that waits for a busy machine is none.
  testTimeout: 30_000,
  setupFiles: ['<rootDir>/spec/support/fastCheck.cjs'],
  reporters: ['default', '<rootDir>/scripts/reporter.cjs'],
};
