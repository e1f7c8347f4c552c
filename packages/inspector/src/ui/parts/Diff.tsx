import { diffLines } from 'diff';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import microdiff from 'microdiff';

/** The number of unchanged lines that are kept at both ends. */
const CONTEXT = 3;

/** Shows the difference of two texts, line by line. */
export function TextDiff({ before, after }: { before: string; after: string }): JSX.Element {
  const parts = useMemo(() => diffLines(before, after, { timeout: 2_000 }) ?? [], [before, after]);
  if (before === after) return <p class="soft">Both are the same.</p>;
  return (
    <div class="diff" tabIndex={0} role="region" aria-label="Difference">
      {parts.map(({ value, added, removed }, index) => {
        const lines = value.replace(/\n$/, '').split('\n');
        const kind = added ? 'added' : removed ? 'removed' : '';
        const shown = kind === '' && lines.length > CONTEXT * 2 + 1 ? shortenLines(lines) : lines;
        return shown.map((line, at) => (
          <pre key={`${String(index)}.${String(at)}`} class={kind}>
            {line === '' ? ' ' : line}
          </pre>
        ));
      })}
    </div>
  );
}

function shortenLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - CONTEXT * 2;
  return [...lines.slice(0, CONTEXT), `⋯ ${String(left)} lines are the same`, ...lines.slice(-CONTEXT)];
}

/** Shows the difference of two JSON values, path by path. */
export function ValueDiff({ before, after }: { before: unknown; after: unknown }): JSX.Element {
  const changes = useMemo(() => microdiff({ value: before ?? null }, { value: after ?? null }), [before, after]);
  if (changes.length === 0) return <p class="soft">Nothing changed.</p>;
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, 300).map((change) => (
            <tr key={change.path.join('\0')}>
              <td class="mono">{change.path.slice(1).join('.') || 'all of it'}</td>
              <td class="mono">
                {change.type === 'CREATE' ? <span class="soft">–</span> : <del>{formatValue(change.oldValue)}</del>}
              </td>
              <td class="mono">
                {change.type === 'REMOVE' ? <span class="soft">–</span> : <ins>{formatValue(change.value)}</ins>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > 300 && <p class="soft">{String(changes.length - 300)} further places differ.</p>}
    </div>
  );
}

function formatValue(value: unknown): string {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

interface Changed {
  readonly part?: 'session' | 'resource';
  readonly name: string;
  readonly changes?:
    readonly { readonly what: string; readonly before: unknown; readonly after: unknown }[] | undefined;
}

/** Shows how a call changes slices and resources. */
export function Changes({ changed }: { changed: readonly Changed[] }): JSX.Element {
  if (changed.length === 0) return <p class="soft">It changes nothing.</p>;
  return (
    <div class="stack">
      {changed.map(({ part, name, changes }, index) => (
        <div key={`${name}${String(index)}`} class="stack">
          <div class="bar">
            <b class="mono">{name}</b>
            <span class="badge">{part === 'session' ? 'session' : 'resource'}</span>
          </div>
          {changes === undefined ? (
            <p class="soft">This resource does not report its changes.</p>
          ) : (
            changes.slice(0, 50).map(({ what, before, after }) => (
              <div key={what}>
                <div class="mono soft">{what}</div>
                <ValueDiff before={before} after={after} />
              </div>
            ))
          )}
        </div>
      ))}
    </div>
  );
}
