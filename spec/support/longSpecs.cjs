'use strict';

/**
 * The folders and files of specs that `npm test` leaves to `npm test -- --long`: they start processes, servers or compilers and take some
 * seconds each. Name a new spec of this kind here. Specs of attacks (`*.attack.spec.ts`) are long without being named.
 */
module.exports = [
  'packages/cli/spec/',
  'packages/contracts/spec/sandbox/',
  'packages/durable/spec/',
  'packages/evals/spec/evalHarness.spec.ts',
  'packages/evals/spec/processes.spec.ts',
  'packages/files/spec/',
  'packages/mcp/spec/client/',
  'packages/mcp/spec/server/',
  'packages/nestjs/spec/guide.spec.ts',
  'packages/programs/spec/installation.spec.ts',
  'packages/programs/spec/sandbox/',
  'packages/programs/spec/typecheck/',
  'packages/ui/spec/agUi/randomRuns.spec.ts',
  'spec/bundles/replayTest.spec.ts',
  'spec/dispatch/leaks.spec.ts',
  'spec/docs/firstSteps.spec.ts',
  'spec/docs/optionExamples.spec.ts',
  'spec/docs/packageExamples.spec.ts',
  'spec/docs/pageSnippets.spec.ts',
  'spec/evaluate/conversation/longResults.spec.ts',
  'spec/evaluate/resume/',
  'spec/resource/postgres/',
  'spec/samples/retail/',
  'spec/secrets/',
  'spec/session/memory.spec.ts',
  'spec/session/serialisability.spec.ts',
  'spec/session/serialisabilityCalls.spec.ts',
  'spec/evaluate/conversation/longConversationWhole.story.spec.ts',
  'spec/testing/',
  'spec/toolchain/',
  'spec/types/params.spec.ts',
];
