'use strict';

// `node --require spec/support/countPrefix.cjs`: counts the requests of a process and of those that it starts, and leaves the counts in
// the folder that PREFIX_COUNTS names.
const { countRequests, writeCounts } = require('./prefixCounts.cjs');

const folder = process.env.PREFIX_COUNTS;
// After each request: a process that is killed does not get to its end.
if (folder !== undefined) countRequests((counts) => writeCounts(folder, counts));
