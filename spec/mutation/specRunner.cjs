'use strict';

// Runs specs under Mocha in one process with jest's globals: a mutant then costs its tests, not the loading of files.

const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, relative, resolve } = require('node:path');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { transformSync } = require('@swc/core');
const { expect } = require('expect');
const { bind } = require('jest-each');
const { ModuleMocker } = require('jest-mock');
// The runner's own copy, from the folder of the process that Stryker has started.
const Mocha = Module.createRequire(process.argv[1])('mocha');

const TIMEOUT_MS = 20_000;
const root = process.cwd();
const { projects } = require(join(root, 'jest.config.cjs'));
const { moduleNameMapper, transform } = projects.at(-1);
const [[, swc]] = Object.values(transform);
const mapped = Object.entries(moduleNameMapper).map(([pattern, target]) => [new RegExp(pattern), target]);

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swc, filename });
  module._compile(code, filename);
};

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  const name = isSource(parent) ? (mappedName(request) ?? request) : request;
  const path = name.startsWith('.') ? resolve(dirname(parent.filename), name) : name;
  const source =
    isSource(parent) &&
    [path, `${path}.ts`, join(path, 'index.ts')].find((file) => file.endsWith('.ts') && existsSync(file));
  return source || resolveFilename.call(this, name, parent, ...rest);
};

const isSource = (parent) => parent?.filename?.endsWith('.ts') ?? false;

/** What jest.config.cjs puts in place of a name. */
function mappedName(request) {
  for (const [pattern, target] of mapped)
    if (pattern.test(request)) return request.replace(pattern, target.replace('<rootDir>', root));
  return undefined;
}

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { rootDir: root, fakeTimers: {} }, global: globalThis });
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  setTimeout: () => {},
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
};

/**
 * True for a test of how long something takes, or with a text so long that its checks are ended: with the code of all mutants,
 * everything takes longer.
 */
const measures = (run) =>
  /performance\.now|cpuUsage|hrtime|\b(timed|fastest|leastPause|took|elapsed)\b|repeat\(\d[\d_]{5,}\)/.test(
    String(run),
  );

/**
 * A dialect with a suite for each file, so that its hooks are its own. Titles are numbers: Stryker selects the tests of a mutant by
 * one regular expression of their titles, which may be thousands.
 */
Mocha.interfaces.bdd = (rootSuite) => {
  rootSuite.on('pre-require', (context, file) => {
    const suites = [Mocha.Suite.create(rootSuite, relative(join(root, 'spec'), file).replace('.spec.ts', ''))];
    let tests = 0;
    const describe = (_title, define) => {
      suites.unshift(Mocha.Suite.create(suites[0], ''));
      define();
      suites.shift();
    };
    const test = (_title, run, timeout) => {
      if (measures(run)) return;
      const added = new Mocha.Test(String(tests++), run);
      added.timeout(timeout ?? TIMEOUT_MS);
      suites[0].addTest(added);
    };
    const skip = (title) => suites[0].addTest(new Mocha.Test(title));
    Object.assign(describe, { each: bind(describe, false), skip: () => {} });
    const each =
      (...table) =>
      (title, run, timeout) =>
        measures(run) ? undefined : bind(test)(...table)(title, run, timeout);
    Object.assign(test, { each, skip: Object.assign(skip, { each: bind(skip) }) });
    // What a file makes while it is loaded is made once in a process: closed after one mutant, it would fail for all others.
    const isMadeOnLoad = !readFileSync(file, 'utf8').includes('beforeAll(');
    const hooks = ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'].map((name) => [
      name,
      name === 'afterAll' && isMadeOnLoad
        ? () => undefined
        : (run, timeout) => suites[0].timeout(timeout ?? TIMEOUT_MS)[name](run),
    ]);
    Object.assign(context, { describe, test, it: test, expect, jest, ...Object.fromEntries(hooks) });
    // A test that failed may have left them behind.
    context.beforeAll(() => {
      timers.useRealTimers();
      mocker.restoreAllMocks();
    });
  });
};
