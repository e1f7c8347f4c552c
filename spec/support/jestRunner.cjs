'use strict';

// A process that runs jest again and again, once for each message { specs, test, isMutated }, and answers with the results of its tests: the
// start of a process and of jest takes longer than most runs. scripts/mutants.mjs starts it, and ends it when a run hangs.
const { runCLI } = require('jest');

process.on('message', async ({ specs, test, isMutated }) => {
  // A mutant that holds the event loop does so each time.
  if (isMutated) process.env['HOST_PAUSE_TIMES'] = '3';
  const options = { _: specs, $0: 'jest', runTestsByPath: true, testNamePattern: test, silent: true, reporters: [] };
  const { results } = await runCLI(options, [process.cwd()]);
  process.send(
    results.testResults.flatMap(({ testFilePath, testResults, perfStats }) => {
      const fileMs = perfStats.runtime;
      return testResults.map(({ fullName, status, duration }) => ({
        file: testFilePath,
        fileMs,
        fullName,
        status,
        durationMs: duration ?? 0,
      }));
    }),
  );
});
