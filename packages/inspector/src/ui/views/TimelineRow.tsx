import type { JSX } from 'preact';
import { formatCount, formatSpan } from '../parts/pieces.js';
import type { Row } from '../types.js';
import { GOOD } from './filterRows.js';

/** Returns the sign and the class of a status, so that it is not told by its colour only. */
export function signOf(status: string): readonly [sign: string, className: string] {
  if (status === 'open') return ['…', 'is-open'];
  if (status === 'happened' || status === 'started') return ['·', 'soft'];
  if (status === 'expanded') return ['⤢', 'is-good'];
  if (status === 'waiting') return ['⏸', 'is-warn'];
  if (status === 'denied' || status === 'cancelled') return ['⊘', 'is-warn'];
  return GOOD.has(status) ? ['✓', 'is-good'] : ['✗', 'is-bad'];
}

/** The start time and the duration of a run, in milliseconds. */
export type Bounds = readonly [start: number, length: number];

/** Shows one line of the timeline. */
export function TimelineRow({ row, bounds }: { row: Row; bounds: Bounds | undefined }): JSX.Element {
  const [sign, className] = signOf(row.status);
  const { usage, marks, durationMs } = row;
  return (
    <>
      <span class={`status ${className}`} title={row.status} aria-hidden="true">
        {sign}
      </span>
      <span class="name" title={row.name}>
        {row.name}
        <span class="visually-hidden"> {row.status}</span>
      </span>
      {row.fork !== undefined && <span class="badge accent">fork</span>}
      {marks.map((mark) => (
        <span key={mark} class={`badge ${MARKS[mark] ?? ''}`}>
          {mark}
        </span>
      ))}
      <span class="grow soft said">{row.text}</span>
      <span class="tokens">
        {usage?.inputTokens === undefined ? '' : `${formatCount(usage.inputTokens)}→${formatCount(usage.outputTokens)}`}
      </span>
      <span class="ms">{formatSpan(durationMs)}</span>
      <span class="track" aria-hidden="true">
        {bounds !== undefined && durationMs !== undefined && <i style={barStyle(row, bounds)} />}
      </span>
    </>
  );
}

const MARKS: Readonly<Record<string, string>> = {
  state: 'info',
  resources: 'accent',
  'rolled back': 'warn',
  conflict: 'bad',
  retried: 'warn',
  waited: 'warn',
  approved: 'good',
  repaired: 'warn',
  'may remain': 'bad',
  'prefix broken': 'bad',
};

function barStyle({ time, durationMs = 0 }: Row, [start, length]: Bounds): Readonly<Record<string, string>> {
  const percent = (value: number): number => Math.max(0, Math.min(100, (100 * value) / Math.max(1, length)));
  const left = Math.min(98, percent(time - start));
  return { left: `${String(left)}%`, width: `${String(Math.min(100 - left, percent(durationMs)))}%` };
}

/** Computes the start time and the duration of each run. */
export function runSpans(rows: readonly Row[]): ReadonlyMap<string, Bounds> {
  const spans = new Map<string, Bounds>();
  for (const { kind, run, time, durationMs = 0 } of rows) {
    const before = spans.get(run);
    if (kind === 'run') spans.set(run, [time, durationMs]);
    else if (before !== undefined && time + durationMs > before[0] + before[1])
      spans.set(run, [before[0], time + durationMs - before[0]]);
  }
  return spans;
}
