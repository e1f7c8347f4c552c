import type { Finding } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import { MAX_CAUSES } from './limits.js';
import { block, bold, green, joinLines, line, red, type TerminalText } from './terminal/TerminalText.js';
import type { Terminal } from './terminal/Terminal.js';

interface Coded {
  readonly code: string;
  readonly place?: string | undefined;
  readonly problem?: string | undefined;
  readonly remedy?: string | undefined;
  readonly findings?: readonly Finding[] | undefined;
}

/** Returns the findings of an application that could not be created; undefined for any other error. */
export function readFindings(error: unknown): readonly Finding[] | undefined {
  const { findings } = (error ?? {}) as Partial<Coded>;
  return Array.isArray(findings) ? (findings as readonly Finding[]) : undefined;
}

/** Lists an error and its causes, each once, because causes may form a cycle. */
export function listCauses(error: unknown): readonly unknown[] {
  const found = new Set<unknown>();
  for (let each = error; each instanceof Error && !found.has(each); each = each.cause) found.add(each);
  return [...found];
}

interface ErrorStyle {
  /** True for JSON on standard output, in one line. */
  readonly json: boolean;
  /** True to show stack traces. */
  readonly verbose?: boolean;
}

export function showError(terminal: Terminal, error: unknown, { json, verbose = false }: ErrorStyle): void {
  const findings = readFindings(error);
  const { code, place, problem, remedy } = (error ?? {}) as Partial<Coded>;
  if (json) {
    const message = problem ?? messageOf(error).split('\n')[0];
    // One line, because it may follow the lines of a stream.
    terminal.jsonLine({ error: { code, place, message, remedy, ...(findings === undefined ? {} : { findings }) } });
    return;
  }
  if (findings !== undefined) {
    const [head = ''] = messageOf(error).split('\n', 1);
    terminal.note(joinLines([line`${head}`, line``, ...findings.map(formatCodedError)]));
  } else if (code !== undefined && problem !== undefined) {
    terminal.note(formatCodedError({ code, place, problem, remedy }));
  } else {
    terminal.note(
      code === undefined ? line`${red('error')} ${indentLines(messageOf(error))}` : formatReportedError(error, code),
    );
  }
  if (verbose) for (const text of formatStacks(error)) terminal.note(text);
  else if (code === undefined && error instanceof Error) terminal.note('  --verbose shows where it was thrown.');
}

/** Chooses the exit code of an error: 2 for bad input of the command line, 1 for a bad application or run. */
export function chooseExitCode(error: unknown): 1 | 2 {
  return (error as { readonly name?: unknown } | null | undefined)?.name === 'CliError' ? 2 : 1;
}

function formatCodedError({ code, place, problem, remedy }: Coded & { readonly problem: string }): TerminalText {
  const where = place === undefined ? '' : ` ${place}`;
  return line`${red(bold(code))}${where}: ${indentLines(problem)}\n  ${green('fix:')} ${indentLines(remedy ?? '')} (docs/errors.md#${code.toLowerCase()})`;
}

/** Formats an error of `report`, which has code, place and remedy in its message. */
function formatReportedError(error: unknown, code: string): TerminalText {
  const message = messageOf(error);
  const begins = message.startsWith(code) ? code : '';
  const fixAt = message.lastIndexOf('\n  fix: ');
  const problem = message.slice(begins.length, fixAt < 0 ? undefined : fixAt);
  const fix = fixAt < 0 ? '' : line`\n  ${green('fix:')} ${message.slice(fixAt + '\n  fix: '.length)}`;
  return line`${red(bold(begins))}${indentLines(problem)}${fix}`;
}

/** Indents every line after the first, so that none of them looks like a line of this program. */
function indentLines(text: string): TerminalText {
  return block(text.replace(/\r?\n/g, '\n    '));
}

function formatStacks(error: unknown): readonly TerminalText[] {
  const stacks: TerminalText[] = [];
  for (let each = error, depth = 0; each instanceof Error && depth < MAX_CAUSES; each = each.cause, depth++) {
    const frames = (each.stack ?? '').split('\n').filter((text) => /^\s+at /.test(text));
    stacks.push(block([...(depth === 0 ? [] : [`  caused by ${each.name}: ${each.message}`]), ...frames].join('\n')));
  }
  return stacks;
}
