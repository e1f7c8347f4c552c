'use strict';

/**
 * The folders and files of spec/ that `npm test` leaves to `npm run test:long`: attacks, processes, servers and compilers, which
 * take some seconds a file. A new spec of this kind is named here.
 */
module.exports = [
  'attacks/',
  'bundles/mutatedBundles.spec.ts',
  'bundles/replayTest.spec.ts',
  'cli/',
  'code/installation.spec.ts',
  'code/sandbox/',
  'code/testing/',
  'code/typecheck/',
  'dispatch/leaks.spec.ts',
  'docs/firstSteps.spec.ts',
  'durable/',
  'evaluate/conversation/longResults.spec.ts',
  'evaluate/resume/',
  'integration/mcp/client/',
  'integration/mcp/server/',
  'integration/nestjs/guide.spec.ts',
  'integration/pg-boss/',
  'integration/postgres/',
  'integration/sqlite/kills.spec.ts',
  'integration/sqlite/locks.spec.ts',
  'integration/testing/',
  'resource/filesystem/host/',
  'runs/',
  'samples/retail/',
  'secrets/',
  'session/memory.spec.ts',
  'session/serialisability.spec.ts',
  'session/serialisabilityCalls.spec.ts',
  'stories/longConversationWhole.spec.ts',
  'toolchain/',
  'types/params.spec.ts',
];
