import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api.js';

/** Shows an error and its remedy. */
export function Problem({ error }: { error: unknown }): JSX.Element {
  const { message, remedy } = error instanceof ApiError ? error : { message: String(error), remedy: undefined };
  return (
    <div class="notice bad" role="alert">
      <pre>{message}</pre>
      {remedy !== undefined && <p class="soft">{remedy}</p>}
    </div>
  );
}

/** Shows a placeholder for an empty view. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}

/** Shows a button that copies a text. */
export function Copy({
  text,
  label = 'Copy',
}: {
  text: string | (() => Promise<string>);
  label?: string;
}): JSX.Element {
  const [done, setDone] = useState(label);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setDone('Copied');
    } catch (error) {
      setDone(error instanceof ApiError ? error.message : 'Not allowed');
    }
    setTimeout(() => setDone(label), 1_600);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {done}
    </button>
  );
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [T, string])[];
  readonly current: T;
  readonly onSelect: (tab: T) => void;
}

/** Shows tabs that arrow keys can switch. */
export function Tabs<T extends string>({ label, tabs, current, onSelect }: TabsProps<T>): JSX.Element {
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(([tab]) => tab === current);
    const index = (at + by + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next !== undefined) onSelect(next[0]);
    (event.currentTarget.children[index] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([tab, text]) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onSelect(tab)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function formatCount(value: number | undefined): string {
  return value === undefined ? '–' : value.toLocaleString('en');
}

/** Formats a time span for people. */
export function formatSpan(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '';
  if (milliseconds < 1) return '<1 ms';
  if (milliseconds < 1_000) return `${String(Math.round(milliseconds))} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${String(Math.round(milliseconds / 60_000))} min`;
}

/** Formats the time of day, with milliseconds. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().slice(11, 23);
}

interface TextInputProps {
  /** The label for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
  /** True for the search field of a view, which the key `/` focuses. */
  readonly isSearch?: boolean;
}

/** Shows a text field. */
export function TextInput({ label, placeholder, value, onValue, isSearch = false }: TextInputProps): JSX.Element {
  const shared = {
    'aria-label': label,
    placeholder,
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onValue(currentTarget.value),
  };
  return isSearch ? <input type="search" data-search {...shared} /> : <input type="text" {...shared} />;
}
