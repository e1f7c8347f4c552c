import type { Finding } from '../error/Finding.js';
import { messageOf } from '../common/text.js';
import type { Terminal } from './Terminal.js';

interface Coded {
  readonly code: string;
  readonly place?: string | undefined;
  readonly problem?: string | undefined;
  readonly remedy?: string | undefined;
  readonly findings?: readonly Finding[] | undefined;
}

/** The findings of an application that could not be created; undefined for any other error. */
export function findingsOf(error: unknown): readonly Finding[] | undefined {
  const { findings } = (error ?? {}) as Partial<Coded>;
  return Array.isArray(findings) ? (findings as readonly Finding[]) : undefined;
}

/** Shows an error as every command does; with `--json`, on standard output as well. */
export function showError(terminal: Terminal, error: unknown, json: boolean): void {
  const findings = findingsOf(error);
  const { code, place, problem, remedy } = (error ?? {}) as Partial<Coded>;
  if (json) {
    const message = problem ?? messageOf(error).split('\n')[0];
    terminal.json({ error: { code, place, message, remedy, ...(findings === undefined ? {} : { findings }) } });
    return;
  }
  const { noteColors: colors } = terminal;
  const text = messageOf(error).replace(/^(E\d{3})/gm, (found) => colors.red(colors.bold(found)));
  terminal.note(
    code === undefined ? `${colors.red('error')} ${text}` : text.replace(/^ {2}fix:/gm, `  ${colors.green('fix:')}`),
  );
  if (code === undefined && error instanceof Error)
    terminal.note(error.stack?.split('\n').slice(1, 4).join('\n') ?? '');
}

/** 1 for an application or a run that is not good, 2 for input of the command line that is not. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return (error as { readonly name?: unknown } | null | undefined)?.name === 'CliError' ? 2 : 1;
}
