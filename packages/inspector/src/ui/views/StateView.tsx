import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get } from '../api.js';
import { useLoaded } from '../parts/hooks.js';
import { formatTime, formatCount, Empty, Problem } from '../parts/pieces.js';
import { VirtualList } from '../parts/VirtualList.js';
import type { StatePoint } from '../types.js';
import { Moment } from './Moment.js';

interface StateViewProps {
  readonly source: string;
  /** Changes when there is more to load. */
  readonly revision: number;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number) => void;
  readonly onRow: (seq: number) => void;
  /** Called with the first entry of a fork, to show it. */
  readonly onFork: (seq: number) => void;
}

/** Shows sessions and resources at every moment at which they changed. */
export function StateView({ source, revision, selected, onSelect, onRow, onFork }: StateViewProps): JSX.Element {
  const { data: points = [], error } = useLoaded(
    () => get<readonly StatePoint[]>('points', { source }),
    [source, revision],
  );
  const [session, setSession] = useState('');
  const shown = useMemo(
    () => (session === '' ? points : points.filter((point) => point.session === session)),
    [points, session],
  );
  const found = shown.findIndex(({ seq }) => seq === selected);
  const at = found < 0 ? shown.length - 1 : found;
  const point = shown[at];
  if (error !== undefined) return <Problem error={error} />;
  if (points.length === 0)
    return (
      <Empty title="No state has changed yet">
        Slices and resources are shown here after each call that changes them.
      </Empty>
    );
  const go = (index: number): void => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, index))];
    if (next !== undefined) onSelect(next.seq);
  };
  return (
    <div class="panes state-panes">
      <div class="pane list-pane wide">
        <div class="list-head">
          <SessionChoice points={points} session={session} onSelect={setSession} />
          <span class="soft">{formatCount(shown.length)} changes</span>
        </div>
        <VirtualList
          items={shown}
          label="Changes of state"
          rowHeight={42}
          selected={at}
          onSelect={go}
          keyOf={({ seq }) => seq}
          row={(each) => <ListedPoint point={each} />}
        />
      </div>
      <div class="pane pad stack" tabIndex={0} role="region" aria-label="State">
        <Scrubber at={at} points={shown} onGo={go} />
        {point !== undefined && (
          <Moment
            point={point}
            place={`${String(at + 1)} of ${String(shown.length)}`}
            points={shown}
            source={source}
            onRow={onRow}
            onFork={onFork}
          />
        )}
      </div>
    </div>
  );
}

function ListedPoint({ point: { label, time } }: { point: StatePoint }): JSX.Element {
  return (
    <span class="grow">
      <span class="mono">{label}</span>
      <br />
      <span class="soft">{formatTime(time)}</span>
    </span>
  );
}

interface SessionChoiceProps {
  readonly points: readonly StatePoint[];
  readonly session: string;
  readonly onSelect: (session: string) => void;
}

function SessionChoice({ points, session, onSelect }: SessionChoiceProps): JSX.Element {
  const sessions = useMemo(() => [...new Set(points.map((point) => point.session))], [points]);
  return (
    <select aria-label="Session" value={session} onChange={(event) => onSelect(event.currentTarget.value)}>
      <option value="">All sessions ({sessions.length})</option>
      {sessions.map((id) => (
        <option key={id} value={id}>
          {id.slice(0, 18)}
        </option>
      ))}
    </select>
  );
}

interface ScrubberProps {
  readonly at: number;
  readonly points: readonly StatePoint[];
  readonly onGo: (index: number) => void;
}

/** Shows buttons and a slider that move through the moments. */
function Scrubber({ at, points, onGo }: ScrubberProps): JSX.Element {
  const last = points.length - 1;
  const point = points[at];
  const place = point === undefined ? '' : `${String(at + 1)} of ${String(points.length)}, after ${point.label}`;
  return (
    <div class="scrubber">
      <button type="button" disabled={at <= 0} onClick={() => onGo(at - 1)}>
        ←<span class="visually-hidden"> earlier</span>
      </button>
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={place}
        min={0}
        max={Math.max(0, last)}
        value={at}
        onInput={(event) => onGo(Number(event.currentTarget.value))}
      />
      <button type="button" disabled={at >= last} onClick={() => onGo(at + 1)}>
        <span class="visually-hidden">later </span>→
      </button>
    </div>
  );
}
