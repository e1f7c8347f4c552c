import type { EvalReport } from '@toolwright/evals';
import type { Agent } from './agents.js';

/** The report of an agent. */
export interface AgentReport {
  readonly agent: Agent;
  readonly report: EvalReport;
}

/**
 * Writes the percentage of runs that each scorer refuses, with Wilson's interval of 95 %.
 */
export function writeTable(reports: readonly AgentReport[]): string {
  const [good, bad] = [false, true].map((isFaulty) => reports.filter(({ agent }) => agent.isFaulty === isFaulty));
  const scorers = reports[0]?.report.scorers.map(({ name }) => name) ?? [];
  const heads = [
    ['agent without a fault: alarms, %', 'tasks', ...scorers],
    ['agent with a fault: found, %', 'tasks', ...scorers],
  ];
  const groups = [good, bad].map((group, at) => [heads[at] ?? [], ...(group ?? []).map(writeRow)]);
  const widths = ['', '', ...scorers].map((_name, column) =>
    Math.max(...groups.flat().map((row) => row[column]?.length ?? 0)),
  );
  return groups
    .map((rows) => rows.map((row) => row.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join('  ')).join('\n'))
    .join('\n\n');
}

function writeRow({ agent, report }: AgentReport): readonly string[] {
  const cells = report.scorers.map((scorer) => {
    const { share, lower, upper } = refusedShare(scorer);
    return `${percent(share)} [${percent(lower)}, ${percent(upper)}]`;
  });
  return [agent.name, String(report.runs.expected), ...cells];
}

function refusedShare(scorer: EvalReport['scorers'][number] | undefined) {
  const { value, lower, upper } = scorer?.share ?? { value: 0, lower: 0, upper: 1 };
  return { share: 1 - value, lower: 1 - upper, upper: 1 - lower };
}

function percent(share: number): string {
  return (100 * share).toFixed(0);
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
