import type { Session } from 'toolwright';
import type { Loaded } from '../load/loadApplication.js';

/**
 * Opens the session as it was before the recorded run, with the slices that the module declares.
 *
 * @param json a session as `toJSON` writes it; undefined or without slices for a new session
 * @throws SessionError E806 for a slice that the module does not declare, or values that do not match its class
 */
export async function openSession(loaded: Pick<Loaded, 'session'>, json: unknown): Promise<Session> {
  const fresh = await loaded.session();
  const slices = (json as { readonly slices?: object } | undefined)?.slices ?? {};
  if (Object.keys(slices).length === 0) return fresh;
  const { Session: SessionClass } = await import('toolwright');
  return SessionClass.fromJSON(json, { slices: fresh.registry.declared });
}
