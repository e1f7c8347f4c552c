'use strict';

// Counts the requests of conversations in the processes of a run, each of which has to begin with the one before it.
const { subscribe } = require('node:diagnostics_channel');
const { existsSync, mkdirSync, readdirSync, renameSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { threadId } = require('node:worker_threads');

/** Counts the requests of this thread from now on; calls `counted` after each. */
function countRequests(counted = () => undefined) {
  const counts = { requests: 0, changedBytes: 0 };
  subscribe('toolwright.prefix', ({ conversation, changedBytes }) => {
    // A test that a changed prefix is found out.
    if (conversation === 'changed on purpose') return;
    counts.requests++;
    counts.changedBytes += changedBytes;
    counted(counts);
  });
  return counts;
}

/** Leaves what this thread counted in a folder, in place of what it left there before. */
function writeCounts(folder, counts) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}-${threadId}.json`);
  // A process may be killed while it writes: what is read is whole.
  writeFileSync(`${file}.new`, JSON.stringify(counts));
  renameSync(`${file}.new`, file);
}

/** Adds up what threads and processes left in a folder. */
function readCounts(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return sumOf(files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))));
}

function sumOf(all) {
  const sum = (key) => all.reduce((total, counts) => total + counts[key], 0);
  return { requests: sum('requests'), changedBytes: sum('changedBytes') };
}

/** The line at the end of a run. */
function describeCounts({ requests, changedBytes }) {
  return `prefix: ${requests} requests, ${changedBytes} changed bytes`;
}

module.exports = { countRequests, writeCounts, readCounts, sumOf, describeCounts };
