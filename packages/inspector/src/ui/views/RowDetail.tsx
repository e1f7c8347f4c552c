import type { JSX } from 'preact';
import { get } from '../api.js';
import { Changes } from '../parts/Diff.js';
import { useLoaded } from '../parts/hooks.js';
import { Json } from '../parts/Json.js';
import { formatTime, Copy, formatCount, Problem, formatSpan } from '../parts/pieces.js';
import type { BundleEntry, Row } from '../types.js';
import { Messages } from './Messages.js';
import { signOf } from './TimelineRow.js';

interface RowDetailProps {
  readonly seq: number;
  readonly row: Row | undefined;
  readonly source: string;
  readonly onBack: () => void;
  readonly onState: (seq: number) => void;
  readonly onSelect: (seq: number) => void;
}

/** Shows all details of one line of the timeline. */
export function RowDetail({ seq, row, source, onBack, onState, onSelect }: RowDetailProps): JSX.Element {
  // Loads the entries again once the row has ended.
  const { data, error } = useLoaded(
    () => get<readonly BundleEntry[]>('entry', { source, seq }),
    [seq, source, row?.status, row?.marks.length],
  );
  if (error !== undefined) return <Problem error={error} />;
  if (row === undefined || data === undefined) return <p class="soft">Loading…</p>;
  const [sign, className] = signOf(row.status);
  const { fork } = row;
  const state = data.find(({ kind }) => kind === 'state' || kind === 'resources');
  return (
    <div class="stack">
      <div class="bar">
        <button type="button" class="back" onClick={onBack}>
          ← Timeline
        </button>
        <h2 class={row.kind === 'call' ? 'mono' : ''}>{row.name}</h2>
        <span class={`badge ${className.replace('is-', '').replace('open', 'info')}`}>
          {sign} {row.status}
        </span>
        {row.marks.map((mark) => (
          <span key={mark} class="badge warn">
            {mark}
          </span>
        ))}
      </div>
      <Facts row={row} />
      <div class="bar">
        {state !== undefined && (
          <button type="button" onClick={() => onState(state.seq)}>
            Show the state here
          </button>
        )}
        {fork !== undefined && (
          <button type="button" onClick={() => onSelect(fork.seq)}>
            Show where it was forked
          </button>
        )}
      </div>
      <Body entries={data} row={row} source={source} />
      <details class="card">
        <summary>All {formatCount(data.length)} entries as recorded</summary>
        <Json value={data} open={1} />
      </details>
    </div>
  );
}

function Facts({ row }: { row: Row }): JSX.Element {
  const { usage, attempts, cost, fork, prefix } = row;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Began', `${formatTime(row.time)} UTC`],
    ['Took', formatSpan(row.durationMs) || undefined],
    ['Run', row.run === '' ? undefined : row.run],
    ['Forked from', fork === undefined ? undefined : `run ${fork.run}, entry ${String(fork.seq)}`],
    ['Conversation', row.conversation],
    ['Session', row.session === '' ? undefined : row.session],
    ['Attempts', attempts === undefined || attempts < 2 ? undefined : String(attempts)],
    [
      'Tokens',
      usage?.inputTokens === undefined
        ? undefined
        : `${formatCount(usage.inputTokens)} in, ${formatCount(usage.outputTokens)} out${usage.cachedInputTokens === undefined ? '' : `, ${formatCount(usage.cachedInputTokens)} from cache`}`,
    ],
    ['Cost', cost === undefined ? undefined : cost.toFixed(6)],
    [
      'Prefix',
      prefix === undefined
        ? undefined
        : `${formatCount(prefix.keptBytes)} bytes kept, ${formatCount(prefix.newBytes)} new, ${formatCount(prefix.changedBytes)} changed${prefix.brokenAt === undefined ? '' : ` at ${prefix.brokenAt}`}`,
    ],
  ];
  return (
    <dl class="facts">
      {facts.flatMap(([name, value]) =>
        value === undefined ? [] : [<dt key={`${name}t`}>{name}</dt>, <dd key={`${name}d`}>{value}</dd>],
      )}
    </dl>
  );
}

function Body({
  entries,
  row,
  source,
}: {
  entries: readonly BundleEntry[];
  row: Row;
  source: string;
}): JSX.Element | null {
  const [first] = entries;
  switch (first?.kind) {
    case 'run':
      return <Run entries={entries} source={source} />;
    case 'request':
      return <Request request={first} answer={find(entries, 'answer')} />;
    case 'call':
      return <Call call={first} entries={entries} row={row} />;
    case 'program':
      return <pre class="text-block">{first.code}</pre>;
    case 'event':
      return (
        <div class="card">
          <Json value={first.fields} />
        </div>
      );
    default:
      return null;
  }
}

function find<K extends BundleEntry['kind']>(entries: readonly BundleEntry[], kind: K): BundleEntry<K> | undefined {
  return entries.find((entry): entry is BundleEntry<K> => entry.kind === kind);
}

