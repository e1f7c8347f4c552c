import {
  Budget,
  BudgetTracker,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type ModelRequest,
  type PromptResponse,
  Session,
} from 'toolwright';
import type { TokenEstimator } from 'toolwright/adapters';
import { Conversation, VisibilityOverrides } from 'toolwright/conversations';
import { ScriptedModel, type ScriptedTurn, type ScriptStep } from 'toolwright/testing';
import { SectionsRequested, ToolInvoked } from 'toolwright/events';
import { logOf, reopened } from '../support/reopened';
import { silent } from '../support/silent';

/** As many tokens as there are in the body of a section or the description of a tool: `7 tokens`. */
const written: TokenEstimator = (text) =>
  [...text.matchAll(/(\d+) tokens/g)].reduce((sum, [, tokens]) => sum + Number(tokens), 0);
const closed = (key: string, template: string, tools: readonly Constructor[] = []): Constructor =>
  defineSection({ key, title: key.toUpperCase(), summary: 'Short.', visibility: 'summary', template, tools });
const opening = (...keys: readonly string[]): ScriptedTurn => ({
  toolCalls: [{ name: 'open_sections', arguments: { section_keys: keys, reason: 'to work' } }],
  usage: { inputTokens: 90, outputTokens: 10 },
});
const done: ScriptStep = { text: 'Done.', usage: { inputTokens: 95, outputTokens: 5 } };

async function desk(tokenEstimator: TokenEstimator = written) {
  const tool = defineTool({ name: 'tb', description: '30 tokens.', handler: () => 'done' });
  const sections = [closed('b', '100 tokens.', [tool]), closed('d', '20 tokens.')];
  const type = definePrompt({ ns: 'n', key: 'k', heading: 'plain', sections });
  const app = await createApplication({ prompts: [type], tokenEstimator, logger: silent });
  const session = new Session();
  const events: object[] = [];
  const run = async (
    script: readonly ScriptStep[],
    options: Partial<EvaluateOptions>,
  ): Promise<{ readonly response: PromptResponse; readonly answers: readonly string[] }> => {
    const adapter = new ScriptedModel(script);
    const onEvent = (event: object): unknown => events.push(event);
    const response = await app.evaluate(app.prompt(type), { adapter, session, onEvent, ...options });
    const last = adapter.requests.at(-1);
    return { response, answers: last === undefined ? [] : answersIn(last) };
  };
  const open = (): readonly string[] => Object.keys(session.slice(VisibilityOverrides).latest()?.overrides ?? {});
  return { run, open, events, session };
}
const answersIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

describe('an opening within the token budget', () => {
  test.each([
    ['total', new Budget({ maxTotalTokens: 229 }), 'the 129 that are left'],
    ['input', new Budget({ maxInputTokens: 219 }), 'the 129 that are left'],
  ])('an opening is refused when it would exceed the %s, with estimates', async (_what, budget, left) => {
    const { run, open, events } = await desk();
    const { response, answers } = await run([opening('b', 'd'), done], { budget });
    expect(response.text).toBe('Done.');
    expect(open()).toEqual([]);
    expect(answers[0]).toContain('Nothing was opened: the tokens of b (about 130), d (about 20) are more than');
    expect(answers[0]).toContain(left);
    expect(answers[0]).toContain('such as d alone');
    expect(events.find((event) => event instanceof ToolInvoked)).toMatchObject({
      kind: 'denied',
      result: { success: false },
    });
  });

  test('an opening may spend what is left to the last token', async () => {
    const { run, open } = await desk();
    await run([opening('b'), done], { budget: new Budget({ maxTotalTokens: 230, maxInputTokens: 220 }) });
    expect(open()).toEqual(['b']);
  });

  test('an opening is refused with nothing to choose when no section fits', async () => {
    const { run, open } = await desk();
    const { answers } = await run([opening('b', 'd'), done], { budget: new Budget({ maxTotalTokens: 110 }) });
    expect(answers[0]).toContain("10 that are left of this run's 110. Go on with the summaries.");
    expect(open()).toEqual([]);
  });

  test('an opening counts what all runs of a tracker have used, and does not count output tokens', async () => {
    const { run, open } = await desk();
    const budget = new BudgetTracker(new Budget({ maxTotalTokens: 300, maxOutputTokens: 10 }));
    budget.record('another run', { totalTokens: 80 });
    await run([opening('b'), opening('d'), done], { budget });
    expect(open()).toEqual(['d']);
  });

  test('an opening within the token budget goes by the estimate alone if the provider reports no usage', async () => {
    const { run, open } = await desk();
    const silentOpening = { ...opening('b'), usage: undefined };
    await run([silentOpening, done], { budget: new Budget({ maxTotalTokens: 129 }) });
    expect(open()).toEqual([]);
    await run([silentOpening, done], { budget: new Budget({ maxTotalTokens: 130 }) });
    expect(open()).toEqual(['b']);
  });

  test('an opening within the token budget stays closed when its cost cannot be estimated', async () => {
    const { run, open } = await desk(() => NaN);
    const { answers } = await run([opening('b'), done], { budget: new Budget({ maxTotalTokens: 1_000_000 }) });
    expect(answers[0]).toContain('Nothing was opened: b cannot be shown in full now.');
    expect(open()).toEqual([]);
  });

  test('SectionsRequested holds the estimate, of what was opened and of what was refused', async () => {
    const { run, events } = await desk();
    await run([opening('b', 'd'), opening('d'), done], { budget: new Budget({ maxTotalTokens: 229 }) });
    expect(events.filter((event) => event instanceof SectionsRequested)).toMatchObject([
      {
        costs: [
          { path: 'b', content: 100, tools: 30, total: 130 },
          { path: 'd', content: 20, tools: 0, total: 20 },
        ],
      },
      { costs: [{ path: 'd', total: 20 }] },
    ]);
    const opened = events.flatMap((event) => (event instanceof ToolInvoked ? [event.expansion?.sections] : []));
    expect(opened).toEqual([undefined, ['d']]);
  });

  test('a refused opening is refused again, and one that was granted is granted again, in a run that is continued', async () => {
    const script = [opening('b', 'd'), opening('d'), opening('b'), done];
    const budget = new Budget({ maxTotalTokens: 229 });
    const whole = await desk();
    const conversation = new Conversation();
    const { response: expected } = await whole.run(script, { conversation, budget });
    expect(whole.open()).toEqual(['d']);
    const entries = logOf(conversation);
    const begins = entries.findIndex(({ kind }) => kind === 'run') + 1;
    for (let length = begins; length < entries.length; length++) {
      const again = await desk();
      const answered = entries.slice(0, length).filter(({ kind }) => kind === 'answer').length;
      const { response } = await again.run(script.slice(answered), {
        conversation: reopened(conversation, length),
        budget,
      });
      const texts = ({ transcript }: PromptResponse) => transcript.map(({ role, content }) => [role, content]);
      expect(texts(response)).toEqual(texts(expected));
      expect(again.open()).toEqual(['d']);
    }
  });
});
