import type { JSX } from 'preact';
import { formatCount } from '../parts/pieces.js';
import type { Row } from '../types.js';

/** The most requests that are shown; older ones are hidden. */
const SHOWN = 300;

/** Shows how much of the previous request each request repeated, and how much the provider read from its cache. */
export function Ledger({ rows }: { rows: readonly Row[] }): JSX.Element {
  const requests = rows.filter(({ kind, status }) => kind === 'request' && status !== 'open');
  if (requests.length === 0) return <p class="soft">No request has been answered yet.</p>;
  const unmeasured = requests.every(({ prefix }) => prefix === undefined);
  return (
    <div class="stack">
      <p class="soft">
        A request begins with the one before it, so that the provider reads it from its cache. Bytes that changed are a
        fault, but for the first request of a conversation.
        {unmeasured && ' The adapter of these runs does not say what it sends, so that only tokens are known.'}
      </p>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Requests">
        <table>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col" class="number">
                Kept
              </th>
              <th scope="col" class="number">
                New
              </th>
              <th scope="col" class="number">
                Changed
              </th>
              <th scope="col">Broken at</th>
              <th scope="col" class="number">
                Input tokens
              </th>
              <th scope="col" class="number">
                From cache
              </th>
            </tr>
          </thead>
          <tbody>
            {requests.slice(-SHOWN).map(({ seq, run, name, prefix, usage }) => (
              <tr key={seq}>
                <td>
                  {name} <span class="soft mono">{run.slice(0, 8)}</span>
                </td>
                <td class="number">{formatCount(prefix?.keptBytes)}</td>
                <td class="number">{formatCount(prefix?.newBytes)}</td>
                <td class={`number ${(prefix?.changedBytes ?? 0) > 0 ? 'is-bad' : ''}`}>
                  {formatCount(prefix?.changedBytes)}
                </td>
                <td class="mono">{prefix?.brokenAt ?? '–'}</td>
                <td class="number">{formatCount(usage?.inputTokens)}</td>
                <td class="number">{formatCount(usage?.cachedInputTokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
