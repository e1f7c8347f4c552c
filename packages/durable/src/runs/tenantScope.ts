/** Returns a key for maps: ids of runs and conversations are unique within a tenant only. */
export function scopedKey(tenant: string | null, id: string): string {
  return JSON.stringify([tenant, id]);
}
