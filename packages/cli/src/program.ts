import { Command, Option, Argument } from 'commander';
import type { CommandContext, AppOptions } from './Context.js';
import { readOwnManifest } from './packageFiles.js';
import type { AddOptions } from './actions/add.js';
import type { AskOptions } from './actions/run.js';
import {
  addApplicationOptions,
  collectOption,
  addSecretsOption,
  addMetadataOption,
  CHANGE_KINDS,
  FAULTS,
  REPORT_FORMATS,
  addOpenOption,
  parseCount,
  parseSeed,
  parsePort,
  TOOL_FORMATS,
  TEST_RUNNERS,
} from './options.js';
import type { CheckOptions } from './actions/check.js';
import type { InvokeOptions } from './actions/call.js';
import type { RenderOptions } from './actions/render.js';
import type { McpDiffOptions } from './actions/mcpDiff.js';
import type { ServeOptions } from './actions/serve.js';
import type { SkillsOptions } from './actions/skills.js';
import type { ToolsOptions } from './actions/tools.js';
import type { InspectOptions } from './actions/inspect.js';
import type { ReplayOptions } from './actions/replay.js';
import type { InitOptions } from './actions/init.js';
import type { ProveOptions } from './actions/prove.js';
import type { EvalCommandOptions } from './actions/evaluate.js';

const EXAMPLES = `
Examples:
  toolwright check --format sarif > findings.sarif
  toolwright render --param tier=gold --tokens
  toolwright call get_order '{"orderId":"W1"}'
  toolwright run --script replies.json "Where is W1?"

The application is the export of toolwright.config.ts, or of --app path#export (docs/cli.md).
Exit codes: 0 good, 1 findings or a failure, 2 wrong input.`;

/** Creates the command line with every command. A command loads its modules when it runs. */
export function createProgram(context: CommandContext): Command {
  const { terminal } = context;
  const program = new Command('toolwright')
    .description('Looks at prompts and tools, checks them, and runs them. Needs no model and no key unless told to.')
    .version(readOwnManifest().version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        terminal.write(text);
      },
      writeErr: (text) => {
        terminal.note(text);
      },
      // `runProgram` shows the error.
      outputError: () => undefined,
    })
    .addHelpText('after', EXAMPLES);
  for (const add of [
    addInitCommand,
    addAddCommand,
    addDoctorCommand,
    addCheckCommand,
    addProveCommand,
    addRenderCommand,
    addToolsCommand,
    addCallCommand,
    addRunCommand,
    addReplayCommand,
    addTraceCommand,
    addEvalCommand,
    addServeCommand,
    addMcpCommand,
    addSkillsCommand,
    addInspectCommand,
    addExplainCommand,
  ])
    add(program, context);
  return program;
}

/** Declares `toolwright add`. */
function addAddCommand(program: Command, context: CommandContext): void {
  program
    .command('add')
    .description('put Toolwright into the application of this folder, and show the difference first')
    .option('-y, --yes', 'ask nothing, and write the files')
    .option('--json', 'write the plan as JSON, and change nothing without --yes')
    .action(async (options: AddOptions) => (await import('./actions/add.js')).add(context, options));
}

/** Declares `toolwright run`. */
function addRunCommand(program: Command, context: CommandContext): void {
  addSecretsOption(addMetadataOption(addApplicationOptions(program.command('run'))))
    .description('talk with the model at the terminal; Ctrl-C cancels an answer')
    .argument('[messages...]', 'what to say; without it, lines of standard input')
    .option('--script <file>', 'replies in place of a model: a JSON list of texts and { text, toolCalls }')
    .option('--param <name=value|@file>', 'the value of a parameter of the prompt', collectOption)
    .addOption(new Option('--approve <how>', 'how approvals are given').choices(['ask', 'all', 'none']).default('ask'))
    .option('--record <file>', 'write a bundle of the run into the file')
    .action(async (messages: readonly string[], options: AskOptions) =>
      (await import('./actions/run.js')).run(context, messages, options),
    );
}

/** Declares `toolwright check`. */
function addCheckCommand(program: Command, context: CommandContext): void {
  addApplicationOptions(program.command('check'))
    .description('report everything that is wrong with the declarations, and changes that break callers')
    .addOption(new Option('-f, --format <format>', 'how to write it').choices(REPORT_FORMATS).default('text'))
    .option('--contract <file>', 'compare the tools with those of the file, and name breaking changes')
    .option('--write-contract <file>', 'write the tools into the file')
    .option('--sarif <file>', 'write the findings into the file, as SARIF')
    .option('--against <path>', 'replay recorded runs, and show which ones change and how')
    .addOption(new Option('--only <kinds...>', 'only these changes of runs').choices(CHANGE_KINDS))
    .option('--concurrency <n>', 'replays at the same time (default: 4)', parseCount)
    .option('--timeout <seconds>', 'the longest replay (default: 10)', parseCount)
    .action(async (options: CheckOptions) => (await import('./actions/check.js')).check(context, options));
}

