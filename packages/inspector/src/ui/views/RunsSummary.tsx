import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatCount } from '../parts/pieces.js';
import type { Row } from '../types.js';
import { isTroubled } from './filterRows.js';

const NOTHING = {
  run: 0,
  request: 0,
  call: 0,
  program: 0,
  event: 0,
  problems: 0,
  input: 0,
  output: 0,
  cached: 0,
  cost: 0,
};

function totalsOf(rows: readonly Row[]): typeof NOTHING {
  const sums = { ...NOTHING };
  for (const row of rows) {
    sums[row.kind]++;
    if (isTroubled(row)) sums.problems++;
    sums.cost += row.cost ?? 0;
    if (row.kind !== 'request') continue;
    sums.input += row.usage?.inputTokens ?? 0;
    sums.output += row.usage?.outputTokens ?? 0;
    sums.cached += row.usage?.cachedInputTokens ?? 0;
  }
  return sums;
}

/** Shows the totals of the runs. */
export function RunsSummary({ rows, shown }: { rows: readonly Row[]; shown: number }): JSX.Element {
  const { run, request, call, problems, input, output, cached, cost } = useMemo(() => totalsOf(rows), [rows]);
  return (
    <div class="summary-line" role="status">
      <span>
        <b>{formatCount(shown)}</b> of {formatCount(rows.length)} lines
      </span>
      <span>
        <b>{formatCount(run)}</b> runs
      </span>
      <span>
        <b>{formatCount(request)}</b> requests
      </span>
      <span>
        <b>{formatCount(call)}</b> calls
      </span>
      <span class={problems > 0 ? 'is-bad' : ''}>
        <b>{formatCount(problems)}</b> with problems
      </span>
      {input > 0 && (
        <span>
          <b>{formatCount(input)}</b> → <b>{formatCount(output)}</b> tokens
          {cached > 0 && `, ${String(Math.round((100 * cached) / input))} % from cache`}
        </span>
      )}
      {cost > 0 && (
        <span>
          cost <b>{cost.toFixed(4)}</b>
        </span>
      )}
    </div>
  );
}
