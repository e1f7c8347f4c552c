import type { ModelAdapter, ModelRequest, ModelResponse, StreamEvent } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';

/** Every event of a stream. */
export async function eventsOf<T>(stream: AsyncIterable<StreamEvent<T>>): Promise<readonly StreamEvent<T>[]> {
  const events: StreamEvent<T>[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The events, in short: the kind, and the text if there is one. */
export const told = (events: readonly StreamEvent[]): readonly string[] =>
  events.map((event) => {
    if ('message' in event) return `${event.kind} ${event.message.content}`;
    return 'text' in event ? `${event.kind} ${String(event.text)}` : event.kind;
  });

/** Longer than anything that continues unrequested would take. */
export async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A model that streams what it is given, and remembers what became of it. */
export class Tap implements ModelAdapter {
  readonly name = 'tap';
  readonly requests: ModelRequest[] = [];
  /** Parts that were asked for. */
  given = 0;
  /** Streams that were read to their end or left. */
  closed = 0;

  constructor(readonly answers: readonly (() => Iterable<ModelPart | Error>)[]) {}

  complete(): Promise<ModelResponse> {
    return Promise.reject(new Error('complete was called in place of stream'));
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const answer = this.answers[this.requests.length];
    this.requests.push(request);
    try {
      for (const part of answer?.() ?? []) {
        await Promise.resolve();
        this.given++;
        if (part instanceof Error) throw part;
        yield part;
      }
    } finally {
      this.closed++;
    }
  }
}

/** The parts of an answer that is a text. */
export const spoken = (...words: readonly string[]): readonly ModelPart[] => [
  ...words.map((text): ModelPart => ({ kind: 'text', text })),
  { kind: 'response', response: { text: words.join(''), toolCalls: [], finishReason: 'stop' } },
];

/** An answer that calls tools, in one part. */
export const calling = (...names: readonly string[]): readonly ModelPart[] => {
  const toolCalls = names.map((name, index) => ({ id: `${name}_${String(index)}`, name, arguments: {} }));
  return [{ kind: 'response', response: { text: null, toolCalls, finishReason: 'tool_calls' } }];
};
