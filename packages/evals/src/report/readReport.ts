import type { EvalGate } from '../Eval.js';
import { EvalError } from '../EvalError.js';
import { readResultsFile } from '../results/ResultsFile.js';
import type { EvalReport } from './EvalReport.js';
import { ReportBuilder } from './ReportBuilder.js';

/**
 * Reads the report of a file of results, finished or not. `runEval` returns the same report; pass the gates of the eval, because the file does not have them.
 *
 * @param file the file that `runEval` has written with its option `results`
 * @throws EvalError E994 for a damaged file; errors of the file system
 */
export async function readReport(file: string, gates: Readonly<Record<string, EvalGate>> = {}): Promise<EvalReport> {
  let builder: ReportBuilder | undefined;
  await readResultsFile(
    file,
    (header) => {
      builder = new ReportBuilder(header, gates);
    },
    (result) => builder?.add(result),
  );
  if (builder === undefined) throw new EvalError('there are no results', { code: 'E994', place: file });
  return builder.build();
}
