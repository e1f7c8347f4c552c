import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Rows } from '../parts/hooks.js';
import { Empty, Problem, TextInput, formatCount } from '../parts/pieces.js';
import { VirtualList } from '../parts/VirtualList.js';
import type { Row, Dropped } from '../types.js';
import { RowDetail } from './RowDetail.js';
import { conversationsOf, EVERYTHING, filterRows, KINDS, type RowFilter } from './filterRows.js';
import { RunsSummary } from './RunsSummary.js';
import { runSpans, signOf, TimelineRow } from './TimelineRow.js';

interface TimelineProps {
  readonly rows: Rows;
  readonly source: string;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number | undefined) => void;
  readonly onState: (seq: number) => void;
}

/** Shows the timeline of all runs. */
export function RunsView({ rows: given, source, selected, onSelect, onState }: TimelineProps): JSX.Element {
  const { rows, ready, error, dropped } = given;
  const [filter, setFilter] = useState(EVERYTHING);
  const found = useMemo(() => filterRows(rows, filter), [rows, filter]);
  return (
    <div class={`panes runs-panes ${selected === undefined ? '' : 'has-detail'}`}>
      <div class="pane list-pane">
        <div class="list-head">
          <Filters rows={rows} filter={filter} onFilter={setFilter} />
          <RunsSummary rows={rows} shown={found.length} />
          {dropped !== undefined && <DroppedNote dropped={dropped} />}
          {error !== undefined && <Problem error={error} />}
        </div>
        {ready && rows.length === 0 ? (
          <Empty title="Nothing has happened yet">Runs appear here as they begin.</Empty>
        ) : (
          <Lines all={rows} found={found} source={source} selected={selected} onSelect={onSelect} />
        )}
      </div>
      <div class="pane pad detail-pane" tabIndex={0} role="region" aria-label="Detail">
        {selected === undefined ? (
          <Empty title="Choose a line">Arguments, results, the transaction and what the model read.</Empty>
        ) : (
          <RowDetail
            key={selected}
            seq={selected}
            row={rows.find(({ seq }) => seq === selected)}
            source={source}
            onBack={() => onSelect(undefined)}
            onState={onState}
            onSelect={onSelect}
          />
        )}
      </div>
    </div>
  );
}

interface FiltersProps {
  readonly rows: readonly Row[];
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

function Filters({ rows, filter, onFilter }: FiltersProps): JSX.Element {
  const { search, kinds, troubled, conversation } = filter;
  const conversations = useMemo(() => conversationsOf(rows), [rows]);
  const toggle = (kind: Row['kind']): void => {
    onFilter({ ...filter, kinds: kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind] });
  };
  return (
    <>
      <TextInput
        label="Filter the timeline"
        placeholder="Filter by name or text"
        value={search}
        onValue={(text) => onFilter({ ...filter, search: text })}
        isSearch
      />
      <select
        aria-label="Conversation"
        value={conversation}
        onChange={(event) => onFilter({ ...filter, conversation: event.currentTarget.value })}
      >
        <option value="">All conversations ({conversations.length})</option>
        {conversations.map(({ key, title, runs }) => (
          <option key={key} value={key}>
            {title} ({runs} {runs === 1 ? 'run' : 'runs'})
          </option>
        ))}
      </select>
      {KINDS.map((kind) => (
        <button key={kind} type="button" class="chip" aria-pressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
          {kind}s
        </button>
      ))}
      <button
        type="button"
        class="chip"
        aria-pressed={troubled}
        onClick={() => onFilter({ ...filter, troubled: !troubled })}
      >
        problems only
      </button>
    </>
  );
}

interface LinesProps extends Pick<TimelineProps, 'source' | 'selected' | 'onSelect'> {
  readonly all: readonly Row[];
  readonly found: readonly Row[];
}

function Lines({ all, found, source, selected, onSelect }: LinesProps): JSX.Element {
  const spans = useMemo(() => runSpans(all), [all]);
  const hasTokens = useMemo(() => all.some(({ usage }) => usage?.inputTokens !== undefined), [all]);
  const at = useMemo(() => found.findIndex(({ seq }) => seq === selected), [found, selected]);
  return (
    <VirtualList
      items={found}
      label="Timeline"
      className={hasTokens ? '' : 'no-tokens'}
      rowHeight={30}
      selected={at}
      follows={source === 'live'}
      onSelect={(index) => onSelect(found[index]?.seq)}
      keyOf={({ seq }) => seq}
      classOf={(row) => `run-row ${row.kind} ${signOf(row.status)[1] === 'is-bad' ? 'bad-row' : ''}`}
      styleOf={({ depth }) => ({ '--depth': String(Math.min(depth, 8)) })}
      row={(row) => <TimelineRow row={row} bounds={spans.get(row.run)} />}
    />
  );
}

/** Says how many entries and runs a live source has dropped. */
function DroppedNote({ dropped: { entries, runs } }: { readonly dropped: Dropped }): JSX.Element {
  return (
    <p class="soft" role="note">
      The oldest {formatCount(entries)} entries, with the beginning of {formatCount(runs)} {runs === 1 ? 'run' : 'runs'}
      , were dropped: the inspector keeps a limited number (option <code>live</code>).
    </p>
  );
}
