// The places of encrypted texts, as `encrypt` and `decrypt` receive them.

/** Names the place of an entry. @param position counts from 0 */
export function entryPlace(conversation: string, position: number): string {
  return `${conversation}/${String(position)}`;
}

/** Names the place of a question in the table of questions. */
export function questionPlace(conversation: string, call: string): string {
  return `${conversation}/question ${call}`;
}

/** Names the place of a field in the record of a run. */
export function fieldPlace(run: string, field: 'input' | 'messages' | 'problem'): string {
  return `run ${run}/${field}`;
}
