'use strict';

const { createHash } = require('node:crypto');
const { relative } = require('node:path');

const share = Number(process.env['SAMPLE']);

/** Leaves out all but a share of the mutants, the same ones each time; those left out count as if they did not compile. */
class Sample {
  init() {
    return Promise.resolve();
  }

  group(mutants) {
    return Promise.resolve(mutants.map(({ id }) => [id]));
  }

  check(mutants) {
    const verdicts = mutants.map((mutant) => [mutant.id, isChosen(mutant) ? { status: 'passed' } : LEFT_OUT]);
    return Promise.resolve(Object.fromEntries(verdicts));
  }
}

const LEFT_OUT = { status: 'compileError', reason: 'not in the sample' };

function isChosen({ fileName, location, replacement }) {
  const place = JSON.stringify([relative(process.cwd(), fileName), location, replacement]);
  return createHash('sha256').update(place).digest().readUInt32BE() < share * 2 ** 32;
}

exports.strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
