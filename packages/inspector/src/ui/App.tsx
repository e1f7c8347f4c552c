import type { JSX } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get } from './api.js';
import { useApprovals, useRows } from './parts/hooks.js';
import { Problem } from './parts/pieces.js';
import { icons, type View } from './parts/icons.js';
import type { About, PromptState, InboxItem } from './types.js';
import { ApprovalsView } from './views/ApprovalsView.js';
import { BundlesView } from './views/BundlesView.js';
import { PromptView } from './views/PromptView.js';
import { RunsView } from './views/RunsView.js';
import { StateView } from './views/StateView.js';
import { ToolsView } from './views/ToolsView.js';
import { KeyHelp, useKeys } from './parts/keys.js';

const VIEWS: readonly (readonly [View, string])[] = [
  ['prompt', 'Prompt'],
  ['tools', 'Tools'],
  ['runs', 'Runs'],
  ['state', 'State'],
  ['approvals', 'Approvals'],
  ['bundles', 'Bundles'],
];

/** The view and selection that the address holds, so that a link opens the same place. */
interface Place {
  readonly view: View;
  readonly source: string | undefined;
  readonly seq: number | undefined;
}

function readPlace(): Place {
  const params = new URLSearchParams(location.hash.slice(1));
  const view = VIEWS.find(([name]) => name === params.get('view'))?.[0] ?? 'runs';
  const seq = params.get('seq');
  return { view, source: params.get('source') ?? undefined, seq: seq === null ? undefined : Number(seq) };
}

/** Renders the whole page. */
export function App(): JSX.Element {
  const [about, setAbout] = useState<About>();
  const [error, setError] = useState<unknown>();
  const [place, setPlace] = useState(readPlace);
  const load = useCallback(() => get<About>('about').then(setAbout, setError), []);
  useEffect(() => void load(), [load]);
  useEffect(() => {
    const params = Object.entries(place).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
    history.replaceState(null, '', `#${new URLSearchParams(params).toString()}`);
  }, [place]);
  if (error !== undefined)
    return (
      <main class="pad stack">
        <h1>Toolwright inspector</h1>
        <Problem error={error} />
      </main>
    );
  if (about === undefined) return <main class="pad soft">Loading…</main>;
  return <Page about={about} place={place} onPlace={setPlace} onReload={load} />;
}

interface PageProps {
  readonly about: About;
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
  readonly onReload: () => Promise<void>;
}

function Page({ about, place, onPlace, onReload }: PageProps): JSX.Element {
  const source = about.sources.find(({ id }) => id === place.source)?.id ?? about.sources[0]?.id ?? '';
  const waiting = useApprovals(about.hasApprovals);
  const help = useRef<HTMLDialogElement>(null);
  const showKeys = (): void => help.current?.showModal();
  const go = (view: View): void => onPlace({ ...place, view });
  useKeys({
    go: (index) => {
      const view = VIEWS[index]?.[0];
      if (view !== undefined) go(view);
    },
    help: showKeys,
    leave: () => onPlace({ ...place, seq: undefined }),
  });
  return (
    <div class="shell">
      <Top
        about={about}
        source={source}
        onSource={(id) => onPlace({ ...place, source: id, seq: undefined })}
        onKeys={showKeys}
      />
      <Navigation current={place.view} waiting={waiting?.length ?? 0} onView={go} />
      <CurrentView
        about={about}
        place={place}
        source={source}
        waiting={waiting}
        onPlace={onPlace}
        onReload={onReload}
      />
      <KeyHelp dialog={help} />
    </div>
  );
}

interface TopProps {
  readonly about: About;
  readonly source: string;
  readonly onSource: (id: string) => void;
  readonly onKeys: () => void;
}

function Top({ about, source, onSource, onKeys }: TopProps): JSX.Element {
  return (
    <header class="top">
      <h1 class="brand">
        <img src={mark} alt="" /> <span>Toolwright inspector</span>
      </h1>
      <select aria-label="Runs shown" value={source} onChange={(event) => onSource(event.currentTarget.value)}>
        {about.sources.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {source === 'live' && (
        <span class="badge good">
          <span class="live-dot" /> <span class="live-text">live</span>
        </span>
      )}
      <span class="space" />
      <span class="badge wide">{about.allowCalls ? 'calls allowed' : 'read-only'}</span>
      <Theme />
      <button type="button" class="bare" aria-label="Keys" title="Keys (?)" onClick={onKeys}>
        ?
      </button>
    </header>
  );
}

interface NavigationProps {
  readonly current: View;
  readonly waiting: number;
  readonly onView: (view: View) => void;
}

function Navigation({ current, waiting, onView }: NavigationProps): JSX.Element {
  return (
    <nav class="nav" aria-label="Views">
      {VIEWS.map(([view, title], index) => (
        <button
          key={view}
          type="button"
          class="bare"
          aria-current={current === view ? 'page' : undefined}
          title={`${title} (${String(index + 1)})`}
          onClick={() => onView(view)}
        >
          {icons[view]} <span>{title}</span>
          {view === 'approvals' && waiting > 0 && <span class="count badge warn">{waiting}</span>}
        </button>
      ))}
    </nav>
  );
}

interface CurrentViewProps extends PageProps {
  readonly source: string;
  readonly waiting: readonly InboxItem[] | undefined;
}

function CurrentView({ about, place, source, waiting, onPlace, onReload }: CurrentViewProps): JSX.Element {
  const rows = useRows(source === '' ? undefined : source);
  const [state, setState] = useState<PromptState>({ prompt: about.prompts[0]?.id ?? '', params: {}, visibility: {} });
  const at = (view: View, seq: number | undefined): void => onPlace({ ...place, view, seq });
  const show = (id: string, seq?: number): void => onPlace({ view: 'runs', source: id, seq });
  const views: Readonly<Record<View, () => JSX.Element>> = {
    prompt: () => <PromptView about={about} source={source} rows={rows.rows} state={state} onState={setState} />,
    tools: () => <ToolsView about={about} source={source} state={state} onState={setState} />,
    runs: () => (
      <RunsView
        rows={rows}
        source={source}
        selected={place.seq}
        onSelect={(seq) => at('runs', seq)}
        onState={(seq) => at('state', seq)}
      />
    ),
    state: () => (
      <StateView
        source={source}
        revision={rows.rows.at(-1)?.seq ?? 0}
        selected={place.seq}
        onSelect={(seq) => at('state', seq)}
        onRow={(seq) => at('runs', seq)}
        onFork={(seq) => show('live', seq)}
      />
    ),
    approvals: () => <ApprovalsView waiting={waiting} allowCalls={about.allowCalls} />,
    bundles: () => (
      <BundlesView
        about={about}
        source={source}
        rows={rows.rows}
        onSource={show}
        onOpened={(id) => void onReload().then(() => show(id))}
      />
    ),
  };
  return (
    <main class="main" key={place.view}>
      {views[place.view]()}
    </main>
  );
}

const mark = new URL('./mark.svg', import.meta.url).href;

const THEMES = ['auto', 'light', 'dark'] as const;

function Theme(): JSX.Element {
  const [theme, setTheme] = useState(() => localStorage.getItem('toolwright-theme') ?? 'auto');
  useEffect(() => {
    localStorage.setItem('toolwright-theme', theme);
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}
