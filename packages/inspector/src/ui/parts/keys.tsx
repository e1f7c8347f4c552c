import type { JSX, RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

interface Keys {
  readonly go: (index: number) => void;
  readonly help: () => void;
  readonly leave: () => void;
}

/** Listens for keys everywhere except in text fields. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const types = /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (event.key === 'Escape') {
        if (types) target.blur();
        else if (document.querySelector('dialog[open]') === null) keys.leave();
        return;
      }
      if (types) return;
      if (/^[1-6]$/.test(event.key)) keys.go(Number(event.key) - 1);
      else if (event.key === '?') keys.help();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus();
      else if (event.key === 'j' || event.key === 'k') document.querySelector<HTMLElement>('[role=listbox]')?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['1', '6'], 'the views, from Prompt to Bundles'],
  [['/'], 'search or filter'],
  [['j', 'k'], 'the next and the previous line; arrows, Home and End as well'],
  [['Esc'], 'leave a field, or close the detail'],
  [['?'], 'this help'],
];

/** Shows the list of keys. */
export function KeyHelp({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }): JSX.Element {
  return (
    <dialog ref={dialog} aria-labelledby="keys-title">
      <form method="dialog" class="stack">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {KEYS.flatMap(([keys, what]) => [
            <dt key={`${what}t`}>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && ' – '}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>,
            <dd key={`${what}d`}>{what}</dd>,
          ])}
        </dl>
        <div class="bar">
          <button type="submit" class="primary">
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}
