import { relayAbort } from '../../dispatch/relayAbort.js';
import type { ExecutionResult } from '../ExecutionResult.js';
import type { ProgramEvent } from '../ProgramEvent.js';

/** Runs a program and tells its events. */
export type StreamedRun = (tell: (event: ProgramEvent) => void, signal: AbortSignal) => Promise<ExecutionResult>;

/**
 * The events of a program as they happen. It begins when the first one is asked for, and is cancelled when the reader leaves. No
 * more events wait than a program may write and call.
 */
export async function* streamProgram(
  run: StreamedRun,
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
  const ended = running.then(nothing, nothing);
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

function nothing(): void {
  // What a program came to is its last event.
}
