import type { JSX } from 'preact';
import { count } from '../parts/pieces.js';
import type { Dropped } from '../types.js';

/** Says what a live source does not keep any more. */
export function DroppedNote({ dropped: { entries, runs } }: { readonly dropped: Dropped }): JSX.Element {
  return (
    <p class="soft" role="note">
      The oldest {count(entries)} entries, with the beginning of {count(runs)} {runs === 1 ? 'run' : 'runs'}, were
      dropped: the inspector keeps a limited number (option <code>live</code>).
    </p>
  );
}
