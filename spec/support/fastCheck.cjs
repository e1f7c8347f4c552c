'use strict';

// By its path: jest.config.cjs maps the name to this file.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

/** Every run tries the same examples, so that a failure is a change's own; `FC_SEED=random` or a number tries others. */
const asked = process.env['FC_SEED'];
if (asked !== 'random') fastCheck.configureGlobal({ seed: asked === undefined ? 20_261_122 : Number(asked) });

/**
 * The characters of `unit: 'binary'`, with the same examples. Fast-check looks for the names that it likes to try in a
 * table of all 1.1 million of them, which takes a second for each file; from character to number is plain arithmetic.
 */
const [SURROGATES, SURROGATES_END, CHARACTERS] = [0xd800, 0xe000, 0x110000];
const gap = SURROGATES_END - SURROGATES;
const binary = fastCheck.nat({ max: CHARACTERS - gap - 1 }).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + gap),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    const isOne = code !== undefined && text === String.fromCodePoint(code);
    if (!isOne || (code >= SURROGATES && code < SURROGATES_END)) throw new TypeError('not one character');
    return code < SURROGATES ? code : code - gap;
  },
);
const { string } = fastCheck;
fastCheck.string = (constraints = {}) =>
  string(constraints.unit === 'binary' ? { ...constraints, unit: binary } : constraints);
// The default export is another object, whose properties are fixed.
fastCheck.default = fastCheck;

module.exports = fastCheck;