/** Declares `toolwright call`. */
function addCallCommand(program: Command, context: CommandContext): void {
  addSecretsOption(addOpenOption(addMetadataOption(addApplicationOptions(program.command('call')))))
    .description('run one tool: as a rehearsal, which is rolled back and shows what would change')
    .argument('<tool>', 'the name of the tool')
    .argument('[arguments]', 'JSON, @file, or - for standard input', '{}')
    .option('--commit', 'run it for good: keep its changes, and let it act outside')
    .action(async (name: string, given: string, options: InvokeOptions) =>
      (await import('./actions/call.js')).call(context, name, given, options),
    );
}

/** Declares `toolwright prove`. */
function addProveCommand(program: Command, context: CommandContext): void {
  addMetadataOption(addApplicationOptions(program.command('prove')))
    .description(
      'put every tool under faults, and show what each one left: exits with 1 if a tool claims more than it holds',
    )
    .option('--act', 'run tools that may act outside too; the application must use test doubles')
    .option('--tools <names...>', 'only these tools')
    .addOption(new Option('--faults <kinds...>', 'only these faults').choices(FAULTS))
    .option('--runs <path>', 'take arguments from recorded runs: a bundle, or a folder of them')
    .option('--markdown <file>', 'write the sheet as Markdown')
    .option('--html <file>', 'write the sheet as a page')
    .option('--seed <n>', 'of the arguments that are created (default: 1)', parseSeed)
    .option('--timeout <seconds>', 'the longest call (default: 5)', parseCount)
    .action(async (options: ProveOptions) => (await import('./actions/prove.js')).prove(context, options));
  program
    .command('prove-part', { hidden: true })
    .argument('<order>')
    .action(async (order: string) => (await import('./actions/provePart.js')).provePart(context, order));
}

/** Declares `toolwright explain`. */
function addExplainCommand(program: Command, context: CommandContext): void {
  program
    .command('explain')
    .argument(
      '<code or page>',
      'the code of an error, such as E304 or 304, or what a message names, such as docs/cli.md#checks-in-ci',
    )
    .description('say what an error means and what to do about it, or show a page of the documentation')
    .option('--json', 'write the result as JSON')
    .action(async (name: string, options: { readonly json?: boolean }) =>
      (await import('./actions/explain.js')).explain(context, name, options),
    );
}

/** Declares `toolwright doctor`. */
function addDoctorCommand(program: Command, context: CommandContext): void {
  addApplicationOptions(program.command('doctor'))
    .description('find problems of the setup: compiler settings, versions, duplicate packages, missing metadata')
    .action(async (options: AppOptions) => (await import('./actions/doctor.js')).doctor(context, options));
}

/** Declares `toolwright render`. */
function addRenderCommand(program: Command, context: CommandContext): void {
  addOpenOption(addMetadataOption(addApplicationOptions(program.command('render'))))
    .description('render a prompt: the text that a model gets')
    .option('--param <name=value|@file>', 'the value of a parameter; repeat it for others', collectOption)
    .addOption(new Option('--format <format>', 'how to write it').choices(['text', 'messages']).default('text'))
    .option('--tokens', 'count the tokens of each section, in place of the text')
    .action(async (options: RenderOptions) => (await import('./actions/render.js')).render(context, options));
}

/** Declares `toolwright serve`. */
function addServeCommand(program: Command, context: CommandContext): void {
  addMetadataOption(addApplicationOptions(program.command('serve')))
    .description('serve a prompt to MCP clients: on standard input and output, or over HTTP on this machine')
    .option('--mcp', 'as an MCP server')
    .option('--server-json', 'in place of serving, write server.json for the registry of MCP servers')
    .option('--http [port]', 'over HTTP, on any free port when left out', parsePort)
    .action(async (options: ServeOptions) => (await import('./actions/serve.js')).serve(context, options));
}

/** Declares `toolwright mcp diff`. */
function addMcpCommand(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('look at the MCP servers of the application')
    .command('diff')
    .description('compare the tools of MCP servers with their pins: exits with 1 if they differ')
    .argument('[server]', 'one of the servers that the module exports as mcp; all when left out')
    .option('-a, --app <path>', 'the module that exports mcp (default: toolwright.config.ts)')
    .option('--accept', 'pin the present declarations')
    .option('--json', 'write the differences as JSON')
    .option('--verbose', 'show where an error was thrown')
    .action(async (server: string | undefined, options: McpDiffOptions) =>
      (await import('./actions/mcpDiff.js')).mcpDiff(context, server, options),
    );
}

