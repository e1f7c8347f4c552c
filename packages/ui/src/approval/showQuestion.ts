import type { ApprovalDescription } from '../chats/ApprovalDescription.js';
import { formatValue } from './formatValue.js';
import { listDifferences } from './listDifferences.js';
import { make } from './make.js';

/** Places of one change that are shown. */
const MAX_PLACES = 200;
/** Changes of one slice or resource that are shown. */
const MAX_CHANGES = 50;

/** A slice or a resource that the call would change, as the server describes it. */
interface ChangedPart {
  readonly name: string;
  readonly part?: 'session' | 'resource' | undefined;
  readonly changes?:
    readonly { readonly what: string; readonly before?: unknown; readonly after?: unknown }[] | undefined;
}

/** Shows arguments by their names, or as they are if they are not an object. */
export function showArguments(given: unknown): HTMLElement {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return make('pre', {}, formatValue(given));
  const entries = Object.entries(given);
  if (entries.length === 0) return make('p', { class: 'soft' }, 'None.');
  const rows = entries.flatMap(([name, value]: [string, unknown]) => [
    make('dt', {}, name),
    make('dd', {}, formatValue(value)),
  ]);
  return make('dl', {}, ...rows);
}

/** Shows what the call would change, and the text that the model would read. */
export function showEffect({ effect, problem }: ApprovalDescription): readonly HTMLElement[] {
  if (effect === undefined) {
    const text = problem === undefined ? 'Not computed yet.' : `Not known: ${problem}`;
    return [make('p', { class: 'soft' }, text)];
  }
  const { changed, text, succeeds } = effect;
  const fails = make('p', { class: 'error' }, 'The call would fail and change nothing.');
  const nothing = make('p', { class: 'soft' }, 'It changes nothing.');
  const parts = (changed as readonly ChangedPart[]).map(showPart);
  const read = make('details', {}, make('summary', {}, 'Text that the model would read'), make('pre', {}, text));
  return [
    ...(succeeds ? [] : [fails]),
    ...(parts.length === 0 && succeeds ? [nothing] : parts),
    ...(text === '' ? [] : [read]),
  ];
}

function showPart({ name, part, changes }: ChangedPart): HTMLElement {
  const kind = part === 'session' ? 'state of the session' : 'resource';
  const head = make('p', {}, make('b', {}, name), make('span', { class: 'soft' }, ` (${kind})`));
  if (changes === undefined)
    return make('div', { class: 'part' }, head, make('p', { class: 'soft' }, 'It does not report its changes.'));
  const left = changes.length - MAX_CHANGES;
  const more = make('p', { class: 'soft' }, `${String(left)} further changes are not shown.`);
  return make(
    'div',
    { class: 'part' },
    head,
    ...changes.slice(0, MAX_CHANGES).map(showChange),
    ...(left > 0 ? [more] : []),
  );
}

function showChange({ what, before, after }: NonNullable<ChangedPart['changes']>[number]): HTMLElement {
  const differences = listDifferences(before, after);
  const left = differences.length - MAX_PLACES;
  const heads = ['Place', 'Before', 'After'].map((text) => make('th', { scope: 'col' }, text));
  const rows = differences
    .slice(0, MAX_PLACES)
    .map(({ path, before: old, after: now }) =>
      make(
        'tr',
        {},
        make('td', {}, path.join('.') || 'all of it'),
        make('td', { 'data-label': 'Before' }, showSide('del', old)),
        make('td', { 'data-label': 'After' }, showSide('ins', now)),
      ),
    );
  const table = make(
    'table',
    {},
    make('caption', {}, what),
    make('thead', {}, make('tr', {}, ...heads)),
    make('tbody', {}, ...rows),
  );
  const more = make('p', { class: 'soft' }, `${String(left)} further places differ.`);
  return make('div', { class: 'frame' }, table, ...(left > 0 ? [more] : []));
}

function showSide(tag: 'del' | 'ins', value: unknown): HTMLElement {
  return value === undefined ? make('span', { class: 'soft' }, '–') : make(tag, {}, formatValue(value));
}
