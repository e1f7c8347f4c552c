import { Option, type Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { ReplayOptions } from '../actions/replay.js';
import { onApplication, repeated, TEST_RUNNERS } from '../options.js';

/** Declares `toolwright replay`. */
export function addReplay(program: Command, context: CommandContext): void {
  onApplication(program.command('replay'))
    .description('run a recorded run again, with the recorded answers: the first difference is shown, and exits with 1')
    .argument('<file>', 'a transcript, or a bundle')
    .option('--run <id>', 'the run of a bundle; the first that was answered when left out')
    .option('--param <name=value|@file>', 'the value of a parameter of the prompt', repeated)
    .option('--write-test <file>', 'write a test that replays the run of a bundle, in place of replaying it')
    .addOption(
      new Option('--runner <name>', 'its test runner; that of package.json when left out').choices(TEST_RUNNERS),
    )
    .option('--prompt-class <name>', 'the class of the prompt, which --app exports beside createApp')
    .action(async (file: string, options: ReplayOptions) =>
      (await import('../actions/replay.js')).replay(context, file, options),
    );
}
