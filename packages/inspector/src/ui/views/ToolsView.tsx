import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get, post } from '../api.js';
import { useLoaded } from '../parts/hooks.js';
import { Json } from '../parts/Json.js';
import { formatCount, Empty, Problem, Tabs, TextInput } from '../parts/pieces.js';
import { VirtualList } from '../parts/VirtualList.js';
import type { About, PromptState, Rendering, BundleEntry, Schema, ToolFinding } from '../types.js';
import { Rehearsal } from './Rehearsal.js';

interface ToolsViewProps {
  readonly about: About;
  readonly source: string;
  readonly state: PromptState;
  readonly onState: (state: PromptState) => void;
}

interface Listed {
  readonly name: string;
  readonly section: string;
  readonly description: string;
  readonly tokens?: number;
  readonly findings?: number;
}

/** Shows the tools of a rendering. */
export function ToolsView({ about, source, state, onState }: ToolsViewProps): JSX.Element {
  const key = JSON.stringify(state);
  const live = useLoaded(about.hasApp ? (signal) => post<Rendering>('render', state, signal) : undefined, [key]);
  const recorded = useLoaded(
    about.hasApp ? undefined : () => get<readonly BundleEntry<'rendering'>[]>('renderings', { source }),
    [source],
  );
  const tools: readonly Listed[] = live.data?.tools ?? recorded.data?.at(-1)?.tools ?? [];
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const found = useMemo(() => {
    const wanted = search.toLowerCase();
    return tools.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));
  }, [tools, search]);
  const error = live.error ?? recorded.error;
  const back = (): void => setChosen(undefined);
  const { sections = [] } = about.prompts.find(({ id }) => id === state.prompt) ?? {};
  const openAll = (): void =>
    onState({ ...state, visibility: Object.fromEntries(sections.map(({ path }) => [path, 'full'])) });
  return (
    <div class={`panes tools-panes ${chosen === undefined ? '' : 'has-detail'}`}>
      <div class="pane list-pane">
        <div class="list-head">
          <TextInput label="Find a tool" placeholder="Find a tool" value={search} onValue={setSearch} isSearch />
          <span class="soft">{formatCount(found.length)}</span>
          {about.hasApp && sections.length > 0 && (
            <button type="button" onClick={openAll}>
              Open all sections
            </button>
          )}
          {error !== undefined && <Problem error={error} />}
        </div>
        <VirtualList
          items={found}
          label="Tools"
          rowHeight={48}
          selected={found.findIndex(({ name }) => name === chosen)}
          onSelect={(index) => setChosen(found[index]?.name)}
          keyOf={({ name }) => name}
          row={(tool) => <ToolRow tool={tool} />}
        />
      </div>
      <div class="pane pad detail-pane" tabIndex={0} role="region" aria-label="Tool">
        {chosen === undefined ? (
          <Empty title="Choose a tool">
            Its schema for each provider, its findings, and a rehearsal that leaves no trace.
          </Empty>
        ) : about.hasApp ? (
          <LiveTool key={chosen} name={chosen} state={state} allowCalls={about.allowCalls} onBack={back} />
        ) : (
          <RecordedTool tool={recorded.data?.at(-1)?.tools.find(({ name }) => name === chosen)} onBack={back} />
        )}
      </div>
    </div>
  );
}

function ToolRow({ tool }: { tool: Listed }): JSX.Element {
  return (
    <>
      <span class="grow">
        <span class="mono">{tool.name}</span>
        <br />
        <span class="soft">{tool.section}</span>
      </span>
      {(tool.findings ?? 0) > 0 && (
        <span class="badge warn" title="findings">
          {tool.findings} !
        </span>
      )}
      {tool.tokens !== undefined && (
        <span class="soft" title="tokens of its declaration">
          {formatCount(tool.tokens)}
        </span>
      )}
    </>
  );
}

interface ToolDetail {
  readonly description: string;
  readonly section: string;
  readonly schema: Schema;
  readonly hints: Readonly<Record<string, unknown>>;
  readonly rehearses: 'handler' | 'preview' | null;
  readonly findings: readonly ToolFinding[];
  readonly examples: readonly unknown[];
  readonly targets: readonly {
    readonly target: string;
    readonly parameters: unknown;
    readonly strict: boolean;
    readonly tokens: number;
    readonly losses: readonly { readonly path?: string; readonly keyword?: string }[];
  }[];
}

