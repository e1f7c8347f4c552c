// The places of encrypted texts, as `encrypt` and `decrypt` receive them: with the tenant, so that no text can be moved to another.

/** Names the place of an entry. @param position counts from 0 */
export function formatEntryPlace(tenant: string | null, conversation: string, position: number): string {
  return `${ownerOf(tenant, conversation)}${conversation}/${String(position)}`;
}

/** Names the place of a question in the table of questions. */
export function formatQuestionPlace(tenant: string | null, conversation: string, question: string): string {
  return `${ownerOf(tenant, conversation)}${conversation}/question ${question}`;
}

/** Names the place of a field in the record of a run. */
export function formatFieldPlace(tenant: string | null, run: string, field: 'input' | 'messages' | 'problem'): string {
  return `${ownerOf(tenant, 'run')}run ${run}/${field}`;
}

/** Names the place of a change of a shared session. */
export function formatChangePlace(tenant: string | null, session: string, version: number): string {
  return `${ownerOf(tenant, 'session')}session ${session}/change ${String(version)}`;
}

/** @param name begins the rest of the place: a name that looks like a tenant must not be taken for one */
function ownerOf(tenant: string | null, name: string): string {
  if (tenant !== null) return `${JSON.stringify(tenant)} `;
  return /^(?:"|null )/.test(name) ? 'null ' : '';
}
