import type { ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import { type AdapterKit, modelAdapterContract, type ProviderTurn } from '@toolwright/contracts';
import { openChatKit } from '../../packages/openai/spec/support/chatKit';

/** Every check is a run or two over HTTP. */
const LONG = 120_000;

/** The names of the checks that an adapter fails which does something else than the one below it. */
async function failuresOf(
  change: (adapter: ModelAdapter) => Partial<ModelAdapter>,
  names = /./,
): Promise<readonly string[]> {
  const open = async (script: readonly ProviderTurn[]): Promise<AdapterKit> => {
    const kit = await openChatKit(script);
    const { adapter } = kit;
    const { takesOutputSchema } = adapter;
    // The counts of all specs leave it out (spec/support/prefixCounts.cjs).
    const name = 'changed on purpose';
    const complete: ModelAdapter['complete'] = (request) => adapter.complete(request);
    return Object.defineProperty(kit, 'adapter', { value: { name, takesOutputSchema, complete, ...change(adapter) } });
  };
  const failed: string[] = [];
  for (const { name, run } of modelAdapterContract(open))
    if (names.test(name)) await run().catch(() => failed.push(name));
  return failed;
}

/** An adapter that changes what the model answered. */
const answering =
  (change: (response: ModelResponse, request: ModelRequest) => ModelResponse) =>
  (adapter: ModelAdapter): Partial<ModelAdapter> => ({
    complete: async (request) => change(await adapter.complete(request), request),
  });

/** An adapter that sends something else than it was asked to. */
const sending =
  (change: (request: ModelRequest) => ModelRequest) =>
  (adapter: ModelAdapter): Partial<ModelAdapter> => ({
    complete: (request) => adapter.complete(change(request)),
    ...(adapter.means === undefined ? {} : { means: (begin) => adapter.means?.(begin) ?? null }),
  });

describe('the contract of adapters', () => {
  test('each check of the contract of adapters has its own name', () => {
    const names = modelAdapterContract(openChatKit).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(25);
    expect(new Set(names).size).toBe(names.length);
  });

  test(
    'an adapter that cannot stream meets the contract',
    async () => {
      expect(await failuresOf(() => ({}))).toEqual([]);
    },
    LONG,
  );

  test.each<[string, (adapter: ModelAdapter) => Partial<ModelAdapter>, readonly string[]]>([
    [
      'drops the second call',
      answering((response) => ({ ...response, toolCalls: response.toolCalls.slice(0, 1) })),
      ['the calls of one turn all run, and are answered in their order'],
    ],
    [
      'gives every call the same id',
      answering((response) => ({ ...response, toolCalls: response.toolCalls.map((call) => ({ ...call, id: 'x' })) })),
      ['a call runs its tool, and is answered'],
    ],
    [
      'says 0 where nothing was counted',
      answering((response) => ({ ...response, usage: response.usage ?? { inputTokens: 0 } })),
      ['usage is reported as the provider counts it, and left out where it does not count'],
    ],
    [
      'takes a refusal for an answer',
      answering((response) => ({ ...response, finishReason: 'stop' })),
      ['ADPT-06: a refusal is reported, and calls nothing', 'ADPT-06: calls that were cut short do not run'],
    ],
    [
      'wraps what goes wrong',
      (adapter) => ({
        complete: (request) =>
          adapter.complete(request).catch((cause: unknown) => Promise.reject(new TypeError('wrapped', { cause }))),
      }),
      ['ADPT-01: 429 with Retry-After is waited out, and no tool repeated', 'an invalid answer ends the run'],
    ],
    [
      'listens to no signal',
      (adapter) => ({ complete: (request) => adapter.complete({ ...request, signal: new AbortController().signal }) }),
      ['a caller who gives up gets the reason, and the connection is closed'],
    ],
    [
      'does not tell the form',
      (adapter) => ({ complete: (request) => adapter.complete({ ...request, outputSchema: undefined }) }),
      ['the schema of the answer is sent, and the answer is parsed'],
    ],
    [
      'streams a text that is not that of its answer',
      (adapter) => ({
        async *stream(request) {
          yield { kind: 'text', text: 'Well, ' };
          yield { kind: 'response', response: await adapter.complete(request) };
        },
      }),
      ['a streamed run is the same run'],
    ],
    [
      'writes the first message anew in each request',
      sending(({ messages: [system, first, ...rest], ...request }) => ({
        ...request,
        messages: [
          system,
          { ...first, content: `${String(first?.content)} (${String(rest.length)})` },
          ...rest,
        ] as never,
      })),
      [
        'each request of a conversation begins with the one before, after its record was read as well',
        'an opened section is read, and its tool is called; nothing that was sent changes',
      ],
    ],
    [
      'sends the tools that are open now',
      sending(({ offeredTools: _offered, closedTools: _closed, ...request }) => request),
      ['an opened section is read, and its tool is called; nothing that was sent changes'],
    ],
    [
      'does not tell what it sends',
      sending((request) => ({ ...request, onSent: undefined })),
      ['each request of a conversation begins with the one before, after its record was read as well'],
    ],
    [
      'sends no more than the text of a result',
      sending((request) => ({
        ...request,
        messages: request.messages.map((message) =>
          message.role === 'tool' ? { ...message, content: message.content.slice(0, 5) } : message,
        ),
      })),
      ['a tool of a closed section is refused, and the model learns what to open'],
    ],
  ])(
    'an adapter that %s does not meet the contract',
    async (_name, change, expected) => {
      const ofConversations = /of a conversation|closed section|opened section|for a section/;
      const names = expected.every((name) => ofConversations.test(name)) ? ofConversations : undefined;
      expect(await failuresOf(change, names)).toEqual(expect.arrayContaining([...expected]));
    },
    LONG,
  );
});
