import { Command } from 'commander';
import { addAdd } from './commands/add.js';
import { addCall } from './commands/call.js';
import { addCheck } from './commands/check.js';
import { addDoctor } from './commands/doctor.js';
import { addExplain } from './commands/explain.js';
import { addInit } from './commands/init.js';
import { addInspect } from './commands/inspect.js';
import { addRender } from './commands/render.js';
import { addReplay } from './commands/replay.js';
import { addRun } from './commands/run.js';
import { addServe } from './commands/serve.js';
import { addTools } from './commands/tools.js';
import { addTrace } from './commands/trace.js';
import type { CommandContext } from './Context.js';
import { ownManifest } from './ownFile.js';

const EXAMPLES = `
Examples:
  toolwright check --format sarif > findings.sarif
  toolwright render --param tier=gold --tokens
  toolwright call get_order '{"orderId":"W1"}'
  toolwright run --script replies.json "Where is W1?"

The application is the export of toolwright.config.ts, or of --app path#export (docs/cli.md).
Exit codes: 0 good, 1 findings or a failure, 2 wrong input.`;

/** The command line with every command; each of them loads what it needs when it runs. */
export function createProgram(context: CommandContext): Command {
  const { terminal } = context;
  const program = new Command('toolwright')
    .description('Looks at prompts and tools, checks them, and runs them. Needs no model and no key unless told to.')
    .version(ownManifest().version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        terminal.write(text);
      },
      writeErr: (text) => {
        terminal.note(text);
      },
      // `runProgram` shows it: most commands need none of that.
      outputError: () => undefined,
    })
    .addHelpText('after', EXAMPLES);
  for (const add of [
    addInit,
    addAdd,
    addDoctor,
    addCheck,
    addRender,
    addTools,
    addCall,
    addRun,
    addReplay,
    addTrace,
    addServe,
    addInspect,
    addExplain,
  ])
    add(program, context);
  return program;
}
