import { createApplication, definePrompt, defineSection, defineTool, Param, type ToolCall } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { HELD_MS, leastPause } from '../../support/hostPause';
import { silent } from '../../support/silent';
import { measureAround } from '../../support/attacks/around';

measureAround();

class Access {
  @Param({ description: 'A secret', secret: true }) token!: string;
  @Param({ description: 'A text', optional: true }) said?: string;
}

/** Results that hold the secret `abcd` very often. */
const results: Readonly<Record<string, unknown>> = {
  none: 'done',
  text: 'abcd '.repeat(80_000),
  address: 'abcd%20'.repeat(57_000),
  list: Array(20_000).fill('abcd of a list'),
  rows: Array.from({ length: 4_000 }, (_none, index) => ({ id: index, first: 'abcd', last: 'x abcd y' })),
};

async function desk(result: string, readOnly: boolean) {
  const handler = (): unknown => results[result];
  const get = defineTool({ name: 'get', description: 'Gets.', params: Access, hints: { readOnly }, handler });
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [get] })] });
  const app = await createApplication({ prompts: [Desk], logger: silent });
  const shown: string[] = [];
  app.eventBus.subscribe(ToolInvoked, ({ toolMessage, params }) => {
    shown.push(JSON.stringify([params, toolMessage]).slice(0, 1_000));
  });
  return { app, prompt: app.prompt(Desk), shown };
}

/** Calls that a model writes: the objects are new each time, since what is hidden in one is remembered with it. */
function callsOf(count: number, said: string | undefined): () => readonly ToolCall[] {
  const texts = Array.from({ length: count }, (_none, index) =>
    JSON.stringify({ token: 'abcd', ...(said === undefined ? {} : { said: `${said}${String(index)}` }) }),
  );
  return () => texts.map((text, index) => ({ id: `c${String(index)}`, name: 'get', arguments: text }));
}

/** Runs the calls as they are, kept in a conversation, or as a stream, and reads the transcript in a turn of its own. */
async function transcriptOf(
  how: string,
  { app, prompt }: Awaited<ReturnType<typeof desk>>,
  toolCalls: readonly ToolCall[],
) {
  const adapter = new ScriptedModel([{ toolCalls }, { text: 'done' }]);
  const options = { adapter, messages: [{ role: 'user' as const, content: 'Go.' }] };
  let response;
  if (how === 'a stream') {
    for await (const step of app.stream(prompt, options)) if (step.kind === 'done') ({ response } = step);
  } else
    response = await app.evaluate(prompt, how === 'a run' ? options : { ...options, conversation: new Conversation() });
  await new Promise((resolve) => setImmediate(resolve));
  return JSON.stringify(response?.transcript);
}

describe('the calls of one answer, each of which holds a short secret very often', () => {
  test.each([
    [10, 'none', 'a stream', true, 'abcd '.repeat(80_000)],
    [20, 'none', 'a run', true, 'abcd '.repeat(40_000)],
    [20, 'none', 'a conversation', false, 'abcd%20'.repeat(28_000)],
    [20, 'none', 'a stream', false, 'abcd%20'.repeat(28_000)],
    [10, 'text', 'a stream', true, undefined],
    [20, 'address', 'a run', false, undefined],
    [10, 'list', 'a run', true, undefined],
    [20, 'list', 'a stream', false, undefined],
    [10, 'rows', 'a conversation', true, undefined],
  ])('HOST-14i %i calls with results of %s, in %s, read-only %s', async (calls, result, how, readOnly, said) => {
    const here = await desk(result, readOnly);
    const make = callsOf(calls, said);
    let transcript = '';
    const pause = await leastPause(async () => {
      transcript = await transcriptOf(how, here, make());
    });
    expect(transcript).toContain('[secret]');
    expect(`${transcript}${here.shown.join()}`).not.toContain('abcd');
    expect(pause).toBeLessThanOrEqual(HELD_MS);
  });
});
