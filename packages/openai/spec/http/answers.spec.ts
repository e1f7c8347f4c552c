import { createApplication, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { answer, raw } from '../support/ProviderDouble';
import { provider, stopAll } from '../support/overHttp';
import { rejectionOf } from '../support/thrownBy';

afterEach(stopAll);

/** An application with one tool that leaves a trace. */
async function desk() {
  class Ran {
    constructor(readonly callId: string) {}
  }
  @Section({ title: 'Desk', template: 'Work.' })
  class Work {
    @Tool('Do it.')
    act(context: ToolContext) {
      context.session.dispatch(new Ran(context.call.id));
      return 'done';
    }
  }
  @Prompt({ ns: 'a', key: 'desk', sections: [Work] })
  class Desk {}
  const app = await createApplication({ prompts: [Desk] });
  const session = new Session();
  return { app, prompt: app.prompt(Desk), session, runs: () => session.slice(Ran).all() };
}

describe('ADPT-06: answers of the provider, over HTTP', () => {
  test('a refusal is the text of the run', async () => {
    const { app, prompt, session } = await desk();
    const { adapter } = await provider(
      answer({ content: '' }, (said) => ({
        ...said,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, refusal: 'I cannot do that.' },
            finish_reason: 'stop',
          },
        ],
      })),
    );
    expect(await app.evaluate(prompt, { adapter, session })).toMatchObject({
      text: 'I cannot do that.',
      finishReason: 'refusal',
      turns: 1,
    });
  });

  test('an answer cut short in its text is returned as it is', async () => {
    const { app, prompt, session } = await desk();
    const { adapter } = await provider(answer({ content: 'It was a dark and', finishReason: 'length' }));
    expect(await app.evaluate(prompt, { adapter, session })).toMatchObject({
      text: 'It was a dark and',
      finishReason: 'length',
    });
  });

  test('an answer cut short in its calls runs none of them', async () => {
    const { app, prompt, session, runs } = await desk();
    const toolCalls = [
      { id: 'whole', name: 'act', arguments: '{}' },
      { id: 'partial', name: 'act', arguments: '{"x' },
    ];
    const { adapter } = await provider(answer({ toolCalls, finishReason: 'length' }));
    const error = await rejectionOf(app.evaluate(prompt, { adapter, session }));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
    expect(error.message).toContain('openai-chat:gpt-5-mini was cut short in the middle of its tool calls');
    expect(runs()).toEqual([]);
  });

  test('text and calls come together; the text stays in the transcript', async () => {
    const { app, prompt, session, runs } = await desk();
    const { adapter } = await provider(
      answer({ content: 'Doing it.', toolCalls: [{ id: 'a', name: 'act', arguments: '{}' }] }),
      answer({ content: 'Done.' }),
    );
    const { transcript } = await app.evaluate(prompt, { adapter, session });
    expect(transcript[1]).toMatchObject({ role: 'assistant', content: 'Doing it.', toolCalls: [{ id: 'a' }] });
    expect(runs()).toHaveLength(1);
  });

  test.each([
    ['no choices', (said: object) => ({ ...said, choices: [] }), 'answered without any choice: {"id":"chatcmpl-'],
    [
      'no message',
      (said: object) => ({ ...said, choices: [{ index: 0 }] }),
      'answered a choice without a message: {"index":0}',
    ],
    [
      'an error with status 200',
      () => ({ error: { message: 'overloaded' } }),
      'did not answer with a chat completion: {"error":{"message":"overloaded"}}',
    ],
    [
      'ADPT-04: a call with an empty name',
      (said: object) => ({
        ...said,
        choices: [
          {
            message: {
              content: null,
              tool_calls: [{ id: 'a', type: 'function', function: { name: '', arguments: '{}' } }],
            },
          },
        ],
      }),
      'answered a tool call 0 without the name of a tool',
    ],
  ])('a run stops at an answer with %s, and says what came', async (_name, tamper, problem) => {
    const { app, prompt, session, runs } = await desk();
    const { adapter } = await provider(answer({ content: 'x' }, tamper));
    const error = await rejectionOf(app.evaluate(prompt, { adapter, session }));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
    expect(error.message).toContain(`openai-chat:gpt-5-mini ${problem}`);
    expect(runs()).toEqual([]);
  });

  test('a body that is cut off, and a page of a gateway', async () => {
    const { app, prompt, session } = await desk();
    const { adapter } = await provider(
      raw(200, '{"choices":[{"mess'),
      raw(200, '<html>', { 'content-type': 'text/html' }),
    );
    const cutOff = await rejectionOf(app.evaluate(prompt, { adapter, session }));
    expect(cutOff).toMatchObject({ phase: 'response', code: 'E702' });
    const page = await rejectionOf(app.evaluate(prompt, { adapter, session }));
    expect(page).toMatchObject({ phase: 'response', code: 'E702' });
  });
});
