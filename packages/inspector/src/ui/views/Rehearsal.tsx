import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api.js';
import { Changes } from '../parts/Diff.js';
import { Json } from '../parts/Json.js';
import { Problem, formatSpan } from '../parts/pieces.js';
import { SchemaForm } from '../parts/SchemaForm.js';
import type { PromptState, Schema } from '../types.js';

interface RehearsalProps {
  readonly name: string;
  readonly state: PromptState;
  readonly schema: Schema;
  readonly examples: readonly unknown[];
  readonly rehearses: 'handler' | 'preview' | null;
  readonly allowCalls: boolean;
}

interface Rehearsed {
  readonly ran: 'handler' | 'preview';
  readonly kind: string;
  readonly text: string;
  readonly value: unknown;
  readonly durationMs: number;
  readonly changed: Parameters<typeof Changes>[0]['changed'];
}

/** Shows a form for the arguments, and the result of the rehearsed call. */
export function Rehearsal({ name, state, schema, examples, rehearses, allowCalls }: RehearsalProps): JSX.Element {
  const [value, setValue] = useState<Readonly<Record<string, unknown>>>({});
  const [raw, setRaw] = useState<string>();
  const [result, setResult] = useState<Rehearsed>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      setResult(await post<Rehearsed>('rehearse', { ...state, tool: name, arguments: raw ?? JSON.stringify(value) }));
    } catch (thrown) {
      setResult(undefined);
      setError(thrown);
    }
    setBusy(false);
  };
  const possible = allowCalls && rehearses !== null;
  return (
    <form class="stack" onSubmit={(event) => void run(event)}>
      <div class="bar">
        <label class="check">
          <input
            type="checkbox"
            checked={raw !== undefined}
            onChange={(event) => setRaw(event.currentTarget.checked ? JSON.stringify(value, null, 2) : undefined)}
          />
          Write the arguments as a model would
        </label>
        {examples.map((example, index) => (
          <button key={String(index)} type="button" onClick={() => setValue(inputOf(example))}>
            Example {index + 1}
          </button>
        ))}
      </div>
      {raw === undefined ? (
        <SchemaForm id="rehearsal" schema={schema} value={value} onChange={setValue} />
      ) : (
        <RawArguments text={raw} onText={setRaw} />
      )}
      <div class="bar">
        <button type="submit" class="primary" disabled={!possible || busy}>
          {busy ? 'Rehearsing…' : 'Rehearse'}
        </button>
        <span class="soft">{explainRehearsal(allowCalls, rehearses)}</span>
      </div>
      {error !== undefined && <Problem error={error} />}
      {result !== undefined && <Outcome result={result} />}
    </form>
  );
}

function RawArguments({ text, onText }: { text: string; onText: (text: string) => void }): JSX.Element {
  return (
    <div class="field">
      <label for="raw-arguments">Arguments</label>
      <textarea
        id="raw-arguments"
        rows={8}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        spellcheck={false}
      />
    </div>
  );
}

function explainRehearsal(allowCalls: boolean, rehearses: RehearsalProps['rehearses']): string {
  if (!allowCalls) return 'The inspector is read-only: start it with --allow-calls (allowCalls: true) to rehearse.';
  if (rehearses === null) return 'The tool may act outside and has no preview, so a rehearsal could not be undone.';
  return rehearses === 'preview'
    ? 'Runs the preview of the tool, and rolls back.'
    : 'Runs the handler of the tool, and rolls back session and resources.';
}

function Outcome({ result }: { result: Rehearsed }): JSX.Element {
  const { kind, text, value, changed, ran, durationMs } = result;
  return (
    <div class="stack" role="status">
      <div class="bar">
        <span class={`badge ${kind === 'succeeded' ? 'good' : 'bad'}`}>{kind}</span>
        <span class="badge">{ran}</span>
        <span class="badge info">rolled back</span>
        <span class="soft">{formatSpan(durationMs)}</span>
      </div>
      <div>
        <h3>What the model would read</h3>
        <pre class="text-block">{text}</pre>
      </div>
      <div>
        <h3>What it would change</h3>
        <Changes changed={changed} />
      </div>
      {value !== null && (
        <div class="card">
          <h3>Value</h3>
          <Json value={value} />
        </div>
      )}
    </div>
  );
}

function inputOf(example: unknown): Readonly<Record<string, unknown>> {
  const { input } = (example ?? {}) as { readonly input?: unknown };
  const given = input ?? example;
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
}
