// Formats the places of encrypted texts for `encrypt` and `decrypt`. They include the tenant, so that a text cannot be moved to another one.

/** Formats the place of an entry. @param position counts from 0 */
export function formatEntryPlace(tenant: string | null, conversation: string, position: number): string {
  return `${ownerOf(tenant, conversation)}${conversation}/${String(position)}`;
}

/** Formats the place of a question in the table of questions. */
export function formatQuestionPlace(tenant: string | null, conversation: string, question: string): string {
  return `${ownerOf(tenant, conversation)}${conversation}/question ${question}`;
}

/** Formats the place of a field in the record of a run. */
export function formatFieldPlace(tenant: string | null, run: string, field: 'input' | 'messages' | 'problem'): string {
  return `${ownerOf(tenant, 'run')}run ${run}/${field}`;
}

/** Formats the place of a change of a shared session. */
export function formatChangePlace(tenant: string | null, session: string, version: number): string {
  return `${ownerOf(tenant, 'session')}session ${session}/change ${String(version)}`;
}

/** Formats the place of the title of a chat. */
export function formatTitlePlace(tenant: string | null, owner: string, chat: string): string {
  return `${ownerOf(tenant, 'chat')}chat ${JSON.stringify(owner)} ${chat}/title`;
}

/** Formats the place of a message that waits for a run. */
export function formatMessagePlace(tenant: string | null, conversation: string, message: string): string {
  return `${ownerOf(tenant, conversation)}${conversation}/message ${message}`;
}

/** Formats the tenant of a place. @param name the start of the rest, which must not be mistaken for a tenant */
function ownerOf(tenant: string | null, name: string): string {
  if (tenant !== null) return `${JSON.stringify(tenant)} `;
  return /^(?:"|null )/.test(name) ? 'null ' : '';
}
