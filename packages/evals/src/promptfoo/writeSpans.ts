import { type Context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { writeJsonText } from '../describeJson.js';
import type { EvalCall } from '../Eval.js';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;
const HEX = 16;

/** Parses a W3C trace context; undefined when it is missing or invalid. */
export function readTraceparent(traceparent: string | undefined): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, HEX), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : undefined;
}

/**
 * Writes a span for each round of a run, and below it one for each call, with the names that promptfoo reads. The run is over, so the
 * spans have its order, but not its times.
 */
export function writeSpans(parent: Context, rounds: readonly (readonly EvalCall[])[]): void {
  const tracer = trace.getTracer('toolwright');
  // Promptfoo sorts by whole milliseconds.
  let startMs = Date.now();
  rounds.forEach((calls, round) => {
    const index = round + 1;
    const attributes = { 'gen_ai.turn.index': index };
    const turn = tracer.startSpan(
      `gen_ai.turn ${String(index)}`,
      { kind: SpanKind.INTERNAL, startTime: startMs++, attributes },
      parent,
    );
    const within = trace.setSpan(parent, turn);
    for (const { name, arguments: given, failed } of calls) {
      const call = tracer.startSpan(
        `execute_tool ${name}`,
        {
          kind: SpanKind.INTERNAL,
          startTime: startMs++,
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': name,
            'tool.name': name,
            'tool.arguments': typeof given === 'string' ? given : (writeJsonText(given) ?? ''),
            'gen_ai.turn.index': index,
          },
        },
        within,
      );
      if (failed) call.setStatus({ code: SpanStatusCode.ERROR });
      call.end(startMs);
    }
    turn.end(startMs);
  });
}
