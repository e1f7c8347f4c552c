import { copyOwnOptions } from 'toolwright/internal/light';
import { CliError } from './CliError.js';
import type { CommandContext } from './Context.js';

export interface SecretsOptions {
  readonly showSecrets?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Checks whether the person at the terminal asked to see secrets, and no file or program receives them.
 *
 * @throws CliError E973 with `--json`, or if an output goes to a pipe or a file
 */
export function canShowSecrets({ terminal }: CommandContext, options: SecretsOptions): boolean {
  const { showSecrets = false, json = false } = copyOwnOptions(options);
  if (!showSecrets) return false;
  const details = { code: 'E973', place: '--show-secrets' } as const;
  if (json) {
    const remedy = 'Leave one of the two options out.';
    throw new CliError('--json is for programs and logs, which must not get secrets', { ...details, remedy });
  }
  if (terminal.isPrivate) return true;
  const remedy = 'Run the command in a terminal, without a pipe or a redirection, or leave the option out.';
  throw new CliError('secrets are shown only at a terminal, but an output goes elsewhere', { ...details, remedy });
}
