import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api.js';

/** What could not be done, and what to do. */
export function Problem({ error }: { error: unknown }): JSX.Element {
  const { message, remedy } = error instanceof ApiError ? error : { message: String(error), remedy: undefined };
  return (
    <div class="notice bad" role="alert">
      <pre>{message}</pre>
      {remedy !== undefined && <p class="soft">{remedy}</p>}
    </div>
  );
}

/** What is shown where there is nothing. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}

/** Copies a text. */
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

/** Tabs, of which the arrow keys choose one. */
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

/** A number with separators. */
export function formatCount(value: number | undefined): string {
  return value === undefined ? '–' : value.toLocaleString('en');
}

/** A time span for people. */
export function formatSpan(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '';
  if (milliseconds < 1) return '<1 ms';
  if (milliseconds < 1_000) return `${String(Math.round(milliseconds))} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${String(Math.round(milliseconds / 60_000))} min`;
}

/** The time of the day, with milliseconds. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().slice(11, 23);
}

interface TextInputProps {
  /** What it is for, as a screen reader says it. */
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
  /** True for the search of a view, which a key focuses. */
  readonly isSearch?: boolean;
}

/** A line of text that a person writes. */
export function TextInput({ label, placeholder, value, onValue, isSearch = false }: TextInputProps): JSX.Element {
  const shared = {
    'aria-label': label,
    placeholder,
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onValue(currentTarget.value),
  };
  return isSearch ? <input type="search" data-search {...shared} /> : <input type="text" {...shared} />;
}
