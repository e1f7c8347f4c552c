import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** The number of entries shown at first; more are shown on demand. */
const SHOWN = 200;

interface JsonProps {
  readonly value: unknown;
  readonly name?: string;
  /** The number of levels that are open at first. */
  readonly open?: number;
}

/** Shows plain data as a tree that opens level by level. */
export function Json({ value, name, open = 2 }: JsonProps): JSX.Element {
  return (
    <div class="json">
      <Entry value={value} name={name} open={open} />
    </div>
  );
}

function Entry({ value, name, open = 0 }: { value: unknown; name?: string | undefined; open?: number }): JSX.Element {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(SHOWN);
  const label = name === undefined ? null : <span class="key">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="leaf">
        {label}
        <Scalar value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries: (readonly [string, unknown])[] = Object.entries(value);
  const size = isList
    ? `[${String(entries.length)}]`
    : `{${entries
        .slice(0, 4)
        .map(([key]) => key)
        .join(', ')}${entries.length > 4 ? ', …' : ''}}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="soft">{size}</span>
      </summary>
      {isOpen && (
        <div>
          {entries.slice(0, shown).map(([key, entry]) => (
            <Entry key={key} name={key} value={entry} open={open - 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + SHOWN)}>
              {String(entries.length - shown)} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Scalar({ value }: { value: unknown }): JSX.Element {
  if (typeof value === 'string') return <span class="string">{JSON.stringify(value)}</span>;
  return <span class="literal">{String(value)}</span>;
}
