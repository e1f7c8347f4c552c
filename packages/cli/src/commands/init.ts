import { Option, type Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { InitOptions } from '../actions/init.js';

/** Declares `toolwright init`. */
export function addInit(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write a working project into an empty folder')
    .argument('[folder]', 'the folder; this one when left out')
    .addOption(new Option('-k, --kind <kind>', 'what kind of project').choices(['plain', 'nest']))
    .option('-y, --yes', 'ask nothing: a plain project, unless --kind says otherwise')
    .option('--json', 'write the names of the files as JSON')
    .action(async (given: string | undefined, options: InitOptions) =>
      (await import('../actions/init.js')).init(context, given, options),
    );
}
