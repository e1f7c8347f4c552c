'use strict';

// By its path: jest.config.cjs maps the name to this file.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

/** Every run tries the same examples, so that a failure is a change's own; `FC_SEED=random` or a number tries others. */
const asked = process.env['FC_SEED'];
if (asked !== 'random') fastCheck.configureGlobal({ seed: asked === undefined ? 20_261_122 : Number(asked) });

module.exports = fastCheck;
