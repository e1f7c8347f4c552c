import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { McpClient, type McpServerError, type McpServerOptions, serveMcp } from '@toolwright/mcp';
import { digest } from '../../src/server/stateless/digest';
import { silent } from '../../../../spec/support/silent';
import { closeAll, closing } from '../support/serverKit';
import { accept, type Answer, answerQuestions, ask, call, stateless, textOf } from '../support/statelessKit';

afterEach(closeAll);

const KEY = 'a secret of at least thirty-two characters';
/** The codes of errors that handlers hide. */
const hidden: string[] = [];
const FORM = { type: 'object' as const, properties: { word: { type: 'string' as const } }, required: ['word'] };
class Noted {
  constructor(readonly word: string) {}
}

@Section({ title: 'Desk', template: 'A desk.' })
class DeskSection {
  @Tool('Ask three times.') async three(@Param('title', 'A title') title: string, context: ToolContext) {
    runs.push(context.call.idempotencyKey);
    const words: string[] = [];
    for (const step of ['first', 'second', 'third']) {
      context.session.dispatch(new Noted(step));
      const { action, content } = await clientOf(context).elicit(`The ${step} word?`, FORM);
      words.push(action === 'accept' ? String(content?.['word']) : action);
    }
    return `${title}: ${words.join(' ')} (${String(context.session.slice(Noted).all().length)})`;
  }
  @Tool({ description: 'Ask, then change the question.', hints: { idempotent: true } }) async fickle(
    context: ToolContext,
  ) {
    const { content } = await clientOf(context).elicit(`Question ${String(++fickle)}`, FORM, { key: 'word' });
    return String(content?.['word']);
  }
  @Tool({ description: 'Ask, and hide that it ended.', hints: { readOnly: true } }) async stubborn(
    context: ToolContext,
  ) {
    const asked = clientOf(context).elicit('A word?', FORM);
    await asked
      .catch((error: unknown) => {
        hidden.push((error as McpServerError).code);
        return clientOf(context).elicit('Another word?', FORM);
      })
      .catch(() => undefined);
    return 'Went on.';
  }
  @Tool({ description: 'Ask only when approved.', requiresApproval: true }) refund() {
    return 'Refunded.';
  }
  @Tool('Ask for two things.') async both(context: ToolContext) {
    const client = clientOf(context);
    const [one, other] = await Promise.all([
      client.elicit('One?', FORM, { key: 'one' }),
      client.elicit('Other?', FORM, { key: 'other' }),
    ]);
    return `${String(one.content?.['word'])} ${String(other.content?.['word'])}`;
  }
}
const runs: string[] = [];
let fickle = 0;

function clientOf(context: Pick<ToolContext, 'resources'>): McpClient {
  const client = McpClient.of(context);
  if (client === undefined) throw new Error('There is no MCP client.');
  return client;
}

@Prompt({ ns: 'test', key: 'desk', sections: [DeskSection] })
class Desk {}

@Prompt({ ns: 'test', key: 'annex', sections: [DeskSection] })
class Annex {}

interface Setting {
  readonly options?: McpServerOptions;
  readonly keys?: readonly string[];
  readonly prompt?: new () => object;
  readonly clock?: FakeClock;
  readonly warnings?: string[];
}

async function serving({
  options = {},
  keys = [KEY],
  prompt = Desk,
  clock,
  warnings = [],
}: Setting = {}): Promise<string> {
  const nothing = (): void => undefined;
  const app = await createApplication({
    prompts: [prompt],
    keys,
    ...(clock === undefined ? {} : { clock }),
    logger: { debug: nothing, info: nothing, warn: (text) => void warnings.push(text), error: nothing },
    approver: {
      approve: async (_request, context) => {
        const { action } = await clientOf(context).elicit('May it run?', { type: 'object', properties: {} });
        return action === 'accept' ? { kind: 'approved' } : { kind: 'denied', reason: 'The user said no.' };
      },
    },
  });
  return closing(serveMcp(app, app.prompt(prompt), options)).listen();
}

