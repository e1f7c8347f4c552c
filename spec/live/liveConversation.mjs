// The conversation of `node spec/live/live.mjs`: a call, an opening and a call of what it opened, the record as JSON before each further
// message, and a stream. Imported once the package is built.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, Param, Session, ToolResult } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { PrefixMeasured } from 'toolwright/events';

/** The most requests for each message. */
const turns = [4, 6, 4];
export const MOST_REQUESTS = turns.reduce((total, turn) => total + turn, 0);

class ArticleParams {}
Param({ description: 'Number of the article, e.g. A-1', type: String })(ArticleParams.prototype, 'sku');

const articleTool = (name, description, hints, answer) =>
  defineTool({
    name,
    description,
    hints,
    params: ArticleParams,
    handler: ({ sku }) => ToolResult.ok(null, answer(sku)),
  });

const stock = defineSection({
  key: 'stock',
  title: 'Stock',
  template:
    'Look an article up with in_stock before you say how many there are. Do what you are asked, and answer briefly.',
  tools: [articleTool('in_stock', 'How many of an article are in stock.', { readOnly: true }, (sku) => `${sku}: 4`)],
});
const returns = defineSection({
  key: 'returns',
  title: 'Returns',
  visibility: 'summary',
  summary: 'How articles are sent back.',
  template: 'Announce each return once, with announce_return.',
  tools: [articleTool('announce_return', 'Announce that an article comes back.', {}, (sku) => `${sku} may come back.`)],
});
const Desk = definePrompt({ ns: 'live', key: 'desk', sections: [stock, returns] });

const steps = [
  { say: 'How many of the article A-1 are in stock? Call in_stock.', calls: ['in_stock'] },
  {
    say: 'I want to send A-1 back. Open the section "returns" with open_sections, then call announce_return.',
    calls: ['open_sections', 'announce_return'],
  },
  { say: 'Say in one sentence what you have done for me. Call no tool.', calls: [], streams: true },
];

/** Holds the conversation; a failure of the provider is a failed check, and ends it. */
export async function liveConversation(adapter) {
  const usages = [];
  const aroundModel = async (_request, next) => {
    const response = await next();
    usages.push(response.usage);
    return response;
  };
  const nothing = () => undefined;
  const logger = { debug: nothing, info: (text) => console.log(`  ${text}`), warn: nothing, error: console.error };
  const app = await createApplication({ prompts: [Desk], interceptors: [{ aroundModel }], logger });
  const [requests, checks] = [[], []];
  let conversation = new Conversation();
  let streamed = 0;
  for (const [index, { say, calls, streams = false }] of steps.entries()) {
    const run = index + 1;
    const onEvent = (event) => {
      if (event instanceof PrefixMeasured)
        requests.push({ run, turn: event.turn, measured: event, usage: usages.at(-1) });
    };
    // As another process would read it: the record alone, and an empty session.
    if (index > 0) conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    const before = conversation.messages.length;
    const messages = [{ role: 'user', content: say }];
    const options = { adapter, conversation, session: new Session(), messages, maxTurns: turns[index], onEvent };
    try {
      const result = streams ? await stream(app, options) : { response: await app.evaluate(app.prompt(Desk), options) };
      streamed += result.parts ?? 0;
      checks.push(
        ...judge(run, { response: result.response, calls, made: callsIn(conversation.messages.slice(before)) }),
      );
    } catch (error) {
      checks.push({ what: `message ${run} is answered`, problem: problemOf(error) });
      break;
    }
  }
  checks.push({ what: 'the answer comes in parts', problem: streamed > 0 ? undefined : 'none came' });
  return { requests, streamed, checks: [...checks, ...prefixChecks(requests)] };
}

async function stream(app, options) {
  let parts = 0;
  for await (const event of app.stream(app.prompt(Desk), options)) {
    if (event.kind === 'text') parts++;
    if (event.kind === 'done') return { response: event.response, parts };
  }
  throw new Error('the stream ended without the answer');
}

function callsIn(messages) {
  return messages.flatMap((message) => (message.role === 'tool' && !message.failed ? [message.name] : []));
}

function judge(run, { response, calls, made }) {
  const isAnswered = (response.text ?? '') !== '' && response.finishReason === 'stop';
  const missing = calls.filter((name) => !made.includes(name));
  return [
    { what: `message ${run} is answered`, problem: isAnswered ? undefined : `finishReason ${response.finishReason}` },
    ...(calls.length === 0
      ? []
      : [
          {
            what: `message ${run} calls ${calls.join(', ')}`,
            problem: missing.length === 0 ? undefined : `no call of ${missing.join(', ')} succeeded`,
          },
        ]),
  ];
}

/** Every request but the first repeats the one before it, in this process and after the record was read again. */
function prefixChecks(requests) {
  const changed = requests.reduce((total, { measured }) => total + measured.changedBytes, 0);
  const bare = requests.slice(1).filter(({ measured }) => measured.keptBytes === 0).length;
  const misses = requests.flatMap(({ measured }) => measured.cacheMiss ?? []);
  return [
    {
      what: `prefix: ${requests.length} requests, ${changed} changed bytes`,
      problem: requests.length === 0 ? 'none was measured' : changed > 0 ? 'earlier entries were changed' : undefined,
    },
    { what: 'each request repeats the one before', problem: bare === 0 ? undefined : `${bare} repeat nothing` },
    {
      what: 'the provider reports no changed prefix',
      problem: misses.some((miss) => /changed|dropped/.test(miss)) ? misses.join('; ') : undefined,
    },
  ];
}

function problemOf(error) {
  const { code, message } = error;
  return [code, message].filter((part) => part !== undefined).join(' ');
}