function LiveTool({
  name,
  state,
  allowCalls,
  onBack,
}: {
  name: string;
  state: PromptState;
  allowCalls: boolean;
  onBack: () => void;
}): JSX.Element {
  const { data, error } = useLoaded(
    (signal) => post<ToolDetail>('tool', { ...state, tool: name }, signal),
    [name, JSON.stringify(state)],
  );
  const [tab, setTab] = useState<'try' | 'schema' | 'findings'>('try');
  if (error !== undefined) return <Problem error={error} />;
  if (data === undefined) return <p class="soft">Loading…</p>;
  const losses = data.targets.reduce((sum, target) => sum + target.losses.length, 0);
  return (
    <div class="stack">
      <ToolHead name={name} description={data.description} section={data.section} hints={data.hints} onBack={onBack} />
      <Tabs
        label="What to show of the tool"
        current={tab}
        onSelect={setTab}
        tabs={[
          ['try', 'Rehearse'],
          ['schema', losses === 0 ? 'Schemas' : `Schemas (${String(losses)} lost)`],
          ['findings', `Findings (${String(data.findings.length)})`],
        ]}
      />
      {tab === 'try' && (
        <Rehearsal
          name={name}
          state={state}
          schema={data.schema}
          examples={data.examples}
          rehearses={data.rehearses}
          allowCalls={allowCalls}
        />
      )}
      {tab === 'schema' && <Schemas detail={data} />}
      {tab === 'findings' && <Findings findings={data.findings} />}
    </div>
  );
}

function ToolHead({
  name,
  description,
  section,
  hints,
  onBack,
}: {
  name: string;
  description: string;
  section: string;
  hints: Readonly<Record<string, unknown>>;
  onBack: () => void;
}): JSX.Element {
  return (
    <div class="stack">
      <div class="bar">
        <button type="button" class="back" onClick={onBack}>
          ← All tools
        </button>
        <h2 class="mono">{name}</h2>
        <span class="badge accent">{section === '' ? 'no section' : section}</span>
        {Object.entries(hints).map(([hint, value]) => (
          <span key={hint} class={`badge ${hint === 'destructive' && value === true ? 'bad' : ''}`}>
            {value === true ? hint : `${hint}: ${JSON.stringify(value)}`}
          </span>
        ))}
      </div>
      <p>{description}</p>
    </div>
  );
}

function Schemas({ detail }: { detail: ToolDetail }): JSX.Element {
  const [target, setTarget] = useState(detail.targets[0]?.target ?? '');
  const shown = detail.targets.find((each) => each.target === target);
  return (
    <div class="stack">
      <Tabs
        label="Dialect"
        tabs={detail.targets.map((each) => [each.target, each.target] as const)}
        current={target}
        onSelect={setTarget}
      />
      {shown !== undefined && (
        <>
          <div class="bar">
            <span class="badge">{formatCount(shown.tokens)} tokens</span>
            {shown.strict && <span class="badge good">strict</span>}
            {shown.losses.length > 0 && <span class="badge warn">{shown.losses.length} lost</span>}
          </div>
          <div class="card">
            <Json value={shown.parameters} open={4} />
          </div>
          {shown.losses.length > 0 && (
            <div class="card">
              <h3>What the dialect cannot express</h3>
              <Json value={shown.losses} open={3} />
            </div>
          )}
        </>
      )}
    </div>
  );
}

function Findings({ findings }: { findings: readonly ToolFinding[] }): JSX.Element {
  if (findings.length === 0) return <p class="is-good">✓ Nothing stands out.</p>;
  return (
    <ul class="stack">
      {findings.map(({ rule, problem, remedy }) => (
        <li key={`${rule}${problem}`} class="notice warn">
          <b>{rule}</b>
          <p>{problem}</p>
          <p class="soft">{remedy}</p>
        </li>
      ))}
    </ul>
  );
}

function RecordedTool({
  tool,
  onBack,
}: {
  tool: BundleEntry<'rendering'>['tools'][number] | undefined;
  onBack: () => void;
}): JSX.Element {
  if (tool === undefined) return <Empty title="This rendering has no such tool" />;
  return (
    <div class="stack">
      <ToolHead
        name={tool.name}
        description={tool.description}
        section={tool.section}
        hints={(tool.hints ?? {}) as Record<string, unknown>}
        onBack={onBack}
      />
      <div class="card">
        <h3>Schema</h3>
        <Json value={tool.schema} open={4} />
      </div>
      <p class="soft">Inspect an application to rehearse this tool.</p>
    </div>
  );
}
