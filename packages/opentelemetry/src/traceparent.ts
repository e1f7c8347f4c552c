import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  type Context,
  type SpanContext,
  type TracerProvider,
} from '@opentelemetry/api';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { runQuietly } from './runQuietly.js';

const optionNames: OptionNames<NonNullable<Parameters<typeof runTraces>[0]>> = { tracerProvider: 1 };
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const HEX = 16;

/**
 * Returns a function for the option `traceparent` of `openRuns`: it returns the trace of the code that starts a run, or a new one.
 * `openTelemetry()` then records all work for the run in that trace, in any process.
 *
 * @param options.tracerProvider the provider of the tracer; the global one when left out
 * @throws PromptError E413 for an unknown option
 * @example
 * const runs = await openRuns(app, { store, prepare, traceparent: runTraces() });
 */
export function runTraces(
  options: { readonly tracerProvider?: TracerProvider | undefined } = {},
): (conversation?: string) => string | undefined {
  requireOptionNames('runTraces', options, optionNames);
  return (conversation) => {
    const current = runQuietly(() => trace.getSpanContext(context.active()));
    if (current !== undefined && isSpanContextValid(current)) return formatTraceparent(current);
    return runQuietly(() => {
      const span = (options.tracerProvider ?? trace).getTracer('toolwright').startSpan('create_run', {
        kind: SpanKind.PRODUCER,
        attributes: conversation === undefined ? {} : { 'gen_ai.conversation.id': conversation },
      });
      const begun = span.spanContext();
      span.end();
      return isSpanContextValid(begun) ? formatTraceparent(begun) : undefined;
    });
  };
}

/** Parses the context of a remote span; undefined for a text that does not name one. */
export function readRemoteContext(traceparent: string | undefined): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, HEX), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : undefined;
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(HEX).padStart(2, '0')}`;
}