const three = (url: string, more: Record<string, unknown> = {}, title = 'Words'): Promise<Answer> =>
  call(url, 'three', { arguments: { title }, ...more });
const questionsOf = ({ result }: Answer): readonly string[] =>
  Object.values(result.inputRequests ?? {}).map(({ params }) => params.message);
const word = (text: string): object => accept({ word: text });

describe('MCP-16 a handler that asks', () => {
  test('MCP-16 each question ends and rolls back the call, which runs again in any process with all answers', async () => {
    const session = new Session();
    const options = { session: () => session };
    const urls = [await serving({ options }), await serving({ options }), await serving({ options })];
    runs.length = 0;
    let answer = await three(String(urls[0]));
    for (const [index, text] of ['red', 'green', 'blue'].entries()) {
      expect(questionsOf(answer)).toHaveLength(1);
      expect(session.slice(Noted).all()).toEqual([]);
      answer = await three(String(urls[(index + 1) % 3]), answerQuestions(answer, word(text)));
    }
    expect(textOf(answer)).toBe('Words: red green blue (3)');
    expect(answer.result.resultType).toBe('complete');
    expect(session.slice(Noted).all()).toHaveLength(3);
    expect(runs).toHaveLength(4);
    expect(new Set(runs).size).toBe(1);
  });

  test('MCP-16 a missing, malformed or unsuitable answer is asked for again, and an unknown one is ignored', async () => {
    const url = await serving();
    let answer = await three(url);
    const [key = ''] = Object.keys(answer.result.inputRequests ?? {});
    for (const responses of [
      undefined,
      {},
      { [key]: 7 },
      { [key]: { action: 'shrug' } },
      { [key]: accept({ word: 7 }) },
      { [key]: accept() },
      { other: word('red') },
    ]) {
      answer = await three(url, { inputResponses: responses, requestState: answer.result.requestState });
      expect(questionsOf(answer)).toEqual(['The first word?']);
    }
    const inputResponses = { [key]: word('red'), other: word('blue'), __proto__: word('none') };
    answer = await three(url, { inputResponses, requestState: answer.result.requestState });
    expect(questionsOf(answer)).toEqual(['The second word?']);
  });

  test('MCP-16 a refusal of the user is an answer', async () => {
    const url = await serving();
    let answer = await three(url);
    for (const action of ['decline', 'cancel', 'decline'])
      answer = await three(url, answerQuestions(answer, { action }));
    expect(textOf(answer)).toBe('Words: decline cancel decline (3)');
  });

  test('MCP-16 questions that are asked together are sent together, and may be answered one by one', async () => {
    const url = await serving();
    const first = await call(url, 'both');
    expect(questionsOf(first)).toEqual(['One?', 'Other?']);
    const second = await call(url, 'both', {
      inputResponses: { one: word('red') },
      requestState: first.result.requestState,
    });
    expect(questionsOf(second)).toEqual(['Other?']);
    expect(textOf(await call(url, 'both', answerQuestions(second, word('blue'))))).toBe('red blue');
  });

  test('MCP-16 an answer counts for its question only: one that has changed is asked again', async () => {
    const url = await serving();
    const first = await call(url, 'fickle');
    const second = await call(url, 'fickle', answerQuestions(first, word('red')));
    // The key is the same, so the answer of this round counts; one that was kept would not.
    expect(textOf(second)).toBe('red');
  });

  test('MCP-16 a handler that hides that it was ended ends all the same', async () => {
    const url = await serving();
    const answer = await call(url, 'stubborn');
    expect([answer.result.resultType, questionsOf(answer)]).toEqual(['input_required', ['A word?']]);
    expect(hidden).toEqual(['E697']);
  });

  test('MCP-16 the approver asks the user in the same way, before the handler runs', async () => {
    const warnings: string[] = [];
    const url = await serving({ warnings });
    const answer = await call(url, 'refund');
    expect(questionsOf(answer)).toEqual(['May it run?']);
    expect(textOf(await call(url, 'refund', answerQuestions(answer, accept())))).toBe('Refunded.');
    const again = await call(url, 'refund');
    const { result } = await call(url, 'refund', answerQuestions(again, { action: 'decline' }));
    expect(result.isError).toBe(true);
    expect(result.content?.[0]?.text).toContain('The user said no.');
    expect(warnings).toEqual([]);
  });

  test('MCP-16 a handler that may have effects elsewhere before it asks is warned of once', async () => {
    const warnings: string[] = [];
    const url = await serving({ warnings });
    await three(url);
    await three(url);
    await call(url, 'fickle');
    await call(url, 'stubborn');
    expect(warnings).toEqual([expect.stringContaining('MCP: the handler of three asked its client')]);
  });

  test('MCP-16 a client without the capability gets -32021, and nothing is done', async () => {
    const url = await serving();
    const refused = await call(url, 'three', { arguments: { title: 'Words' } }, { capabilities: { sampling: {} } });
    expect([refused.status, refused.error.code]).toEqual([400, -32021]);
  });

  test('MCP-16 a client that never answers keeps nothing in the server, and may answer until its time is over', async () => {
    const clock = new FakeClock();
    const url = await serving({ clock, options: { stateMs: 1_000 } });
    const answer = await three(url);
    for (let time = 0; time < 50; time++) await three(url);
    clock.advance(999);
    expect(questionsOf(await three(url, answerQuestions(answer, word('red'))))).toEqual(['The second word?']);
  });
});

