import { hostname } from 'node:os';
import { host, randomId } from 'toolwright/internal/light';

const OWNER = /^process (\d+) of (.*) \(begun at (\d+), (.*)\)$/;

/** Makes a name for a worker of this process, which may have several. */
export function makeOwnerName(): string {
  return `process ${String(host.pid)} of ${hostname()} (begun at ${String(readProcessStart())}, ${randomId()})`;
}

/** Returns the start of this process in seconds since the machine's start. It is the same in all threads, and independent of the clock. */
function readProcessStart(): number {
  const NANOSECONDS = 1e9;
  return Math.round(Number(host.hrtime.bigint()) / NANOSECONDS - host.uptime());
}

/**
 * Checks whether another worker may still work on its run.
 *
 * @param isFirst true to treat workers of other machines as ended, because this is the only worker now
 */
export function isElsewhere(owner: string | null, isFirst: boolean): boolean {
  const [, pid, machine, begun] = OWNER.exec(owner ?? '') ?? [];
  if (machine !== hostname()) return owner !== null && !isFirst;
  // A restarted container has the same name, and its process the same id.
  if (Number(pid) === host.pid) return Math.abs(Number(begun) - readProcessStart()) <= 1;
  try {
    return host.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user cannot be signalled, but exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns a key for maps, because ids of runs and conversations are unique only within a tenant. */
export function makeScopedKey(tenant: string | null, id: string): string {
  return JSON.stringify([tenant, id]);
}
