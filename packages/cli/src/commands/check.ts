import { Option, type Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { CheckOptions } from '../actions/check.js';
import { onApplication, REPORT_FORMATS } from '../options.js';

/** Declares `toolwright check`. */
export function addCheck(program: Command, context: CommandContext): void {
  onApplication(program.command('check'))
    .description('report everything that is wrong with the declarations, and changes that break callers')
    .addOption(new Option('-f, --format <format>', 'how to write it').choices(REPORT_FORMATS).default('text'))
    .option('--contract <file>', 'compare the tools with those of the file, and name breaking changes')
    .option('--write-contract <file>', 'write the tools into the file')
    .action(async (options: CheckOptions) => (await import('../actions/check.js')).check(context, options));
}
