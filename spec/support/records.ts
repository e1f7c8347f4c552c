import {
  type Application,
  createApplication,
  definePrompt,
  type ModelAdapter,
  Param,
  Section,
  Session,
  Tool,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { type AiLanguageModel, AiSdkAdapter } from '@toolwright/ai-sdk';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { OpenAIChatAdapter, OpenAIResponsesAdapter } from '@toolwright/openai';
import { clientOver as anthropicOver, message } from '../../packages/anthropic/spec/support/client';
import { clientOver as openAiOver, json } from '../../packages/openai/spec/support/client';
import type { Json } from '../../packages/openai/spec/support/json';
import { callItem, reasoningItem, responseOf, saidItem } from '../../packages/openai/spec/support/responses';
import { silent } from './silent';

class Lookup {
  @Param({ description: 'The id of an order.', pattern: /^#\d+$/ }) orderId!: string;
  @Param({ description: 'How much to show.', enum: ['little', 'all'], optional: true }) detail?: string;
  @Param({ description: 'The most lines.', type: Number, min: 1, max: 50, optional: true }) lines?: number;
}

@Section({ key: 'orders', title: 'Orders', template: 'Help with orders.' })
class Orders {
  @Tool('Looks an order up.')
  lookUp({ orderId }: Lookup): string {
    return `${orderId} is on its way.`;
  }

  @Tool({ description: 'Cancels an order.', requiresApproval: true })
  cancel(@Param('order_id', 'The id of the order.') orderId: string): string {
    return `${orderId} is cancelled.`;
  }
}

@Section({
  key: 'returns',
  title: 'Returns',
  template: 'Returns are free.',
  summary: 'About returns.',
  visibility: 'summary',
})
class Returns {
  @Tool('Begins a return.')
  beginReturn(params: Lookup): string {
    return `${params.orderId} comes back.`;
  }
}

const RecordDesk = definePrompt({ ns: 'spec', key: 'records', heading: 'plain', sections: [Orders, Returns] });

/** One answer of a model: a thought, then calls or a text. */
export interface Said {
  readonly text?: string;
  readonly call?: readonly [id: string, name: string, args: Json];
}

/** Settings of an adapter that shape the tools which it sends. */
export interface Shaping {
  readonly strict?: boolean;
  readonly defers?: boolean;
  readonly inputExamples?: boolean;
}

/** An API, and how a model behind it answers. */
export interface Api {
  readonly name: string;
  readonly adapter: (answer: (body: Json) => Said, shaping: Shaping) => ModelAdapter;
  /** The parts of a request that later ones repeat: tools, then everything before the messages, then those. */
  readonly parts: (body: Json) => { readonly fixed: unknown; readonly messages: readonly unknown[] };
}

const openAiParts = ({ tools, messages, input }: Json) => ({
  fixed: tools,
  messages: (messages ?? input) as unknown[],
});

export const APIS: readonly Api[] = [
  {
    name: 'anthropic',
    adapter: (answer, { strict, defers, inputExamples }) =>
      new AnthropicAdapter({
        model: 'claude-opus-5-5',
        cache: false,
        strict,
        inputExamples,
        ...(defers === true ? { deferTools: () => true } : {}),
        client: anthropicOver((body) => json(anthropicMessage(answer(body as Json)))),
      }),
    parts: ({ tools, system, messages }) => ({ fixed: { tools, system }, messages: messages as unknown[] }),
  },
  {
    name: 'responses',
    adapter: (answer, { strict, defers }) =>
      new OpenAIResponsesAdapter({
        model: 'gpt-5.6',
        strict,
        ...(defers === true ? { deferTools: () => true } : {}),
        client: openAiOver((body) => json(response(answer(body as Json)))),
      }),
    parts: openAiParts,
  },
  {
    name: 'chat',
    adapter: (answer, { strict }) =>
      new OpenAIChatAdapter({
        model: 'gpt-5-mini',
        strict,
        client: openAiOver((body) => json(completion(answer(body as Json)))),
      }),
    parts: openAiParts,
  },
  {
    name: 'ai-sdk',
    adapter: (answer, { strict, defers, inputExamples }) =>
      new AiSdkAdapter({
        model: modelOf(answer),
        strict,
        inputExamples,
        cache: false,
        ...(defers === true ? { toolOptions: () => ({ anthropic: { deferLoading: true } }) } : {}),
      }),
    parts: ({ tools, prompt }) => ({ fixed: tools, messages: prompt as unknown[] }),
  },
];

function anthropicMessage({ text, call }: Said): unknown {
  const thought = { type: 'thinking', thinking: 'Let me see.', signature: 'signed' };
  if (call === undefined) return message([thought, { type: 'text', text }]);
  const [id, name, input] = call;
  return message([thought, { type: 'tool_use', id, name, input }], { stop_reason: 'tool_use' });
}

function response({ text = '', call }: Said): unknown {
  const rest = call === undefined ? saidItem(text) : callItem(call[0], call[1], JSON.stringify(call[2]));
  return responseOf([reasoningItem('rs_1'), rest]);
}

function completion({ text, call }: Said): unknown {
  const calls =
    call === undefined
      ? undefined
      : [{ id: call[0], type: 'function', function: { name: call[1], arguments: JSON.stringify(call[2]) } }];
  const said = {
    role: 'assistant',
    content: text ?? null,
    refusal: null,
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
  return { choices: [{ index: 0, message: said, finish_reason: calls === undefined ? 'stop' : 'tool_calls' }] };
}

function modelOf(answer: (body: Json) => Said): AiLanguageModel {
  const answered = (body: Json): unknown => {
    const { text, call } = answer(body);
    const rest =
      call === undefined
        ? { type: 'text', text }
        : { type: 'tool-call', toolCallId: call[0], toolName: call[1], input: JSON.stringify(call[2]) };
    const thought = {
      type: 'reasoning',
      text: 'Let me see.',
      providerMetadata: { anthropic: { signature: 'signed' } },
    };
    const finishReason = { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined };
    const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
    return {
      content: [thought, rest],
      finishReason,
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
    };
  };
  return {
    ...{ specificationVersion: 'v4', provider: 'anthropic.messages', modelId: 'claude-opus-5-5', supportedUrls: {} },
    doGenerate: async (call) => answered(call as unknown as Json),
    doStream: () => Promise.reject(new TypeError('not streamed')),
  };
}

/** The beginning of the conversation: a call, an opening, a call of the opened section, an answer. */
const FIRST: readonly Said[] = [
  { call: ['c1', 'look_up', { order_id: '#1' }] },
  { call: ['c2', 'open_sections', { section_keys: ['returns'], reason: 'to return it' }] },
  { call: ['c3', 'begin_return', { order_id: '#1', detail: 'all' }] },
  { text: 'It comes back.' },
];

/** A conversation over one of the APIs, and the requests that were sent. */
export class RecordedTalk {
  readonly bodies: Json[] = [];
  readonly #api: Api;
  readonly #app: Application;
  readonly conversation: Conversation;

  private constructor(api: Api, app: Application, conversation: Conversation) {
    this.#api = api;
    this.#app = app;
    this.conversation = conversation;
  }

  /** Opens a conversation: a new one, or one that was recorded. */
  static async open(api: Api, record?: unknown): Promise<RecordedTalk> {
    const app = await createApplication({ prompts: [RecordDesk], logger: silent });
    const conversation = record === undefined ? new Conversation({ id: 'kept' }) : Conversation.fromJSON(record);
    return new RecordedTalk(api, app, conversation);
  }

  /** Lets the model say these things in turn, in answer to the user. */
  async say(content: string, said: readonly Said[], shaping: Shaping = {}): Promise<void> {
    let next = 0;
    const answer = (body: Json): Said => {
      this.bodies.push(JSON.parse(JSON.stringify(body)) as Json);
      const one = said[next++];
      if (one === undefined) throw new RangeError('the script has ended');
      return one;
    };
    await this.#app.evaluate(this.#app.prompt(RecordDesk), {
      adapter: this.#api.adapter(answer, shaping),
      session: new Session(),
      conversation: this.conversation,
      messages: [{ role: 'user', content }],
    });
  }

  /** Begins as each recorded conversation does. */
  begin(shaping: Shaping = {}): Promise<void> {
    return this.say('Where is #1? I want to return it.', FIRST, shaping);
  }

  /** The record, as a file keeps it. */
  get record(): Json {
    return JSON.parse(JSON.stringify(this.conversation)) as Json;
  }
}
