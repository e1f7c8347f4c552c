import type { EvalComparison } from './compareReports.js';
import type { EvalReport } from './EvalReport.js';

/** Writes a report or a comparison as JSON: the same results give the same bytes. */
export function writeJson(report: EvalReport | EvalComparison): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
