'use strict';

/**
 * The folders and files of specs that `npm test` leaves to `npm test -- --long`: attacks, processes, servers and compilers, which take
 * some seconds a file. A new spec of this kind is named here.
 */
module.exports = [
  'packages/cli/spec/',
  'packages/contracts/spec/sandbox/',
  'packages/durable/spec/',
  'packages/files/spec/',
  'packages/mcp/spec/attacks/',
  'packages/mcp/spec/client/',
  'packages/mcp/spec/server/',
  'packages/nestjs/spec/guide.spec.ts',
  'packages/programs/spec/attacks/',
  'packages/programs/spec/installation.spec.ts',
  'packages/programs/spec/sandbox/',
  'packages/programs/spec/typecheck/',
  'spec/attacks/',
  'spec/bundles/replayTest.spec.ts',
  'spec/dispatch/leaks.spec.ts',
  'spec/docs/firstSteps.spec.ts',
  'spec/docs/packageExamples.spec.ts',
  'spec/evaluate/conversation/longResults.spec.ts',
  'spec/evaluate/resume/',
  'spec/resource/postgres/',
  'spec/samples/retail/',
  'spec/secrets/',
  'spec/session/memory.spec.ts',
  'spec/session/serialisability.spec.ts',
  'spec/session/serialisabilityCalls.spec.ts',
  'spec/stories/longConversationWhole.spec.ts',
  'spec/testing/',
  'spec/toolchain/',
  'spec/types/params.spec.ts',
];
