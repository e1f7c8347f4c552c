import { useEffect, useState } from 'preact/hooks';
import { listen } from '../api.js';
import type { Dropped, Row, InboxItem } from '../types.js';

/** Data from the server that is loaded again when something changes. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
}

/** Loads data, and loads it again when one of `deps` changes. Late answers to earlier requests are ignored. */
export function useLoaded<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  deps: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ data: undefined, error: undefined, loading: load !== undefined });
  useEffect(() => {
    if (load === undefined) {
      setState({ data: undefined, error: undefined, loading: false });
      return undefined;
    }
    const controller = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    load(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ data, error: undefined, loading: false });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState((before) => ({ ...before, error, loading: false }));
      },
    );
    return () => controller.abort();
  }, deps);
  return state;
}

/** The rows of a source, in the order in which they began. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly ready: boolean;
  readonly error: unknown;
  /** The counts of dropped entries and runs; undefined if nothing was dropped. */
  readonly dropped: Dropped | undefined;
}

const NO_ROWS: Rows = { rows: [], ready: false, error: undefined, dropped: undefined };

/** Reads the rows of a source, and every change of a live source. */
export function useRows(source: string | undefined): Rows {
  const [state, setState] = useState<Rows>(NO_ROWS);
  useEffect(() => {
    if (source === undefined) return undefined;
    setState(NO_ROWS);
    const controller = new AbortController();
    let index = new Map<number, number>();
    let dropped: Dropped | undefined;
    let rows: Row[] = [];
    let isReady = false;
    const hear = (event: string, data: unknown): void => {
      if (event === 'ready') isReady = true;
      else if (event === 'dropped') {
        const { before } = (dropped = data as Dropped);
        rows = rows.filter(({ seq }) => seq >= before);
        index = new Map(rows.map(({ seq }, at) => [seq, at]));
      } else {
        for (const row of data as readonly Row[]) {
          const at = index.get(row.seq);
          if (at === undefined) index.set(row.seq, rows.push(row) - 1);
          else rows[at] = row;
        }
        // Shows the first rows at once, and all others together.
        if (!isReady && rows.length > (data as readonly Row[]).length) return;
      }
      // Copies the array, so that views notice the change.
      rows = rows.slice();
      setState((before) => ({ ...before, rows, dropped, ready: isReady }));
    };
    listen('rows', { source }, hear, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setState((before) => ({ ...before, error, ready: true }));
    });
    return () => controller.abort();
  }, [source]);
  return state;
}

/** Reads the calls that wait for an approval; undefined without an inbox. */
export function useApprovals(hasApprovals: boolean): readonly InboxItem[] | undefined {
  const [waiting, setWaiting] = useState<readonly InboxItem[]>();
  useEffect(() => {
    if (!hasApprovals) return undefined;
    const controller = new AbortController();
    listen('approvals', {}, (_event, data) => setWaiting(data as readonly InboxItem[]), controller.signal).catch(
      () => undefined,
    );
    return () => controller.abort();
  }, [hasApprovals]);
  return waiting;
}
