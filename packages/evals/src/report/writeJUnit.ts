import type { TaskResult } from '../results/TaskResult.js';
import { describeFailure } from './describeFailure.js';
import type { EvalReport, TaskReport } from './EvalReport.js';
import { describeGate } from './writeSummary.js';

/**
 * Writes a report as JUnit XML: a test case for each task and each gate. With gates, they alone decide, and a task that does not pass has
 * its reason as output, so that the file fails when the eval does.
 */
export function writeJUnit(report: EvalReport): string {
  const { name, tasks, gates, failures } = report;
  const reasons = new Map<string, TaskResult>();
  for (const failure of failures) if (!reasons.has(failure.task)) reasons.set(failure.task, failure);
  const decidesByGates = gates.length > 0;
  const failing = decidesByGates ? gates.filter(({ met }) => !met).length : tasks.filter(isFailing).length;
  const open = report.complete ? 0 : 1;
  const counts = `tests="${String(tasks.length + gates.length + open)}" failures="${String(failing)}" errors="${String(open)}"`;
  const head = `name=${attribute(name)} ${counts} time="${seconds(report.durationMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${head}>`,
    `<testsuite ${head}>`,
    ...tasks.map((task) => writeTask(task, name, reasons.get(task.id), decidesByGates)),
    ...gates.map((gate) => {
      const title = attribute(`${gate.scorer}: ${gate.kind}`);
      const failure = gate.met ? '' : `<failure message=${attribute(describeGate(gate))}/>`;
      return `<testcase classname=${attribute(`${name} gates`)} name=${title} time="0">${failure}</testcase>`;
    }),
    ...(report.complete ? [] : [writeOpen(report)]),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function writeTask(task: TaskReport, name: string, failure: TaskResult | undefined, decidesByGates: boolean): string {
  const head = `<testcase classname=${attribute(name)} name=${attribute(task.id)} time="${seconds(task.durationMs)}">`;
  if (!isFailing(task)) return `${head}</testcase>`;
  const summary = `${String(task.passed)} of ${String(task.runs)} runs passed`;
  const text = failure === undefined ? summary : `${summary}\n${describeFailure(failure)}`;
  const body = decidesByGates
    ? `<system-out>${escapeXml(text)}</system-out>`
    : `<failure message=${attribute(summary)}>${escapeXml(text)}</failure>`;
  return `${head}${body}</testcase>`;
}

function writeOpen({ name, runs }: EvalReport): string {
  const message = `${String(runs.finished)} of ${String(runs.expected)} runs finished`;
  return `<testcase classname=${attribute(name)} name="all runs" time="0"><error message=${attribute(message)}/></testcase>`;
}

function isFailing({ passed, runs }: TaskReport): boolean {
  return passed < runs;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function attribute(text: string): string {
  return `"${escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
}

/** Characters that no XML document may have, not even escaped. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escapeXml(text: string): string {
  return text.replace(ILLEGAL, '\uFFFD').replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character);
}