describe('MCP-17 requestState of strangers', () => {
  const refusal = (answer: Answer): readonly unknown[] => [answer.status, answer.error.code, answer.error.data?.code];
  const REFUSED = [200, -32602, 'E696'];

  test('MCP-17 a state is refused that is forged or changed in any place', async () => {
    const url = await serving();
    const answer = await three(url);
    const { requestState = '' } = answer.result;
    const send = (state: unknown) => three(url, { ...answerQuestions(answer, word('red')), requestState: state });
    const forged = Buffer.from(JSON.stringify({ id: '1', until: 9e15, runId: 'r', answers: {} })).toString('base64url');
    for (const state of [
      '',
      'tw1.',
      `tw1.${forged}`,
      forged,
      `${requestState}A`,
      `${requestState}\n`,
      ` ${requestState}`,
      null,
      7,
      { tw1: requestState },
      [requestState],
    ])
      expect([state, ...refusal(await send(state))]).toEqual([state, ...REFUSED]);
    for (let index = 4; index < requestState.length; index += 17) {
      const other = requestState[index] === 'A' ? 'B' : 'A';
      const changed = `${requestState.slice(0, index)}${other}${requestState.slice(index + 1)}`;
      expect([index, ...refusal(await send(changed))]).toEqual([index, ...REFUSED]);
    }
    expect((await send('x'.repeat(3_000_000))).error.code).toBe(-32602);
    expect(questionsOf(await send(requestState))).toEqual(['The second word?']);
  });

  test('MCP-17 a state that is not a text is refused over other transports in the same way', async () => {
    const app = await createApplication({ prompts: [Desk], keys: [KEY], logger: silent });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await closing(serveMcp(app, app.prompt(Desk))).connect(far);
    const heard = new Promise<unknown>((resolve) => (near.onmessage = resolve));
    await near.start();
    const params = { name: 'three', arguments: { title: 'Words' }, requestState: 7 };
    await near.send(JSON.parse(stateless('tools/call', { params }).body) as JSONRPCMessage);
    expect(await heard).toMatchObject({ error: { code: -32602, data: { code: 'E696' } } });
  });

  test('MCP-17 a state is refused after its time', async () => {
    const clock = new FakeClock();
    const url = await serving({ clock, options: { stateMs: 1_000 } });
    const answer = await three(url);
    clock.advance(1_001);
    expect(refusal(await three(url, answerQuestions(answer, word('red'))))).toEqual(REFUSED);
  });

  test('MCP-17 a state is used once, in one process and with a store in all', async () => {
    const used = new Set<string>();
    const stateStore = { use: (id: string) => Promise.resolve(used.size < used.add(id).size) };
    const [one, other] = [await serving({ options: { stateStore } }), await serving({ options: { stateStore } })];
    const answer = await three(one);
    const params = answerQuestions(answer, word('red'));
    const [first, second] = await Promise.all([three(one, params), three(other, params)]);
    const refused = [first, second].filter((each) => JSON.stringify(each).includes('E696'));
    expect(refused.map(refusal)).toEqual([REFUSED]);
    expect(refusal(await three(one, params))).toEqual(REFUSED);
    const alone = await serving();
    const kept = answerQuestions(await three(alone), word('red'));
    expect(questionsOf(await three(alone, kept))).toHaveLength(1);
    expect(refusal(await three(alone, kept))).toEqual(REFUSED);
  });

  test('MCP-17 a state is used once by all servers of a process, without a store', async () => {
    const urls = [await serving(), await serving(), await serving()];
    const params = answerQuestions(await three(String(urls[0])), word('red'));
    const answers = await Promise.all(urls.map((url) => three(url, params)));
    const refused = answers.filter((each) => JSON.stringify(each).includes('E696'));
    expect(refused.map(refusal)).toEqual([REFUSED, REFUSED]);
  });

  test('MCP-17 a state is refused by a server of another prompt with the same key and the same tools', async () => {
    const [desk, annex] = [await serving(), await serving({ prompt: Annex })];
    const params = answerQuestions(await three(desk), word('red'));
    expect(refusal(await three(annex, params))).toEqual(REFUSED);
    expect(questionsOf(await three(desk, params))).toEqual(['The second word?']);
  });

  test('MCP-17 arguments that JSON writes alike, such as null and 1e999, have digests of their own', () => {
    const texts = ['null', '1e999', '-1e999', '"Infinity"', '{"number":"Infinity"}', '0', '-0'];
    const digests = texts.map((text) => digest({ title: JSON.parse(text) as unknown }));
    expect(new Set(digests).size).toBe(texts.length);
  });

  test('MCP-17 a state is refused for another principal, tool, method or arguments, and by a server of another key', async () => {
    const options = {
      http: { principal: ({ headers }: { headers: Readonly<Record<string, string>> }) => headers['x-user'] },
    };
    const url = await serving({ options });
    const as = (user: string) => ({ headers: { 'x-user': user } });
    const begin = () => call(url, 'three', { arguments: { title: 'Words' } }, as('ada'));
    const params = async () => answerQuestions(await begin(), word('red'));
    const title = { title: 'Words' };
    expect(refusal(await call(url, 'three', { ...(await params()), arguments: title }, as('eve')))).toEqual(REFUSED);
    expect(refusal(await call(url, 'three', { ...(await params()), arguments: title }))).toEqual(REFUSED);
    expect(refusal(await call(url, 'both', { ...(await params()), arguments: title }, as('ada')))).toEqual(REFUSED);
    expect(
      refusal(await call(url, 'three', { ...(await params()), arguments: { title: 'Others' } }, as('ada'))),
    ).toEqual(REFUSED);
    const read = { params: { ...(await params()), uri: 'toolwright://test/desk' }, ...as('ada') };
    expect(refusal(await ask(url, 'resources/read', read))).toEqual(REFUSED);
    const elsewhere = await serving({ options, keys: ['another secret of at least thirty-two characters'] });
    expect(refusal(await call(elsewhere, 'three', { ...(await params()), arguments: title }, as('ada')))).toEqual(
      REFUSED,
    );
    const rotated = await serving({ options, keys: ['another secret of at least thirty-two characters', KEY] });
    expect(
      questionsOf(await call(rotated, 'three', { ...(await params()), arguments: title }, as('ada'))),
    ).toHaveLength(1);
  });

  test('MCP-17 a client can read neither answers nor ids in its state, and cannot let it grow without end', async () => {
    const url = await serving();
    const answer = await three(url, answerQuestions(await three(url), word('a secret word')));
    const state = answer.result.requestState ?? '';
    expect(Buffer.from(state.slice(4), 'base64url').toString('latin1')).not.toMatch(/secret|word|answers/);
    const grown = await three(url, answerQuestions(await three(url), word('x'.repeat(1_000_000))));
    expect(grown.error.code).toBe(-32602);
  });
});
