import type { Problem } from '../check/reports.js';
import { formatTable } from '../terminal/formatTable.js';
import type { Terminal } from '../terminal/Terminal.js';
import { dim, green, line, red } from '../terminal/TerminalText.js';
import type { RunsReport } from './checkRuns.js';
import type { RunChange, RunProblem, RunReport } from './RunChange.js';

const HEAD = ['kind', 'where', 'runs', 'difference'];

/** Shows a table with a row for each different change, and a summary. */
export async function showRuns(terminal: Terminal, { runs, problems }: RunsReport): Promise<void> {
  const rows = groupChanges(runs).map(({ change, changed }) => {
    const { kind, where } = change;
    return [kind, where, nameRuns(changed), describeChange(change)];
  });
  if (rows.length > 0) terminal.data(await formatTable(terminal, HEAD, rows));
  for (const { level, code, file, line: at, message, remedy } of problems) {
    const problem = line`${level === 'error' ? red(code) : dim(code)} ${file}:${at}: ${message}`;
    terminal.note(remedy === undefined ? problem : line`${problem}\n  ${green('fix:')} ${remedy}`);
  }
  const tools = [...new Set(runs.flatMap(({ fromRecord }) => fromRecord))];
  if (tools.length > 0) terminal.note(dim(`answered from the record, not run again: ${tools.join(', ')}`));
  terminal.note(summarize(runs, problems));
}

/** Describes the difference in one line. */
export function describeChange({ what, recorded, now }: RunChange): string {
  if (recorded === undefined) return what;
  return now === undefined ? `${what} (${recorded})` : `${what}: ${recorded} → ${now}`;
}

/** Returns the changes and problems as findings, for SARIF and CI. */
export function toProblems({ runs, problems }: RunsReport): readonly Problem[] {
  const changes = runs.flatMap(({ file, run, changes }) =>
    changes.map((change): Problem => {
      const message = `${change.where}: ${describeChange(change)}`;
      return { rule: `against/${change.kind}`, level: 'error', message, place: `run ${run}`, file, line: change.line };
    }),
  );
  const unread = problems.map(({ code, level, message, remedy, file, line: at, run }): Problem => {
    return { rule: code, level, message, remedy, place: run === undefined ? file : `run ${run}`, file, line: at };
  });
  return [...changes, ...unread];
}

function groupChanges(runs: readonly RunReport[]) {
  const groups = new Map<string, { readonly change: RunChange; readonly changed: RunReport[] }>();
  for (const run of runs)
    for (const change of run.changes) {
      const { line: _line, ...same } = change;
      const key = JSON.stringify(same);
      const group = groups.get(key) ?? { change, changed: [] };
      groups.set(key, group);
      if (group.changed.at(-1) !== run) group.changed.push(run);
    }
  return [...groups.values()];
}

function nameRuns([first, ...others]: readonly RunReport[]): string {
  const name = first === undefined ? '' : `${first.file}:${String(first.line)}`;
  return others.length === 0 ? name : `${name} and ${String(others.length)} more`;
}

function summarize(runs: readonly RunReport[], problems: readonly RunProblem[]) {
  const changed = runs.filter(({ changes }) => changes.length > 0);
  const left = problems.length === 0 ? '' : `, ${String(problems.length)} not compared`;
  const [some, all] = [changed, runs].map((each) => new Set(each.map(nameConversation)).size);
  const count = `${String(all)} ${all === 1 ? 'conversation' : 'conversations'}`;
  if (runs.length === 0) return red(`✘ no run was compared${left}`);
  if (changed.length === 0) return green(`✔ ${count}, none changes${left}`);
  return red(`✘ ${String(some)} of ${count} ${some === 1 ? 'changes' : 'change'}${left}`);
}

/** A run without a conversation is a conversation of its own. */
function nameConversation({ file, run, conversation }: RunReport): string {
  return conversation === null ? `${file} ${run}` : `conversation ${conversation}`;
}
