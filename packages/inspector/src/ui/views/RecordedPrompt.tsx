import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get } from '../api.js';
import { TextDiff } from '../parts/Diff.js';
import { useLoaded } from '../parts/hooks.js';
import { formatCount, Empty, Problem, Tabs } from '../parts/pieces.js';
import type { BundleEntry, Row } from '../types.js';
import { Ledger } from './Ledger.js';
import { PromptText } from './PromptText.js';

/** Shows the recorded prompts of a bundle: each rendering with which a run began. */
export function RecordedPrompt({ source, rows }: { source: string; rows: readonly Row[] }): JSX.Element {
  const { data = [], error } = useLoaded(
    () => get<readonly BundleEntry<'rendering'>[]>('renderings', { source }),
    [source],
  );
  const [at, setAt] = useState(0);
  const [tab, setTab] = useState<'text' | 'difference' | 'ledger'>('text');
  const [current, setCurrent] = useState<string>();
  const shown = data[Math.min(at, data.length - 1)];
  const before = useMemo(() => data.slice(0, at).findLast(({ prompt }) => prompt === shown?.prompt), [data, at, shown]);
  if (error !== undefined) return <Problem error={error} />;
  if (shown === undefined) return <Empty title="No prompt was recorded">A run has to begin first.</Empty>;
  return (
    <div class="panes prompt-panes">
      <Renderings all={data} at={at} shown={shown} onSelect={setAt} onCurrent={setCurrent} />
      <div class="pane pad stack" tabIndex={0} role="region" aria-label="Recorded prompt">
        <Tabs
          label="What to show of the prompt"
          current={tab}
          onSelect={setTab}
          tabs={[
            ['text', 'Text'],
            ['difference', 'Difference'],
            ['ledger', 'Prefix ledger'],
          ]}
        />
        {tab === 'text' && <PromptText rendering={shown} current={current} />}
        {tab === 'difference' &&
          (before === undefined ? (
            <p class="soft">This is the first rendering of {shown.prompt}.</p>
          ) : (
            <TextDiff before={before.text} after={shown.text} />
          ))}
        {tab === 'ledger' && <Ledger rows={rows} />}
      </div>
    </div>
  );
}

interface RenderingsProps {
  readonly all: readonly BundleEntry<'rendering'>[];
  readonly at: number;
  readonly shown: BundleEntry<'rendering'>;
  readonly onSelect: (at: number) => void;
  readonly onCurrent: (path: string) => void;
}

/** Lists the renderings of a bundle, and the sections of the selected one. */
function Renderings({ all, at, shown, onSelect, onCurrent }: RenderingsProps): JSX.Element {
  return (
    <div class="pane pad stack" tabIndex={0} role="region" aria-label="Renderings and sections">
      <div class="field">
        <label for="rendering-choice">Rendering</label>
        <select
          id="rendering-choice"
          value={String(at)}
          onChange={(event) => onSelect(Number(event.currentTarget.value))}
        >
          {all.map(({ prompt, rendering }, index) => (
            <option key={rendering} value={String(index)}>
              {prompt} · {rendering}
            </option>
          ))}
        </select>
      </div>
      <ul>
        {shown.sections.map(({ path, number, title, visibility }) => (
          <li key={path} class="tree-row" style={{ '--depth': String(path.split('.').length - 1) }}>
            <button type="button" class="title" onClick={() => onCurrent(path)}>
              {number} {title}
            </button>
            <span class={`badge ${visibility === 'summary' ? 'warn' : ''}`}>{visibility}</span>
          </li>
        ))}
      </ul>
      <p class="soft">
        {formatCount(shown.tools.length)} tools, {formatCount(shown.text.length)} characters. Values and sections are
        edited where an application is inspected.
      </p>
    </div>
  );
}
