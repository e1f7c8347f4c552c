import type { RenderedPrompt } from 'toolwright';
import type { NamedTool, PromptAddition, PromptExtension } from 'toolwright/adapters';
import { copyOwnOptions } from 'toolwright/internal/light';
import type { ToolMetadata } from 'toolwright/types';
import { type OptionNames, createProgramNames, requireOptionNames } from 'toolwright/internal';
import { PROGRAM_TOOL, createProgramTool, type ProgramHandler } from './program/createProgramTool.js';
import { answerProgram } from './program/runInCall.js';
import { programOptionNames, type ProgramOptions } from './ProgramOptions.js';
import { readSettings, type ProgramSettings } from './ProgramSettings.js';
import { isForPrograms, ProgramTools } from './ProgramTools.js';
import { writeCodeText, writeToolPromptText } from './writePromptTexts.js';

/** Options of `programs`. */
export interface ProgramsOptions extends ProgramOptions {
  /** `beside` (by default): the model may call the tools one by one as well; `instead`: only from programs. */
  readonly offer?: 'beside' | 'instead' | undefined;
}

const optionNames: OptionNames<ProgramsOptions> = { ...programOptionNames, offer: 1 };

/**
 * Makes the tools of a prompt callable from programs: adds `execute_program`, and a text on when to use it
 * (docs/contract.md, 21). A program is one call, and commits as a whole.
 *
 * @throws ProgramError E672; PromptError E413 for an unknown option; `createApplication` rejects tools without a unique name in
 * programs with E661 or E662, unless `callers: ['direct']` excludes them from programs
 * @example
 * @Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection], extensions: [programs({ offer: 'instead' })] })
 * class SupportDesk {}
 */
export function programs(given: ProgramsOptions = {}): PromptExtension {
  requireOptionNames('programs', given, optionNames);
  const options = copyOwnOptions(given);
  const settings = readSettings(options);
  const isInstead = options.offer === 'instead';
  let last: { readonly tools: readonly ToolMetadata[]; readonly addition: PromptAddition } | undefined;
  return Object.freeze({
    name: 'programs',
    toolNames: [PROGRAM_TOOL],
    check: (tools: readonly NamedTool[]) =>
      createProgramNames(tools.filter(({ callers }) => callers.includes('program')).map(({ name }) => name)).objections,
    extend: (tools: readonly ToolMetadata[]) => {
      const offered = tools.filter(isForPrograms);
      // Most renderings offer the same tools as the previous one; an adapter need not lower the same schema again.
      if (last?.tools.length !== offered.length || offered.some((tool, index) => tool !== last?.tools[index]))
        last = { tools: offered, addition: createAddition(offered, settings, isInstead) };
      return last.addition;
    },
  });
}

const NOTHING: PromptAddition = Object.freeze({ text: '', tools: [], hidden: new Set<string>() });

function createAddition(
  offered: readonly ToolMetadata[],
  settings: ProgramSettings,
  isInstead: boolean,
): PromptAddition {
  if (offered.length === 0) return NOTHING;
  const answering = { tools: (rendered: RenderedPrompt) => ProgramTools.of(rendered), settings };
  const run: ProgramHandler = (code, context) => answerProgram(code, context, answering);
  const metadata = createProgramTool(run, writeCodeText(offered, settings));
  return Object.freeze({
    text: writeToolPromptText(offered, settings),
    tools: [{ metadata, owner: {} }],
    hidden: new Set(isInstead ? offered.map(({ name }) => name) : []),
  });
}
