import { Option, type Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { RunOptions } from '../actions/run.js';
import { onApplication, repeated, showingSecrets, withMetadata } from '../options.js';

/** Declares `toolwright run`. */
export function addRun(program: Command, context: CommandContext): void {
  showingSecrets(withMetadata(onApplication(program.command('run'))))
    .description('talk with the model at the terminal; Ctrl-C cancels an answer')
    .argument('[messages...]', 'what to say; without it, lines of standard input')
    .option('--script <file>', 'replies in place of a model: a JSON list of texts and { text, toolCalls }')
    .option('--param <name=value|@file>', 'the value of a parameter of the prompt', repeated)
    .addOption(new Option('--approve <how>', 'how approvals are given').choices(['ask', 'all', 'none']).default('ask'))
    .option('--record <file>', 'write a bundle of the run into the file')
    .action(async (messages: readonly string[], options: RunOptions) =>
      (await import('../actions/run.js')).run(context, messages, options),
    );
}
