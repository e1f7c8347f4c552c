import { hostname } from 'node:os';
import { host, randomId } from 'toolwright/internal/light';

const OWNER = /^process (\d+) of (.*) \(begun at (\d+), (.*)\)$/;

/** Names the worker of this process, of which there may be several. */
export function makeOwnerName(): string {
  return `process ${String(host.pid)} of ${hostname()} (begun at ${String(readProcessStart())}, ${randomId()})`;
}

/** When this process began, in seconds since the machine did: the same in all its threads, and whatever happens to the clock. */
function readProcessStart(): number {
  const NANOSECONDS = 1e9;
  return Math.round(Number(host.hrtime.bigint()) / NANOSECONDS - host.uptime());
}

/**
 * True if a worker may still have its run.
 *
 * @param isFirst true if workers of other machines count as ended: this is the only worker now
 */
export function isElsewhere(owner: string | null, isFirst: boolean): boolean {
  const [, pid, machine, begun] = OWNER.exec(owner ?? '') ?? [];
  if (machine !== hostname()) return owner !== null && !isFirst;
  // A container that starts again has the same name, and its process the same id.
  if (Number(pid) === host.pid) return Math.abs(Number(begun) - readProcessStart()) <= 1;
  try {
    return host.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user cannot be asked, but is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns a key for maps: ids of runs and conversations are unique within a tenant only. */
export function makeScopedKey(tenant: string | null, id: string): string {
  return JSON.stringify([tenant, id]);
}
