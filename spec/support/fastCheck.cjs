'use strict';

const { configureGlobal } = require('fast-check');

/** Every run tries the same examples, so that a failure is a change's own; `FC_SEED=random` or a number tries others. */
const asked = process.env['FC_SEED'];
if (asked !== 'random') configureGlobal({ seed: asked === undefined ? 20_261_122 : Number(asked) });
