import type { Row } from '../types.js';

/** The kinds of lines. */
export const KINDS: readonly Row['kind'][] = ['run', 'request', 'call', 'program', 'event'];

/** Statuses that count as success. */
export const GOOD: ReadonlySet<string> = new Set(['succeeded', 'answered', 'expanded', 'happened', 'started']);

/** Selects the lines that are shown. */
export interface RowFilter {
  readonly search: string;
  readonly kinds: readonly Row['kind'][];
  readonly troubled: boolean;
  /** A key of `conversationsOf`; empty for all. */
  readonly conversation: string;
}

/** The filter that shows every line. */
export const EVERYTHING: RowFilter = { search: '', kinds: KINDS, troubled: false, conversation: '' };

/** Returns the lines that match a filter; the same array if all of them match. */
export function filterRows(rows: readonly Row[], { search, kinds, troubled, conversation }: RowFilter): readonly Row[] {
  if (search === '' && kinds.length === KINDS.length && !troubled && conversation === '') return rows;
  const wanted = search.toLowerCase();
  const chosen = new Set(kinds);
  const isOf = conversation === '' ? () => true : belongsTo(rows, conversation);
  return rows.filter((row) => {
    if (!chosen.has(row.kind) || (troubled && !isTroubled(row)) || !isOf(row)) return false;
    return (
      wanted === '' ||
      `${row.name} ${row.text ?? ''} ${row.status} ${row.marks.join(' ')}`.toLowerCase().includes(wanted)
    );
  });
}

/** Checks whether a person should look at a line. */
export function isTroubled({ status, marks }: Row): boolean {
  return (!GOOD.has(status) && status !== 'open') || marks.some((mark) => mark !== 'state' && mark !== 'resources');
}

/** A conversation by which the timeline can be filtered. */
export interface ListedConversation {
  readonly key: string;
  readonly title: string;
  readonly runs: number;
}

/** Lists the conversations of the runs in the order in which they began. Runs without a conversation are grouped by session. */
export function conversationsOf(rows: readonly Row[]): readonly ListedConversation[] {
  const found = new Map<string, ListedConversation>();
  for (const row of rows) {
    if (row.kind !== 'run') continue;
    const key = keyOf(row);
    const title = row.conversation ?? `session ${row.session.slice(0, 18)}`;
    found.set(key, { key, title, runs: (found.get(key)?.runs ?? 0) + 1 });
  }
  return [...found.values()];
}

/** Returns a check for lines of a conversation: lines of its runs, and lines without a run in its sessions. */
function belongsTo(rows: readonly Row[], conversation: string): (row: Row) => boolean {
  const chosen = rows.filter((row) => row.kind === 'run' && keyOf(row) === conversation);
  const runs = new Set(chosen.map(({ run }) => run));
  const sessions = new Set(chosen.map(({ session }) => session));
  return ({ run, session }) => (run === '' ? sessions.has(session) : runs.has(run));
}

function keyOf({ conversation, session }: Row): string {
  return conversation === undefined ? `session ${session}` : `conversation ${conversation}`;
}
