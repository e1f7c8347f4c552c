import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inForm, isShort } from './effort.js';
import type { Figure } from './Figure.js';

/** The unit of a figure. `x` is a ratio; `B` are bytes that one call allocates (`measureBytes`). */
export type Unit = 'x' | 'ms' | 'ms a tool' | 'B' | 'MB' | 's' | 'share' | 'tokens';

/** One line of a report. */
export interface Row extends Figure {
  readonly what: string;
  readonly unit: Unit;
  /** The upper bound; left out for figures that are only shown. */
  readonly bound?: number | undefined;
}

/** Collects the figures of one benchmark: prints them, stores them as JSON, and compares them with their bounds. */
export class Report {
  private readonly at = new Date().toISOString();
  private readonly rows: Row[] = [];

  constructor(private readonly name: string) {}

  /** Adds a figure. It misses its bound only if the whole interval is above it. */
  add(what: string, figure: Figure, unit: Unit, bound?: number): void {
    const row: Row = { what, ...figure, unit, ...(bound === undefined ? {} : { bound }) };
    this.rows.push(row);
    const isMissed = bound !== undefined && !isShort && figure.low > bound;
    const verdict = bound === undefined ? '' : isMissed ? `  ABOVE ${String(bound)}` : `  (at most ${String(bound)})`;
    console.log(`${what}: ${shown(figure)} ${unit}${verdict}`);
    if (isMissed) process.exitCode = 1;
  }

  /** Adds a figure without an interval, such as a size. */
  addOne(what: string, value: number, unit: Unit, bound?: number): void {
    this.add(what, { median: value, low: value, high: value }, unit, bound);
  }

  /** Writes the figures to the folder in which the scripts collect them. */
  keep(): void {
    const folder = join(process.cwd(), 'build', inForm('figures', 'figures-short'));
    mkdirSync(folder, { recursive: true });
    const kept = { at: this.at, node: process.version, rows: this.rows };
    writeFileSync(join(folder, `${this.name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`);
  }
}

function shown({ median, low, high }: Figure): string {
  const digits = median < 0.1 ? 4 : median < 10 ? 2 : median < 1_000 ? 1 : 0;
  const text = (value: number): string => value.toFixed(digits);
  return low === high ? text(median) : `${text(median)} [${text(low)} - ${text(high)}]`;
}
