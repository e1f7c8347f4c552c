import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../api.js';
import { Changes, ValueDiff } from '../parts/Diff.js';
import { useLoaded } from '../parts/hooks.js';
import { Json } from '../parts/Json.js';
import { formatTime, Problem, Tabs } from '../parts/pieces.js';
import type { StateAt, StatePoint } from '../types.js';
import { Fork } from './Fork.js';

interface MomentProps {
  readonly point: StatePoint;
  readonly place: string;
  readonly points: readonly StatePoint[];
  readonly source: string;
  readonly onRow: (seq: number) => void;
  readonly onFork: (seq: number) => void;
}

type Tab = 'change' | 'all' | 'fork';

/** Shows the state at one moment in three tabs: the changes, all slices, and a fork. */
export function Moment({ point, place, points, source, onRow, onFork }: MomentProps): JSX.Element {
  const [tab, setTab] = useState<Tab>('change');
  const { data, error } = useLoaded(() => get<StateAt>('state', { source, seq: point.seq }), [source, point.seq]);
  if (error !== undefined) return <Problem error={error} />;
  if (data === undefined) return <p class="soft">Loading…</p>;
  return (
    <>
      <div class="bar">
        <h2>
          After <span class="mono">{point.label}</span>
        </h2>
        <span class="badge">{place}</span>
        <span class="soft">{formatTime(point.time)}</span>
        <button type="button" class="link" onClick={() => onRow(point.of)}>
          Show in the timeline
        </button>
      </div>
      <Tabs
        label="What to show of the state"
        current={tab}
        onSelect={setTab}
        tabs={[
          ['change', 'Difference'],
          ['all', 'All slices'],
          ['fork', 'Continue from here'],
        ]}
      />
      {data.cut && (
        <p class="soft" role="note">
          Earlier changes of this session were dropped: slices may lack values.
        </p>
      )}
      {tab === 'all' && <AllSlices slices={data.slices} />}
      {tab === 'change' && <Difference state={data} points={points} source={source} />}
      {tab === 'fork' && <Fork key={point.seq} source={source} seq={point.seq} onFork={onFork} />}
    </>
  );
}

function AllSlices({ slices }: Pick<StateAt, 'slices'>): JSX.Element {
  if (Object.keys(slices).length === 0) return <p class="soft">The session has no state.</p>;
  return (
    <div class="card">
      <Json value={slices} open={3} />
    </div>
  );
}

interface DifferenceProps {
  readonly state: StateAt;
  readonly points: readonly StatePoint[];
  readonly source: string;
}

function Difference({ state, points, source }: DifferenceProps): JSX.Element {
  const [against, setAgainst] = useState('before');
  const other = useLoaded(
    against === 'before' ? undefined : () => get<StateAt>('state', { source, seq: Number(against) }),
    [source, against],
  );
  const compared = against === 'before' ? state.before : (other.data?.slices ?? state.before);
  return (
    <>
      <div class="field">
        <label for="against">Compared with</label>
        <select id="against" value={against} onChange={(event) => setAgainst(event.currentTarget.value)}>
          <option value="before">the moment before</option>
          {points.slice(0, 200).map(({ seq, label, time }) => (
            <option key={seq} value={String(seq)}>
              {formatTime(time)} {label}
            </option>
          ))}
        </select>
      </div>
      <h3>Slices of the session</h3>
      <ValueDiff before={compared} after={state.slices} />
      {state.resources.length > 0 && (
        <>
          <div class="bar">
            <h3>Resources, written by the same call</h3>
            <span class={`badge ${state.kept ? 'good' : 'warn'}`}>{state.kept ? 'committed' : 'rolled back'}</span>
          </div>
          <Changes changed={state.resources as Parameters<typeof Changes>[0]['changed']} />
        </>
      )}
    </>
  );
}
