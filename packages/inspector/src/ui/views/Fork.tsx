import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get, post } from '../api.js';
import { useLoaded } from '../parts/hooks.js';
import { Problem } from '../parts/pieces.js';
import type { ForkChoices } from '../types.js';

interface ForkProps {
  readonly source: string;
  readonly seq: number;
  readonly onFork: (seq: number) => void;
}

/** The parts that can be changed, or the reason why the moment cannot be forked. */
type Offer =
  { readonly choices: ForkChoices; readonly adapter: string } | { readonly problem: string; readonly remedy?: string };

/** Forks a run: continues it from a moment with one part changed. */
export function Fork({ source, seq, onFork }: ForkProps): JSX.Element {
  const { data, error } = useLoaded(() => get<Offer>('fork', { source, seq }), [source, seq]);
  if (error !== undefined) return <Problem error={error} />;
  if (data === undefined) return <p class="soft">Loading…</p>;
  if ('choices' in data) return <ForkForm {...data} source={source} seq={seq} onFork={onFork} />;
  return (
    <div class="notice warn" role="note">
      <p>A run cannot continue from here: {data.problem}.</p>
      {data.remedy !== undefined && <p class="soft">{data.remedy}</p>}
    </div>
  );
}

interface Part {
  readonly value: string;
  readonly title: string;
  readonly text: string;
  readonly change: Readonly<Record<string, unknown>>;
}

function partsOf({ answer, outcome, message, sections }: ForkChoices): readonly Part[] {
  const part = (kind: string, title: string, text: string | undefined): readonly Part[] =>
    text === undefined ? [] : [{ value: kind, title, text, change: { kind } }];
  return [
    ...part('answer', 'The answer of the model', answer?.text),
    ...part('outcome', `What the model read of ${outcome?.name ?? 'the call'}`, outcome?.text),
    ...part('message', 'What the user wrote', message),
    ...sections.map(({ path, title, text }) => ({
      value: `section ${path}`,
      title: `The text of the section ${title}`,
      text,
      change: { kind: 'section', path },
    })),
  ];
}

interface FormProps extends ForkProps {
  readonly choices: ForkChoices;
  /** The name of the model adapter that answers. */
  readonly adapter: string;
}

function ForkForm({ choices, adapter, source, seq, onFork }: FormProps): JSX.Element {
  const parts = partsOf(choices);
  const [chosen, setChosen] = useState(parts[0]?.value);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const part = parts.find(({ value }) => value === chosen);
  const run = async (change: object): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      onFork((await post<{ seq: number }>('fork', { source, seq, ...part?.change, ...change })).seq);
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  if (part === undefined) return <p class="soft">Nothing of this moment may be changed.</p>;
  return (
    <div class="stack">
      <p class="soft">
        Another run goes on from request {choices.turn} of {choices.prompt}, in a new conversation. Its session is a
        copy, and what its calls write is dropped in the end. Its answers come from <span class="mono">{adapter}</span>,
        and cost what they cost.
      </p>
      <div class="field">
        <label for="fork-part">What to change</label>
        <select id="fork-part" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {parts.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <ChangeForm
        key={part.value}
        text={part.text}
        toolCalls={part.value === 'answer' ? (choices.answer?.toolCalls ?? []) : undefined}
        busy={busy}
        onRun={(change) => void run(change)}
      />
      {error !== undefined && <Problem error={error} />}
    </div>
  );
}

interface ChangeFormProps {
  readonly text: string;
  /** The tool calls, if the part is an answer. */
  readonly toolCalls: readonly object[] | undefined;
  readonly busy: boolean;
  readonly onRun: (change: object) => void;
}

function ChangeForm({ text: before, toolCalls, busy, onRun }: ChangeFormProps): JSX.Element {
  const written = JSON.stringify(toolCalls ?? [], null, 2);
  const [text, setText] = useState(before);
  const [calls, setCalls] = useState(written);
  const [next, setNext] = useState('');
  const [wrong, setWrong] = useState<string>();
  const ends = toolCalls !== undefined && /^\s*(?:\[\s*\])?\s*$/.test(calls);
  const submit = (event: Event): void => {
    event.preventDefault();
    try {
      // Unchanged calls are left out: the server then uses the model's own, which still hold their secrets.
      const changed = calls === written ? {} : { toolCalls: JSON.parse(calls || '[]') as unknown };
      setWrong(undefined);
      onRun(toolCalls === undefined ? { text } : { text, ...changed, next });
    } catch (thrown) {
      setWrong(`The calls are not JSON: ${String(thrown)}`);
    }
  };
  return (
    <form class="stack" onSubmit={submit}>
      <Area id="fork-text" label="Text" rows={toolCalls === undefined ? 14 : 4} value={text} onValue={setText} />
      {toolCalls !== undefined && (
        <Area id="fork-calls" label="Its calls, as JSON" rows={8} value={calls} onValue={setCalls} mono />
      )}
      {ends && (
        <Area
          id="fork-next"
          label="What the user writes next (an answer without calls ends a run)"
          rows={2}
          value={next}
          onValue={setNext}
        />
      )}
      <div class="bar">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Beginning…' : 'Continue'}
        </button>
      </div>
      {wrong !== undefined && <Problem error={wrong} />}
    </form>
  );
}

interface AreaProps {
  readonly id: string;
  readonly label: string;
  readonly rows: number;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly mono?: boolean;
}

function Area({ id, label, rows, value, onValue, mono = false }: AreaProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        class={mono ? 'mono' : ''}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        spellcheck={false}
      />
    </div>
  );
}
