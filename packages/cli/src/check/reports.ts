import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createWriteError } from '../CliError.js';
import type { CommandContext } from '../Context.js';
import type { REPORT_FORMATS } from '../options.js';
import type { Terminal } from '../terminal/Terminal.js';
import { bold, cyan, dim, green, line, red } from '../terminal/TerminalText.js';

export type ReportFormat = (typeof REPORT_FORMATS)[number];

const PAGE = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Writes the findings in each format. For text, findings go to standard output, and the note that there are none to standard error. */
export const reports: Readonly<Record<ReportFormat, (terminal: Terminal, problems: readonly Problem[]) => void>> = {
  text: (terminal, problems) => {
    for (const { rule, level, message, remedy, place, file, line: number } of problems) {
      const paint = level === 'error' ? red : cyan;
      const where = file === undefined ? '' : line` ${dim(number === undefined ? file : `${file}:${String(number)}`)}`;
      terminal.data(line`${paint(bold(rule))} ${place}: ${message}${where}`);
      if (remedy !== undefined) terminal.data(line`  ${green('fix:')} ${remedy}`);
    }
  },
  json: (terminal, problems) => {
    terminal.json({ findings: problems });
  },
  sarif: (terminal, problems) => {
    terminal.json(writeSarif(problems));
  },
  github: (terminal, problems) => {
    for (const { rule, level, message, remedy, place, file, line: number } of problems) {
      const where = file === undefined ? '' : ` file=${escapeProperty(file)},line=${String(number ?? 1)},`;
      const text = [`${place}: ${message}`, ...(remedy === undefined ? [] : [`fix: ${remedy}`])].join('\n');
      const command = level === 'error' ? 'error' : 'notice';
      terminal.data(line`::${command}${where === '' ? ' ' : where}title=${escapeProperty(rule)}::${escapeData(text)}`);
    }
  },
};

/** Writes the findings as SARIF into a file. @throws CliError E970 */
export function writeSarifFile(
  { folder, terminal }: Pick<CommandContext, 'folder' | 'terminal'>,
  path: string,
  problems: readonly Problem[],
): void {
  try {
    writeFileSync(resolve(folder, path), `${JSON.stringify(writeSarif(problems), null, 2)}\n`);
  } catch (cause) {
    throw createWriteError(path, cause);
  }
  terminal.note(line`The findings are in ${path}.`);
}

/** Writes the findings as SARIF 2.1.0, for code scanning. */
function writeSarif(problems: readonly Problem[]): object {
  const rules = [...new Set(problems.map(({ rule }) => rule))];
  return {
    $schema: PAGE,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'toolwright', rules: rules.map((id) => ({ id })) } },
        results: problems.map(({ rule, level, message, remedy, place, file, line: number }) => ({
          ruleId: rule,
          level,
          message: { text: `${place}: ${message}${remedy === undefined ? '' : `\nfix: ${remedy}`}` },
          locations: [
            {
              ...(file === undefined
                ? {}
                : {
                    physicalLocation: {
                      artifactLocation: { uri: encodeURI(file) },
                      region: { startLine: number ?? 1 },
                    },
                  }),
              logicalLocations: [{ fullyQualifiedName: place }],
            },
          ],
        })),
      },
    ],
  };
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A problem of an application, found by any check. */
export interface Problem {
  /** The code in docs/errors.md, the name of a lint rule, or `contract`. */
  readonly rule: string;
  readonly level: 'error' | 'note';
  readonly message: string;
  /** The remedy; undefined if the message includes it. */
  readonly remedy?: string | undefined;
  /** The place, such as `Orders.getOrder`, a section, or a tool. */
  readonly place: string;
  /** The file relative to the folder, with `/`; undefined if it is not known. */
  readonly file?: string | undefined;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
}
