import type { Command } from 'commander';
import type { AppOptions, CommandContext } from '../Context.js';
import { onApplication } from '../options.js';

/** Declares `toolwright doctor`. */
export function addDoctor(program: Command, context: CommandContext): void {
  onApplication(program.command('doctor'))
    .description(
      'look for what keeps declarations from working: compiler settings, versions, duplicate packages, metadata',
    )
    .action(async (options: AppOptions) => (await import('../actions/doctor.js')).doctor(context, options));
}
