import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runEval, writeHtml, writeSummary } from '@toolwright/evals';
import type { RetailTask } from '../comparison/readInput.js';
import { RetailStore } from '../store/RetailStore.js';
import type { RetailData } from '../store/rows.js';
import { agents } from './agents.js';
import { defineDeskEval } from './defineDeskEval.js';
import { type AgentReport, writeTable } from './writeTable.js';

export interface DeskEvalOptions {
  /** A folder for a file of results of each agent. A killed run continues there. */
  readonly results?: string | undefined;
  /** A folder for a page of each agent. */
  readonly html?: string | undefined;
  readonly print: (line: string) => void;
}

/**
 * Runs every agent on its tasks, and prints the lines of each scorer, the table and a last line.
 *
 * @returns true if no scorer refuses the recorded calls, and each run of an agent with a fault is refused by some scorer
 */
export async function runDeskEval(
  data: RetailData,
  tasks: readonly RetailTask[],
  { results, html, print }: DeskEvalOptions,
): Promise<boolean> {
  const base = RetailStore.of(data);
  const reports: AgentReport[] = [];
  for (const folder of [results, html]) if (folder !== undefined) mkdirSync(folder, { recursive: true });
  for (const agent of agents) {
    const evaluation = defineDeskEval(agent, tasks, data, base);
    if (evaluation === undefined) continue;
    const name = agent.name.replaceAll(/[^a-z]+/g, '-');
    const report = await runEval(evaluation, { results: results && join(results, `${name}.jsonl`) });
    if (html !== undefined) writeFileSync(join(html, `${name}.html`), writeHtml(report));
    print(`${writeSummary(report)}\n`);
    reports.push({ agent, report });
  }
  print(`${writeTable(reports)}\n`);
  const faulty = reports.filter(({ agent }) => agent.isFaulty);
  const found = faulty.filter(({ report }) => report.overall.share?.value === 0);
  const [runs, errors] = (['finished', 'errors'] as const).map((name) =>
    reports.reduce((sum, { report }) => sum + report.runs[name], 0),
  );
  print(
    `retail eval: ${tasks.length} tasks, ${reports.length} agents, ${runs} runs, ${errors} errors; ` +
      `${found.length} of ${faulty.length} faults found`,
  );
  return errors === 0 && reports[0]?.report.passed === true && found.length === faulty.length;
}
