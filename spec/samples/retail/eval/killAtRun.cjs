// Preloaded into the eval of the desk. Each run that begins is a line of the file STARTS. The process kills itself during the run with the
// number KILL_RUN, at KILL_MOMENT, so that the kill does not depend on how fast the machine is.
'use strict';

const fs = require('node:fs');

const { STARTS, KILL_RUN, KILL_MOMENT } = process.env;
let begun = 0;

function isKilledAt(moment) {
  return begun === Number(KILL_RUN) && moment === KILL_MOMENT;
}

function killSelf() {
  process.kill(process.pid, 'SIGKILL');
}

const path = require.resolve('@toolwright/evals');
const evals = require(path);
require.cache[path].exports = {
  ...evals,
  defineEval: (options) =>
    evals.defineEval({
      ...options,
      run: async (task, context) => {
        begun += 1;
        fs.appendFileSync(STARTS, `${options.name}: ${task.id} ${context.epoch}\n`);
        if (isKilledAt('begun')) killSelf();
        const run = await options.run(task, context);
        if (isKilledAt('not scored')) killSelf();
        return run;
      },
    }),
};

const { writeSync } = fs;
fs.writeSync = (file, bytes, ...rest) => {
  if (isKilledAt('half written')) {
    writeSync(file, bytes.subarray(0, bytes.length / 2));
    killSelf();
  }
  return writeSync(file, bytes, ...rest);
};
