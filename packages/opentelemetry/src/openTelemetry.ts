import { type Clock, systemClock } from 'toolwright';
import { memoize } from 'toolwright/internal/light';
import type { Interceptor } from 'toolwright/policies';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { env } from 'node:process';
import { metrics, trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api';
import { createInstruments } from './instruments.js';
import { SpanTree } from './SpanTree.js';
import { TracingInterceptor } from './TracingInterceptor.js';

/** Options of `openTelemetry`; none is required. */
export interface OpenTelemetryOptions {
  /** The provider of the tracer; the global one when left out. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** The provider of the meter; the global one when left out. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Records texts, arguments, results and reasons of failures on the spans, without secret params and without anything that the hook
   * `redact` removes. When left out, `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` decides: `true`, `SPAN_ONLY` and
   * `SPAN_AND_EVENT` capture.
   */
  readonly captureContent?: boolean | undefined;
  /** The clock that measures durations; the system's when left out. */
  readonly clock?: Clock | undefined;
}

const optionNames: OptionNames<OpenTelemetryOptions> = {
  tracerProvider: 1,
  meterProvider: 1,
  captureContent: 1,
  clock: 1,
};

const SCOPE = 'toolwright';
const CAPTURING = new Set(['true', 'span_only', 'span_and_event']);

/**
 * Returns an interceptor that reports runs, requests, tool calls and programs to OpenTelemetry, by its conventions for generative
 * AI: spans `invoke_agent`, `chat` and `execute_tool`, and histograms. It changes nothing, and errors of a tracer, meter or
 * exporter do not reach a run (docs/contract.md, 9 and 16). List it first, so that its spans include the work of the other
 * interceptors.
 *
 * @throws PromptError E413 for an unknown option; the error of a provider that has no tracer
 * @example
 * const app = await createApplication({ prompts: [SupportDesk], interceptors: [openTelemetry()] });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Interceptor {
  requireOptionNames('openTelemetry', options, optionNames);
  const { tracerProvider, meterProvider, captureContent = isCapturing(), clock = systemClock } = options;
  const tracer = (tracerProvider ?? trace).getTracer(SCOPE);
  const tree = new SpanTree({ tracer, clock, capture: captureContent });
  // Lazy: unlike a global tracer, a global meter cannot be replaced later, and the host may register its provider until the first run.
  const instruments = memoize(() => createInstruments((meterProvider ?? metrics).getMeter(SCOPE)));
  return new TracingInterceptor(tree, instruments);
}

function isCapturing(): boolean {
  return CAPTURING.has((env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? '').toLowerCase());
}