/** Declares `toolwright skills`. */
function addSkillsCommand(program: Command, context: CommandContext): void {
  addApplicationOptions(program.command('skills'))
    .description('write sections of a prompt as skills: a folder with SKILL.md for each')
    .argument('[sections...]', 'paths of sections; all at the top when left out')
    .option('--param <name=value|@file>', 'the value of a parameter of the prompt', collectOption)
    .option('--out <folder>', 'the folder for the skills; existing files are not replaced', 'skills')
    .action(async (paths: readonly string[], options: SkillsOptions) =>
      (await import('./actions/skills.js')).skills(context, paths, options),
    );
}

/** Declares `toolwright tools`. */
function addToolsCommand(program: Command, context: CommandContext): void {
  addOpenOption(addApplicationOptions(program.command('tools')))
    .description('list the tools, or write them as a provider gets them')
    .addArgument(new Argument('[names...]', 'the tools; all when left out'))
    .addOption(new Option('-f, --format <format>', 'write their schemas').choices([...TOOL_FORMATS, 'ts']))
    .option('--no-strict', 'without the strict mode of the provider')
    .action(async (names: readonly string[], options: ToolsOptions) =>
      (await import('./actions/tools.js')).tools(context, names, options),
    );
}

/** Declares `toolwright inspect`. */
function addInspectCommand(program: Command, context: CommandContext): void {
  addApplicationOptions(program.command('inspect'))
    .description('look at an application or a recorded run on a page (of @toolwright/inspector)')
    .argument('[bundle]', 'a recorded run; the application alone when left out')
    .option('--port <port>', 'the port; any free one when left out', parsePort)
    .option('--allow-calls', 'let the page rehearse calls, answer approvals, and let runs go on from a moment')
    .action(async (file: string | undefined, options: InspectOptions) =>
      (await import('./actions/inspect.js')).inspect(context, file, options),
    );
}

/** Declares `toolwright replay`. */
function addReplayCommand(program: Command, context: CommandContext): void {
  addApplicationOptions(program.command('replay'))
    .description('run a recorded run again, with the recorded answers: the first difference is shown, and exits with 1')
    .argument('<file>', 'a transcript, or a bundle')
    .option('--run <id>', 'the run of a bundle; the first that was answered when left out')
    .option('--param <name=value|@file>', 'the value of a parameter of the prompt', collectOption)
    .option('--write-test <file>', 'write a test that replays the run of a bundle, in place of replaying it')
    .addOption(
      new Option('--runner <name>', 'its test runner; that of package.json when left out').choices(TEST_RUNNERS),
    )
    .option('--prompt-class <name>', 'the class of the prompt, which --app exports beside createApp')
    .action(async (file: string, options: ReplayOptions) =>
      (await import('./actions/replay.js')).replay(context, file, options),
    );
}

/** Declares `toolwright eval`. */
function addEvalCommand(program: Command, context: CommandContext): void {
  program
    .command('eval')
    .description('run an eval (of @toolwright/evals), and exit with 1 if it does not pass')
    .argument('<path[#export]>', 'the module that exports the eval')
    .option('--results <file>', 'append each result to the file; finished runs of the file are not repeated')
    .option('--retry-failed', 'repeat runs of the file whose run or scorer failed')
    .option('--epochs <count>', 'how often each task runs, in place of the number of the eval', parseCount)
    .option('--concurrency <count>', 'runs at the same time, in place of the number of the eval', parseCount)
    .option('--baseline <file>', 'compare with these results of the same tasks')
    .option('--html <file>', 'write the report as a page')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--json', 'write the report as JSON')
    .option('--verbose', 'show where an error was thrown')
    .action(async (file: string, options: EvalCommandOptions) =>
      (await import('./actions/evaluate.js')).evaluate(context, file, options),
    );
}

/** Declares `toolwright init`. */
function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write a working project into an empty folder')
    .argument('[folder]', 'the folder; this one when left out')
    .addOption(new Option('-k, --kind <kind>', 'what kind of project').choices(['plain', 'nest']))
    .option('-y, --yes', 'ask nothing: a plain project, unless --kind says otherwise')
    .option('--json', 'write the names of the files as JSON')
    .action(async (given: string | undefined, options: InitOptions) =>
      (await import('./actions/init.js')).init(context, given, options),
    );
}

/** Declares `toolwright trace`. */
function addTraceCommand(program: Command, context: CommandContext): void {
  program
    .command('trace')
    .description('show a recorded run as a tree: requests, calls, outcomes, state')
    .argument('<file>', 'a bundle, or a transcript')
    .option('--json', 'write the result as JSON')
    .action(async (file: string, options: { readonly json?: boolean }) =>
      (await import('./actions/trace.js')).trace(context, file, options),
    );
}
