'use strict';

// By its path: jest.config.cjs maps the name to this file.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

/** Every run tries the same examples, so that a failure is a change's own; `FC_SEED=random` or a number tries others. */
const asked = process.env['FC_SEED'];
if (asked !== 'random') fastCheck.configureGlobal({ seed: asked === undefined ? 20_261_122 : Number(asked) });

const [SURROGATES, AFTER_SURROGATES] = [0xd800, 0xe000];
const gap = AFTER_SURROGATES - SURROGATES;

/**
 * The characters of `unit: 'binary'`, with the same examples. The library writes all 1.1 million of them into a map to find one
 * again, which takes a second in each file; arithmetic finds it as well.
 */
const codePoint = fastCheck.nat({ max: 0x10ffff - gap }).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + gap),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? SURROGATES) : SURROGATES;
    const isSurrogate = point >= SURROGATES && point < AFTER_SURROGATES;
    if (isSurrogate || text !== String.fromCodePoint(point)) throw new Error('It is no code point.');
    return point < SURROGATES ? point : point - gap;
  },
);

function string(constraints = {}) {
  return fastCheck.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints);
}

module.exports = { ...fastCheck, __esModule: true, string, default: { ...fastCheck.default, string } };
