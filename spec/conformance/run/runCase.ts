import { ConformanceFault, unknownWord } from '../ConformanceFault';
import type { ConformanceCase, Outcome } from '../format';
import { runFlow } from './FlowRun';
import { runBudget } from './runBudget';
import { runCompletion } from './runCompletion';
import { runDeadline } from './runDeadline';
import { runFilesystem } from './runFilesystem';
import { runKey, runTool } from './runDeclaration';
import { runLoop } from './runLoop';
import { runOutput } from './runOutput';
import { runResources } from './runResources';
import { runResult, runResultCtor } from './runResult';
import { runDump, runParse, runSchema } from './runSerde';
import { runSession } from './runSession';

const runners = {
  flow: runFlow,
  tool: runTool,
  key: runKey,
  result: runResult,
  result_ctor: runResultCtor,
  session: runSession,
  deadline: runDeadline,
  budget: runBudget,
  loop: runLoop,
  parse: runParse,
  dump: runDump,
  schema: runSchema,
  fs: runFilesystem,
  completion: runCompletion,
  resources: runResources,
  output: runOutput,
};

/**
 * Runs a case through the public API of the framework.
 *
 * @throws ConformanceFault C3 when the case says something that the runner does not know
 */
export async function runCase({ id, kind, input }: ConformanceCase): Promise<Outcome> {
  try {
    if (!Object.hasOwn(runners, kind)) throw unknownWord('kind', kind);
    // Each runner trusts its input: the keywords of a case were checked before.
    return await runners[kind as keyof typeof runners](input as never);
  } catch (error) {
    throw error instanceof ConformanceFault ? error.at(id) : error;
  }
}
