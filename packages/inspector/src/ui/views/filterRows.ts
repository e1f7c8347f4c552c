import type { Row } from '../types.js';

/** The kinds of lines. */
export const KINDS: readonly Row['kind'][] = ['run', 'request', 'call', 'program', 'event'];

/** What counts as a good end. */
export const GOOD: ReadonlySet<string> = new Set([...['succeeded', 'answered', 'expanded', 'happened', 'started']]);

/** Which lines are shown. */
export interface RowFilter {
  readonly search: string;
  readonly kinds: readonly Row['kind'][];
  readonly troubled: boolean;
  /** A key of `conversationsOf`; empty for all. */
  readonly conversation: string;
}

/** Shows everything. */
export const EVERYTHING: RowFilter = { search: '', kinds: KINDS, troubled: false, conversation: '' };

/** The lines that fit; the same list if all do. */
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

/** True for a line that a person should look at. */
export function isTroubled({ status, marks }: Row): boolean {
  return (!GOOD.has(status) && status !== 'open') || marks.some((mark) => mark !== 'state' && mark !== 'resources');
}

/** A conversation whose runs can be shown alone. */
export interface ListedConversation {
  readonly key: string;
  readonly title: string;
  readonly runs: number;
}

/** The conversations of the runs, in the order in which they began; runs of no conversation are put together by session. */
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

/** Lines of a conversation: those of its runs, and those of its sessions that belong to no run. */
function belongsTo(rows: readonly Row[], conversation: string): (row: Row) => boolean {
  const chosen = rows.filter((row) => row.kind === 'run' && keyOf(row) === conversation);
  const runs = new Set(chosen.map(({ run }) => run));
  const sessions = new Set(chosen.map(({ session }) => session));
  return ({ run, session }) => (run === '' ? sessions.has(session) : runs.has(run));
}

function keyOf({ conversation, session }: Row): string {
  return conversation === undefined ? `session ${session}` : `conversation ${conversation}`;
}
