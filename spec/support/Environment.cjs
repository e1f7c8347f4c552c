'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { join } = require('node:path');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { countRequests, writeCounts } = require('./prefixCounts.cjs');

/** The requests of conversations in this worker, each compared with the one before; the reporter adds them up. */
const prefix = countRequests();
const PREFIX_COUNTS = join(__dirname, '../../build/prefix');

/** The storages that the current spec file has used: its own, the runner's, and those of the libraries that it loaded. */
const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

/** The script of each file, by path. */
const scripts = new Map();
const { compileFunction } = vm;

// Every spec file gets fresh copies of the modules that it loads. In a worker, they share one script: what V8 has compiled of it
// for one file, it need not compile for the next.
vm.compileFunction = (text, parameters, options) => {
  const { filename, parsingContext } = options ?? {};
  if (parsingContext === undefined) return compileFunction(text, parameters, options);
  const known = scripts.get(filename);
  const script = known?.text === text ? known.script : scriptOf(text, parameters, filename);
  if (known?.script !== script) scripts.set(filename, { text, script });
  return script.runInContext(parsingContext);
};

/** A script whose value is a function of those parameters with the text as its body. */
function scriptOf(text, parameters, filename) {
  const head = `(function (${parameters.join(', ')}) {`;
  return new vm.Script(`${head}${text}\n})`, { filename, columnOffset: -head.length, importModuleDynamically });
}

/** As jest answers without `--experimental-vm-modules`. Its own answer would keep the file that compiled the script. */
async function importModuleDynamically(specifier) {
  throw new Error(
    `import('${specifier}') needs --experimental-vm-modules, and spec/support/Environment.cjs without its scripts.`,
  );
}

/**
 * Jest's environment for Node, which also switches off the storages that a spec file has left on. Up to Node 22, every promise
 * visits each storage that is on, and the runner itself makes one for each file: a run would grow slower with each file.
 */
module.exports = class Environment extends TestEnvironment {
  /** Ends no test before a rejection that it left unhandled is reported, which fails it. */
  async handleTestEvent({ name }) {
    if (name === 'test_fn_success') await new Promise(setImmediate);
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    writeCounts(PREFIX_COUNTS, prefix);
    await super.teardown();
  }
};
