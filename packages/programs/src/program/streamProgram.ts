import { relayAbort } from 'toolwright/internal';
import type { ExecutionResult, ProgramEvent } from '../ExecutionResult.js';

/**
 * Yields the events of a program as they happen. The program starts when the first event is requested, and is cancelled when
 * the reader leaves the loop. The limits on output and calls bound the number of queued events.
 *
 * @param run runs the program and reports its events
 */
export async function* streamProgram(
  run: (emit: (event: ProgramEvent) => void, signal: AbortSignal) => Promise<ExecutionResult>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ProgramEvent, void> {
  const waiting: ProgramEvent[] = [];
  const leaving = new AbortController();
  const stopRelaying = relayAbort(signal, leaving);
  let wake = (): void => undefined;
  const state = { isOver: false };
  const running = run((event) => {
    waiting.push(event);
    wake();
  }, leaving.signal).finally(() => {
    state.isOver = true;
    wake();
  });
  const ended = running.then(ignoreResult, ignoreResult);
  try {
    for (;;) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else if (state.isOver) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await running;
  } finally {
    leaving.abort();
    await ended;
    stopRelaying();
  }
}

function ignoreResult(): void {
  // The result is the last event.
}
