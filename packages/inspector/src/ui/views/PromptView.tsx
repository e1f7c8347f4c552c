import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { post } from '../api.js';
import { TextDiff } from '../parts/Diff.js';
import { useLoaded } from '../parts/hooks.js';
import { Json } from '../parts/Json.js';
import { Copy, formatCount, Empty, Problem, Tabs } from '../parts/pieces.js';
import { SchemaForm } from '../parts/SchemaForm.js';
import type { About, PromptInfo, PromptState, Rendering, Row } from '../types.js';
import { Ledger } from './Ledger.js';
import { PromptText } from './PromptText.js';
import { RecordedPrompt } from './RecordedPrompt.js';
import { SectionTree } from './SectionTree.js';

interface PromptViewProps {
  readonly about: About;
  readonly source: string;
  readonly rows: readonly Row[];
  readonly state: PromptState;
  readonly onState: (state: PromptState) => void;
}

type Tab = 'text' | 'difference' | 'sent' | 'ledger';

/** Shows the prompts of the application, or the recorded prompts of a bundle. */
export function PromptView(props: PromptViewProps): JSX.Element {
  return props.about.hasApp ? <LivePrompt {...props} /> : <RecordedPrompt source={props.source} rows={props.rows} />;
}

function LivePrompt({ about, state, onState, rows }: PromptViewProps): JSX.Element {
  const info = about.prompts.find(({ id }) => id === state.prompt) ?? about.prompts[0];
  const key = JSON.stringify(state);
  const { data, error, loading } = useLoaded((signal) => post<Rendering>('render', state, signal), [key]);
  const [kept, setKept] = useState<string>();
  const [current, setCurrent] = useState<string>();
  const [tab, setTab] = useState<Tab>('text');
  // Later states are compared with the first one.
  useEffect(() => {
    if (data !== undefined) setKept((before) => before ?? data.text);
  }, [data]);
  if (info === undefined) return <Empty title="The application has no prompts" />;
  return (
    <div class="panes prompt-panes">
      <div class="pane pad stack" tabIndex={0} role="region" aria-label="Sections and values">
        <PromptChoice
          prompts={about.prompts}
          current={info}
          onSelect={(prompt) => {
            setKept(undefined);
            onState({ prompt, params: {}, visibility: {} });
          }}
        />
        <SectionTree
          declared={info.sections}
          rendered={data}
          visibility={state.visibility}
          current={current}
          onCurrent={(path) => {
            setCurrent(path);
            setTab('text');
          }}
          onVisibility={(visibility) => onState({ ...state, visibility })}
        />
        <Values info={info} state={state} onState={onState} />
      </div>
      <div class="pane pad stack" aria-busy={loading} tabIndex={0} role="region" aria-label="Rendered prompt">
        {error !== undefined && <Problem error={error} />}
        {data !== undefined && <Figures rendering={data} />}
        <Tabs
          label="What to show of the prompt"
          current={tab}
          onSelect={setTab}
          tabs={[
            ['text', 'Text'],
            ['difference', 'Difference'],
            ['sent', 'As sent'],
            ['ledger', 'Prefix ledger'],
          ]}
        />
        {data !== undefined && tab === 'text' && <PromptText rendering={data} current={current} />}
        {data !== undefined && tab === 'difference' && <Kept text={data.text} kept={kept} onKeep={setKept} />}
        {tab === 'sent' && <Sent state={state} />}
        {tab === 'ledger' && <Ledger rows={rows} />}
      </div>
    </div>
  );
}

/** Shows the values of a prompt's params. */
function Values({
  info,
  state,
  onState,
}: Pick<PromptViewProps, 'state' | 'onState'> & { info: PromptInfo }): JSX.Element {
  return (
    <>
      {info.params.map(({ name, schema, values, sections }) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          <p class="soft">for {sections.join(', ')}</p>
          <SchemaForm
            id={`param-${name}`}
            schema={schema}
            value={(state.params[name] ?? values) as Record<string, unknown>}
            onChange={(value) => onState({ ...state, params: { ...state.params, [name]: value } })}
          />
        </fieldset>
      ))}
    </>
  );
}

interface KeptProps {
  readonly text: string;
  /** The text of another state; undefined before the first one. */
  readonly kept: string | undefined;
  readonly onKeep: (text: string) => void;
}

/** Shows how a text differs from the text of the kept state. */
function Kept({ text, kept = text, onKeep }: KeptProps): JSX.Element {
  return (
    <>
      <div class="bar">
        <span class="soft">Compared with the state that was kept; change sections or values to see more.</span>
        <button type="button" onClick={() => onKeep(text)}>
          Keep this state
        </button>
      </div>
      <TextDiff before={kept} after={text} />
    </>
  );
}

function PromptChoice({
  prompts,
  current,
  onSelect,
}: {
  prompts: readonly PromptInfo[];
  current: PromptInfo;
  onSelect: (id: string) => void;
}): JSX.Element {
  return (
    <div class="field">
      <label for="prompt-choice">Prompt</label>
      <select id="prompt-choice" value={current.id} onChange={(event) => onSelect(event.currentTarget.value)}>
        {prompts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name} ({id})
          </option>
        ))}
      </select>
    </div>
  );
}

function Figures({ rendering }: { rendering: Rendering }): JSX.Element {
  const { tokens, sections, tools, text } = rendering;
  return (
    <dl class="figures">
      <div>
        <dt>Text</dt>
        <dd>
          {formatCount(tokens.text)} <span class="soft">tokens</span>
        </dd>
      </div>
      <div>
        <dt>Tools</dt>
        <dd>
          {formatCount(tokens.tools)} <span class="soft">tokens</span>
        </dd>
      </div>
      <div>
        <dt>Sections</dt>
        <dd>{sections.length}</dd>
      </div>
      <div>
        <dt>Tools offered</dt>
        <dd>{formatCount(tools.length)}</dd>
      </div>
      <div>
        <dt>Characters</dt>
        <dd>{formatCount(text.length)}</dd>
      </div>
      <div>
        <dt>Counted by</dt>
        <dd>
          <span class="badge">{tokens.label}</span>
        </dd>
      </div>
    </dl>
  );
}

const TARGETS = [
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['gemini', 'Gemini'],
  ['mcp', 'MCP'],
  ['json-schema', 'JSON Schema'],
] as const;

function Sent({ state }: { state: PromptState }): JSX.Element {
  const [target, setTarget] = useState<(typeof TARGETS)[number][0]>('openai');
  const [strict, setStrict] = useState(true);
  const { data, error } = useLoaded(
    (signal) => post<{ system: string; tools: readonly unknown[] }>('sent', { ...state, target, strict }, signal),
    [JSON.stringify(state), target, strict],
  );
  return (
    <div class="stack">
      <div class="bar">
        <Tabs label="Provider" tabs={TARGETS} current={target} onSelect={setTarget} />
        <label class="check">
          <input type="checkbox" checked={strict} onChange={(event) => setStrict(event.currentTarget.checked)} /> strict
        </label>
        {data !== undefined && <Copy text={JSON.stringify(data, null, 2)} label="Copy JSON" />}
      </div>
      {error !== undefined && <Problem error={error} />}
      {data !== undefined && (
        <div class="card">
          <Json value={data} open={2} />
        </div>
      )}
    </div>
  );
}
