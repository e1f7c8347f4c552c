// A scripted model of the AI SDK, which both agents call. It makes the same calls whichever tools it is given.
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

interface Turn {
  readonly tool?: string;
  readonly input?: object;
  readonly text?: string;
}

const lamps = { sku: 'lamp', pieces: 2 };
/** The second call takes the lamps from the stock before it finds that there is no vase. */
const calls: readonly Turn[] = [
  { tool: 'get_order', input: { orderId: 'W1' } },
  { tool: 'reserve', input: { lines: [lamps, { sku: 'vase', pieces: 1 }] } },
  { tool: 'reserve', input: { lines: [lamps] } },
  { tool: 'refund', input: { orderId: 'W1', amount: 80 } },
];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** @param text the final answer */
export function playScript(text: string): MockLanguageModelV3 {
  const turns = [...calls, { text }].map(({ tool, input, text: said = '' }: Turn, at) => {
    const finishReason = { unified: tool === undefined ? ('stop' as const) : ('tool-calls' as const), raw: undefined };
    const id = `call_${String(at)}`;
    const call = { type: 'tool-call' as const, toolCallId: id, toolName: tool ?? '', input: JSON.stringify(input) };
    const texts = [
      { type: 'text-start' as const, id },
      { type: 'text-delta' as const, id, delta: said },
      { type: 'text-end' as const, id },
    ];
    const start = { type: 'stream-start' as const, warnings: [] };
    const chunks = [start, ...(tool === undefined ? texts : [call]), { type: 'finish' as const, finishReason, usage }];
    const content = [tool === undefined ? { type: 'text' as const, text: said } : call];
    return {
      whole: { content, finishReason, usage, warnings: [] },
      pieces: { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) },
    };
  });
  return new MockLanguageModelV3({
    doGenerate: turns.map(({ whole }) => whole),
    doStream: turns.map(({ pieces }) => pieces),
  });
}
