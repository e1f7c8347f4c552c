'use strict';

/** libphonenumber-js, loaded when a phone number is checked: class-validator imports its 150 kB for every spec file. */
module.exports = new Proxy(
  {},
  { get: (_target, name) => require('../../node_modules/libphonenumber-js/max/index.cjs')[name] },
);
