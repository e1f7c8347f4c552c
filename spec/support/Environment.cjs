'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { subscribe } = require('node:diagnostics_channel');
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** The requests of conversations in this worker, each compared with the one before; the reporter adds them up. */
const prefix = { requests: 0, changedBytes: 0 };
const PREFIX_COUNTS = join(__dirname, '../../build/prefix');

subscribe('toolwright.prefix', ({ changedBytes }) => {
  prefix.requests++;
  prefix.changedBytes += changedBytes;
});

/** The storages that the current spec file has used: its own, the runner's, and those of the libraries that it loaded. */
const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

/** The compiled code of each file, by path. */
const compiled = new Map();
const { compileFunction } = vm;

// Every spec file gets fresh copies of the modules that it loads. Their code is parsed once for all of them.
vm.compileFunction = (text, parameters, options) => {
  const known = compiled.get(options?.filename);
  if (known?.text === text) return compileFunction(text, parameters, { ...options, cachedData: known.cachedData });
  const made = compileFunction(text, parameters, { ...options, produceCachedData: true });
  // Copied: the buffer itself belongs to the context of the spec file, and would keep all of it.
  compiled.set(options?.filename, { text, cachedData: Buffer.from(made.cachedData) });
  return made;
};

/**
 * Jest's environment for Node, which also switches off the storages that a spec file has left on. Up to Node 22, every promise
 * visits each storage that is on, and the runner itself makes one for each file: a run would grow slower with each file.
 */
module.exports = class Environment extends TestEnvironment {
  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    mkdirSync(PREFIX_COUNTS, { recursive: true });
    writeFileSync(join(PREFIX_COUNTS, `${process.pid}.json`), JSON.stringify(prefix));
    await super.teardown();
  }
};