function Run({ entries, source }: { entries: readonly BundleEntry[]; source: string }): JSX.Element {
  const run = find(entries, 'run');
  const end = find(entries, 'end');
  return (
    <div class="stack">
      {end?.problem !== undefined && (
        <div class="notice bad">
          <pre>{end.problem}</pre>
        </div>
      )}
      {end !== undefined && end.messages.length > 0 ? (
        <>
          <div class="bar">
            <h3>Conversation</h3>
            <Copy
              label="Copy a replay test"
              text={async () => (await get<{ text: string }>('test', { source, run: run?.run })).text}
            />
          </div>
          <Messages messages={end.messages} />
        </>
      ) : (
        <p class="soft">The conversation is shown once the run has ended.</p>
      )}
    </div>
  );
}

function Request({
  request,
  answer,
}: {
  request: BundleEntry<'request'>;
  answer: BundleEntry<'answer'> | undefined;
}): JSX.Element {
  return (
    <div class="stack">
      <p class="soft">{formatCount(request.count)} messages were sent.</p>
      {request.messages !== undefined && <Messages messages={request.messages} />}
      {answer?.problem !== undefined && (
        <div class="notice bad">
          <pre>{answer.problem}</pre>
        </div>
      )}
      {answer !== undefined && answer.problem === undefined && (
        <>
          <h3>Answer</h3>
          <Messages
            messages={[{ role: 'assistant', content: answer.text ?? null, toolCalls: answer.toolCalls ?? [] }]}
          />
          <dl class="facts">
            <dt>Finish reason</dt>
            <dd>{answer.finishReason}</dd>
          </dl>
        </>
      )}
    </div>
  );
}

interface DetailProps {
  readonly call: BundleEntry<'call'>;
  readonly entries: readonly BundleEntry[];
  readonly row: Row;
}

function Call({ call, entries, row }: DetailProps): JSX.Element {
  const outcome = find(entries, 'outcome');
  const invoked = entries.find(
    (entry): entry is BundleEntry<'event'> => entry.kind === 'event' && entry.type === 'ToolInvoked',
  );
  const resources = entries.filter((entry): entry is BundleEntry<'resources'> => entry.kind === 'resources');
  const state = find(entries, 'state');
  const { result, error, repairs, expansion } = invoked?.fields ?? {};
  return (
    <div class="stack">
      <div class="card">
        <h3>Arguments</h3>
        <Json value={parseArguments(call.arguments)} open={3} />
      </div>
      {outcome !== undefined && (
        <div>
          <h3>What the model read</h3>
          <pre class="text-block">{outcome.text}</pre>
        </div>
      )}
      {error !== undefined && error !== null && (
        <div class="card">
          <h3>Error</h3>
          <Json value={error} />
        </div>
      )}
      <div class="card stack">
        <h3>Transaction</h3>
        <Transaction
          row={row}
          effect={outcome?.effect}
          attempts={entries.filter(({ kind }) => kind === 'attempt').length}
          wrote={resources.length > 0 || state !== undefined}
        />
        {resources.map((entry) => (
          <Changes key={entry.seq} changed={entry.resources} />
        ))}
        {state !== undefined && <Json name="slices" value={{ ...state.replaced, ...state.appended }} open={1} />}
      </div>
      {Array.isArray(repairs) && repairs.length > 0 && (
        <div class="card">
          <h3>Repaired arguments</h3>
          <Json value={repairs} />
        </div>
      )}
      {expansion !== undefined && expansion !== null && (
        <div class="card">
          <h3>Sections opened</h3>
          <Json value={expansion} open={2} />
        </div>
      )}
      {result !== undefined && result !== null && (
        <div class="card">
          <h3>Result</h3>
          <Json value={result} />
        </div>
      )}
    </div>
  );
}

function Transaction({
  row,
  effect,
  attempts,
  wrote,
}: {
  row: Row;
  effect: string | undefined;
  attempts: number;
  wrote: boolean;
}): JSX.Element {
  const kept = row.status === 'succeeded' || row.status === 'expanded';
  const said =
    attempts === 0
      ? 'The call was refused before its handler started.'
      : row.status === 'open'
        ? 'It is running.'
        : row.marks.includes('may remain')
          ? 'It was rolled back, but changes may remain.'
          : kept
            ? wrote
              ? 'Committed.'
              : 'Committed; it changed nothing here.'
            : wrote
              ? 'Rolled back: its changes were dropped.'
              : 'Rolled back.';
  return (
    <div class="bar">
      <span class={`badge ${kept ? 'good' : attempts === 0 ? '' : 'warn'}`}>{said}</span>
      {attempts > 1 && <span class="badge warn">{attempts} attempts</span>}
      {effect !== undefined && (
        <span class={`badge ${effect === 'unknown' ? 'bad' : ''}`}>effect outside: {effect}</span>
      )}
    </div>
  );
}

function parseArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}
