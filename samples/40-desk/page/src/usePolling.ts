import { useEffect, useRef } from 'react';

/** Runs work at once and then again and again, each time after the one before has ended, as long as it is wanted. */
export function usePolling(isWanted: boolean, milliseconds: number, work: () => Promise<void>): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!isWanted) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const poll = async (): Promise<void> => {
      // A server that does not answer is asked again.
      await latest.current().catch(() => undefined);
      if (!isOver) timer = setTimeout(() => void poll(), milliseconds);
    };
    void poll();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isWanted, milliseconds]);
}
