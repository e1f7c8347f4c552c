import type { RunEvent } from 'toolwright';
import { PromptExecuted, ToolInvoked, ToolsRendered } from 'toolwright/events';

/** The number of openings of a section, and of these runs in which a tool of it or below it was called afterwards. */
export interface OpeningRow {
  readonly opened: number;
  readonly used: number;
}

/** Counts over many runs which sections were opened, and in which of them their tools were called. */
export class OpeningReport {
  private readonly rows = new Map<string, OpeningRow>();
  private runs = 0;

  /** Returns a listener for one run. */
  listener(): (event: RunEvent) => void {
    const opened = new Set<string>();
    const called = new Set<string>();
    const places = new Map<string, string>();
    return (event) => {
      // Sent with each rendering, so it lists the tools of opened sections as well.
      if (event instanceof ToolsRendered)
        for (const { name, sectionPath } of event.tools) places.set(name, sectionPath);
      if (event instanceof ToolInvoked && event.kind === 'expanded')
        for (const path of event.expansion?.sections ?? []) opened.add(path);
      if (event instanceof ToolInvoked && event.kind === 'succeeded') called.add(places.get(event.name) ?? '');
      if (event instanceof PromptExecuted) this.add(opened, [...called]);
    };
  }

  row(path: string): OpeningRow {
    return this.rows.get(path) ?? { opened: 0, used: 0 };
  }

  toString(): string {
    const lines = [...this.rows].map(
      ([path, { opened, used }]) =>
        `${path}: opened in ${String(opened)} of ${String(this.runs)} runs, of use in ${String(used)}`,
    );
    return lines.join('\n');
  }

  private add(paths: Iterable<string>, called: readonly string[]): void {
    this.runs += 1;
    for (const path of paths) {
      const { opened, used } = this.row(path);
      const isUsed = called.some((place) => place === path || place.startsWith(`${path}.`));
      this.rows.set(path, { opened: opened + 1, used: used + (isUsed ? 1 : 0) });
    }
  }
}
