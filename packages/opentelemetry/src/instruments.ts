import type { Histogram, Meter } from '@opentelemetry/api';

/** The histograms, with the names and bounds of the conventions. */
export interface Instruments {
  /** Seconds of one request to a model. */
  readonly request: Histogram;
  /** Tokens of one request, in and out. */
  readonly tokens: Histogram;
  /** Seconds of one run. */
  readonly run: Histogram;
  /** Seconds of one tool call. */
  readonly tool: Histogram;
}

const makeDoublingBounds = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toFixed(2)));

export function createInstruments(meter: Meter): Instruments {
  const seconds = (name: string, description: string, bounds: number[]): Histogram =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries: bounds } });
  return {
    request: seconds(
      'gen_ai.client.operation.duration',
      'Duration of a request to a model.',
      makeDoublingBounds(0.01, 14),
    ),
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'Input and output tokens of a request.',
      advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, index) => 4 ** index) },
    }),
    run: seconds('gen_ai.invoke_agent.duration', 'Duration of a run.', makeDoublingBounds(0.1, 13)),
    tool: seconds('gen_ai.execute_tool.duration', 'Duration of a tool call.', makeDoublingBounds(0.01, 14)),
  };
}
