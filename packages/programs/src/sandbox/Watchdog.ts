import type { HoldClock } from '../Sandbox.js';
import { MIN_TICK_MS } from '../limits.js';
import type { GuestClock } from './GuestClock.js';

const LONGEST_TICK_MS = 2 ** 31 - 1;

/** Enforces the time limits of one program on the host: wall-clock time, unless held, and computation time. */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private readonly began = performance.now();
  private holders = 0;
  private heldSince = 0;
  private heldMs = 0;
  private isOver = false;

  constructor(
    private readonly limits: { readonly wallMs: number; readonly cpuMs: number },
    private readonly clock: GuestClock,
    private readonly exceeded: (limit: 'wall' | 'cpu') => void,
  ) {
    this.checkTime();
  }

  readonly hold: HoldClock = () => {
    if (this.holders++ === 0) this.heldSince = performance.now();
    let isHeld = true;
    return () => {
      if (isHeld && --this.holders === 0) {
        this.heldMs += performance.now() - this.heldSince;
        this.checkTime();
      }
      isHeld = false;
    };
  };

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private checkTime(): void {
    clearTimeout(this.timer);
    if (this.isOver) return;
    const wallLeft = this.holders > 0 ? Infinity : this.limits.wallMs - (performance.now() - this.began - this.heldMs);
    const cpuLeft = this.limits.cpuMs - this.clock.computedMs;
    if (wallLeft <= 0) this.exceeded('wall');
    else if (cpuLeft <= 0) this.exceeded('cpu');
    else
      this.timer = setTimeout(
        () => this.checkTime(),
        Math.min(Math.max(Math.min(wallLeft, cpuLeft), MIN_TICK_MS), LONGEST_TICK_MS),
      );
  }
}
