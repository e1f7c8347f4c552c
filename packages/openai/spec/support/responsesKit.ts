import OpenAI from 'openai';
import type { AdapterKit, ProviderTurn } from '@toolwright/contracts';
import { OpenAIResponsesAdapter } from '@toolwright/openai';
import { KEY } from './client';
import { typeOf } from './itemRules';
import { isJson, objects, type Json } from './json';
import { kitOf, playedIn, type PlayedWords } from './kitOf';
import type { ProviderDoor } from './ProviderDoor';
import { drop, ProviderDouble, raw, streamed } from './ProviderDouble';
import { callItem, eventsOf, reasoningItem, responseOf, saidItem } from './responses';
import { responsesWire } from './responsesWire';

type AnswerTurn = Extract<ProviderTurn, { kind: 'answer' }>;

/** The OpenAI Responses adapter with its true client, before a double on loopback that plays the script. */
export async function openResponsesKit(script: readonly ProviderTurn[]): Promise<AdapterKit> {
  const double = await ProviderDouble.speaking(responsesWire, ...script.map((turn) => playedIn(wording, turn)));
  return kitOf(double, responsesDoor.adapter(double.baseURL), ({ body }) => ({
    answers: responsesDoor.outputs(body),
    wantsForm: isJson(body['text']) && isJson(body['text']['format']),
  }));
}

export const responsesDoor: ProviderDoor = {
  wire: responsesWire,
  adapter: (baseURL) => {
    const client = new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0, logLevel: 'off' });
    return new OpenAIResponsesAdapter({ client, model: 'gpt-5-mini' });
  },
  whole: (turn) => responseOf(itemsOf(turn), restOf(turn)),
  events: (turn) => eventsOf(itemsOf(turn), restOf(turn)),
  outputs: (body) => outputsOf(body['input']),
};

/** The results of tools after the model's last message and calls. */
function outputsOf(input: unknown): readonly string[] {
  const items = objects(input).map(([, item]) => item);
  return items
    .slice(items.map(isOfModel).lastIndexOf(true) + 1)
    .flatMap((item) => (typeOf(item) === 'function_call_output' ? [String(item['output'])] : []));
}

function isOfModel(item: Json): boolean {
  return typeOf(item) === 'function_call' || item['role'] === 'assistant';
}

const wording: PlayedWords = {
  error: (message) => ({ error: { message: message } }),
  cut: (turn) => {
    const { text, call } = turn;
    // Up to the middle of the arguments: without the last half, its end, and that of the response.
    const events = eventsOf([saidItem(text), callItem(call.id, call.name, call.arguments)]).slice(0, -3);
    return ({ stream }) => (stream === true ? streamed(events, 'drop') : drop);
  },
  answer:
    (turn) =>
    ({ stream }) =>
      stream === true ? streamed(responsesDoor.events(turn)) : raw(200, JSON.stringify(responsesDoor.whole(turn))),
};

/** Each answer reasons, as the models of this API do. */
function itemsOf({ text, calls = [], stop }: AnswerTurn): readonly object[] {
  const refusal = { content: [{ type: 'refusal', refusal: text }] };
  return [
    reasoningItem('rs_1'),
    ...(text === undefined ? [] : [saidItem(text, stop === 'refusal' ? refusal : {})]),
    ...calls.map(({ id, name, arguments: args }) => callItem(id, name, args)),
  ];
}

function restOf({ stop, usage }: AnswerTurn): object {
  const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  return { ...(stop === 'length' ? cut : {}), ...(usage === undefined ? {} : { usage: writeUsage(usage) }) };
}

function writeUsage({ input, output, cached }: NonNullable<AnswerTurn['usage']>): object {
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: cached },
  };
}
