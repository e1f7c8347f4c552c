import type { REPORT_FORMATS } from '../options.js';
import type { Problem } from './Problem.js';
import type { Terminal } from '../Terminal.js';

/** A form of the findings. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const PAGE = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Writes the findings; for text, everything but a count of none goes to standard output. */
export const reports: Readonly<Record<ReportFormat, (terminal: Terminal, problems: readonly Problem[]) => void>> = {
  text: (terminal, problems) => {
    const { colors } = terminal;
    for (const { rule, level, message, remedy, place, file, line } of problems) {
      const paint = level === 'error' ? colors.red : colors.cyan;
      const where = file === undefined ? '' : ` ${colors.dim(at(file, line))}`;
      terminal.data(`${paint(colors.bold(rule))} ${place}: ${message}${where}`);
      if (remedy !== undefined) terminal.data(`  ${colors.green('fix:')} ${remedy}`);
    }
  },
  json: (terminal, problems) => {
    terminal.json({ findings: problems });
  },
  sarif: (terminal, problems) => {
    terminal.json(sarif(problems));
  },
  github: (terminal, problems) => {
    for (const { rule, level, message, remedy, place, file, line } of problems) {
      const where = file === undefined ? '' : ` file=${escapedProperty(file)},line=${String(line ?? 1)},`;
      const text = [`${place}: ${message}`, ...(remedy === undefined ? [] : [`fix: ${remedy}`])].join('\n');
      const command = level === 'error' ? 'error' : 'notice';
      terminal.data(`::${command}${where === '' ? ' ' : where}title=${escapedProperty(rule)}::${escapedData(text)}`);
    }
  },
};

/** SARIF 2.1.0, as code scanning reads it. */
function sarif(problems: readonly Problem[]): object {
  const rules = [...new Set(problems.map(({ rule }) => rule))];
  return {
    $schema: PAGE,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'toolwright', rules: rules.map((id) => ({ id })) } },
        results: problems.map(({ rule, level, message, remedy, place, file, line }) => ({
          ruleId: rule,
          level,
          message: { text: `${place}: ${message}${remedy === undefined ? '' : `\nfix: ${remedy}`}` },
          locations: [
            {
              ...(file === undefined
                ? {}
                : {
                    physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: line ?? 1 } },
                  }),
              logicalLocations: [{ fullyQualifiedName: place }],
            },
          ],
        })),
      },
    ],
  };
}

function at(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${String(line)}`;
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
