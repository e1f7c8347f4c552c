import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { get, upload } from '../api.js';
import { Copy, formatCount, Problem } from '../parts/pieces.js';
import type { About, Row } from '../types.js';

interface BundlesViewProps {
  readonly about: About;
  readonly source: string;
  readonly rows: readonly Row[];
  readonly onOpened: (id: string) => void;
  readonly onSource: (id: string) => void;
}

const RUNNERS = ['node', 'jest', 'vitest'] as const;

/** Opens and saves bundles, and turns their runs into tests. */
export function BundlesView({ about, source, rows, onOpened, onSource }: BundlesViewProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      onOpened((await upload(file)).id);
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <div class="pane pad stack" tabIndex={0} role="region" aria-label="Bundles">
      <DropZone busy={busy} onFile={(file) => void open(file)} />
      {error !== undefined && <Problem error={error} />}
      <div class="card stack">
        <h2>Open</h2>
        <ul class="stack">
          {about.sources.map(({ id, name, head }) => (
            <li key={id} class="bar">
              <button type="button" aria-pressed={id === source} onClick={() => onSource(id)}>
                {id === source ? 'Shown' : 'Show'}
              </button>
              <b>{name}</b>
              {head !== undefined && (
                <span class="soft">
                  recorded {new Date(head.createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC,{' '}
                  {Object.entries(head.versions)
                    .map(([what, version]) => `${what} ${version}`)
                    .join(', ')}
                </span>
              )}
              {id === 'live' && (
                <button type="button" onClick={() => void saveBundle().catch(setError)}>
                  Save as a bundle
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
      <ReplayTests source={source} rows={rows} />
    </div>
  );
}

function DropZone({ busy, onFile }: { busy: boolean; onFile: (file: File | undefined) => void }): JSX.Element {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer?.files[0]);
  };
  return (
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2>{busy ? 'Reading…' : 'Drop a bundle here'}</h2>
      <p class="soft">
        One file of a run, as <code>recordBundle</code> writes it. It stays on this machine.
      </p>
      <button type="button" onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        aria-label="Bundle file"
        accept=".jsonl,.ndjson"
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
    </div>
  );
}

function ReplayTests({ source, rows }: { source: string; rows: readonly Row[] }): JSX.Element {
  const runs = rows.filter(({ kind, status }) => kind === 'run' && status !== 'open');
  const [runner, setRunner] = useState<(typeof RUNNERS)[number]>('node');
  const [test, setTest] = useState<string>();
  const [error, setError] = useState<unknown>();
  const make = (run: string): void => {
    get<{ text: string }>('test', { source, run, runner }).then(({ text }) => {
      setTest(text);
      setError(undefined);
    }, setError);
  };
  return (
    <div class="card stack">
      <div class="bar">
        <h2>Replay tests</h2>
        <label class="soft" for="runner">
          for
        </label>
        <select id="runner" value={runner} onChange={(event) => setRunner(event.currentTarget.value as typeof runner)}>
          {RUNNERS.map((each) => (
            <option key={each} value={each}>
              {each === 'node' ? 'node:test' : each}
            </option>
          ))}
        </select>
      </div>
      {runs.length === 0 && <p class="soft">No run has ended yet.</p>}
      <ul class="stack">
        {runs.slice(-50).map(({ seq, run, name, text, status }) => (
          <li key={seq} class="runs-of">
            <button type="button" onClick={() => make(run)}>
              Make a test
            </button>
            <b>{name}</b> <span class="badge">{status}</span> <span class="soft">{text}</span>
          </li>
        ))}
      </ul>
      {runs.length > 50 && <p class="soft">The last 50 of {formatCount(runs.length)} runs.</p>}
      {error !== undefined && <Problem error={error} />}
      {test !== undefined && (
        <div class="stack">
          <div class="bar">
            <Copy text={test} label="Copy the test" />
          </div>
          <pre class="text-block">{test}</pre>
        </div>
      )}
    </div>
  );
}

async function saveBundle(): Promise<void> {
  const { text } = await get<{ text: string }>('bundle');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  link.download = 'run.bundle.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}
