import { asSchema, generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import {
  type Application,
  ApprovalPendingError,
  createApplication,
  Param,
  Prompt,
  type RenderedPrompt,
  Section,
  Session,
  Tool,
  ToolContext,
  VisibilityExpansionRequired,
} from 'toolwright';
import { type AiTool, type AiToolOutput, type AiToolsOptions, toAiTools } from '@toolwright/ai-sdk';
import { ToolInvoked } from 'toolwright/events';
import { aiAnswers, type LoopCall } from './support/loops';
import { thrownBy } from '../../openai/spec/support/thrownBy';
import { silent } from '../../../spec/support/silent';

interface Desk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
  readonly events: ToolInvoked[];
  tools(options?: AiToolsOptions): Record<string, AiTool>;
}

async function openDesk(): Promise<Desk> {
  class TagParams {
    @Param({ description: 'Tags by name', record: String }) tags!: Record<string, string>;
    @Param('How many') count = 1;
  }
  @Section({ title: 'Tags', template: 'Tag things.' })
  class Tags {
    @Tool({
      description: 'Tag it.',
      examples: [{ description: 'One tag', input: { tags: { a: 'b' }, count: 2 }, output: null }],
    })
    tag({ tags, count }: TagParams): string {
      return `${Object.keys(tags).join()} ${String(count)}`;
    }

    @Tool('Fail.')
    fail(): string {
      throw Object.assign(new RangeError('The glue is dry.'), { stack: '/home/somebody/secret.ts:1' });
    }

    @Tool({ description: 'Send it.', requiresApproval: true })
    send(): string {
      return 'Sent.';
    }
  }
  @Section({ title: 'Manual', template: 'All of it.', summary: 'How it works.', visibility: 'summary' })
  class Manual {}
  @Prompt({ ns: 'ai', key: 'tags', sections: [Tags, Manual] })
  class TagDesk {}
  const approver = { approve: () => ({ kind: 'later' }) as const };
  const app = await createApplication({ prompts: [TagDesk], logger: silent, approver });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  const rendered = await app.prompt(TagDesk).render();
  return { app, rendered, events, tools: (options) => toAiTools(app, rendered, options) };
}

/** The result of generateText for a turn with these calls: the parts of its content, and the answers to the model. */
async function turn(tools: Record<string, AiTool>, calls: readonly LoopCall[], abortSignal?: AbortSignal) {
  const answers = aiAnswers(calls);
  const model = new MockLanguageModelV3({
    doGenerate: ({ abortSignal: signal }) => {
      signal?.throwIfAborted();
      return Promise.resolve(answers.shift() as (typeof answers)[number]);
    },
  });
  const options = abortSignal === undefined ? {} : { abortSignal };
  const { steps, text } = await generateText({
    model,
    tools,
    prompt: 'Go.',
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    ...options,
  });
  const told = model.doGenerateCalls[1]?.prompt.at(-1);
  return { text, content: steps[0]?.content ?? [], told: told?.role === 'tool' ? told.content : [] };
}

const call = (name: string, args = '{}'): LoopCall => ({ id: 'c', name, arguments: args });

describe('toAiTools', () => {
  test('toAiTools returns schemas that the AI SDK sends as they are: open objects stay open', async () => {
    const { rendered, tools } = await openDesk();
    const schema = asSchema(tools()['tag']?.inputSchema);
    expect(await schema.jsonSchema).toEqual(rendered.tool('tag')?.schema);
    expect(JSON.stringify(await schema.jsonSchema)).toContain('"additionalProperties":{"type":"string"}');
    expect(await schema.validate?.({ tags: 7 })).toEqual({ success: true, value: { tags: 7 } });
  });

  test('toAiTools passes examples by their wire names, and provider options of single tools', async () => {
    const { tools } = await openDesk();
    const { tag, fail } = tools({
      toolOptions: ({ name }) => (name === 'fail' ? { p: { deferLoading: true } } : undefined),
    });
    expect(tag?.inputExamples).toEqual([{ input: { tags: { a: 'b' }, count: 2 } }]);
    expect(tag).not.toHaveProperty('providerOptions');
    expect(fail?.providerOptions).toEqual({ p: { deferLoading: true } });
    expect(fail).not.toHaveProperty('inputExamples');
  });

  test('toAiTools writes schemas in the dialect that is asked for, strictly where it can say them so', async () => {
    const { tools } = await openDesk();
    const { tag, fail } = tools({ target: 'openai', strict: true });
    expect(fail?.strict).toBe(true);
    expect(tag).not.toHaveProperty('strict');
    expect(tools()['fail']).not.toHaveProperty('strict');
  });

  test('the model reads what a failure says; neither error nor stack goes to the loop', async () => {
    const { tools } = await openDesk();
    const { content, told } = await turn(tools(), [call('fail')]);
    const result = content.find(({ type }) => type === 'tool-result');
    expect(result).toMatchObject({ output: { success: false, kind: 'failed' } });
    expect(told).toEqual([
      expect.objectContaining({ output: { type: 'error-text', value: expect.any(String) as string } }),
    ]);
    expect(JSON.stringify(told)).toContain('The glue is dry.');
    expect(JSON.stringify(content)).not.toContain('somebody');
  });

  test('wrong arguments are reported by the application, malformed JSON and unknown tools by the AI SDK; the loop continues', async () => {
    const { tools, events } = await openDesk();
    const wrong = await turn(tools(), [call('tag', '{"tags":7}')]);
    expect(JSON.stringify(wrong.told)).toContain('tags');
    expect(events.map(({ kind }) => kind)).toEqual(['rejected']);
    for (const lost of [call('tag', '{"tags":'), call('untag')]) {
      const { text, told } = await turn(tools(), [lost]);
      expect(text).toBe('Done.');
      expect(JSON.stringify(told)).toContain('error-text');
    }
    expect(events).toHaveLength(1);
  });

  test('toModelOutput reads the output in the form of the AI SDK and in that of Mastra', async () => {
    const { tag, fail } = (await openDesk()).tools();
    const execution = { toolCallId: 'c' };
    const done = await tag!.execute({ tags: { a: 'b' } }, execution);
    const failed = await fail!.execute({}, execution);
    for (const passOn of [(output: AiToolOutput) => ({ output }), (output: AiToolOutput) => output]) {
      expect(tag!.toModelOutput(passOn(done))).toEqual({ type: 'text', value: 'a 1' });
      expect(fail!.toModelOutput(passOn(failed))).toEqual({ type: 'error-text', value: failed.text });
    }
    expect(failed.text).toContain('The glue is dry.');
  });

  test('arguments that are no object are reported to the model', async () => {
    const { tools, events } = await openDesk();
    const { told } = await turn(tools(), [call('tag', '["a"]')]);
    expect(JSON.stringify(told)).toContain('error-text');
    expect(events.map(({ kind }) => kind)).toEqual(['rejected']);
  });

  test.each([
    [
      'sections that the model wants open',
      'open_sections',
      '{"section_keys":["manual"],"reason":"x"}',
      VisibilityExpansionRequired,
    ],
    ['a call that waits for its approval', 'send', '{}', ApprovalPendingError],
  ])(
    '%s propagate unwrapped: the loop holds the error, and onLeave is called with it',
    async (_what, name, args, type) => {
      const { tools } = await openDesk();
      const heard: unknown[] = [];
      const { content, text } = await turn(tools({ onLeave: (error) => heard.push(error) }), [call(name, args)]);
      expect(heard).toHaveLength(1);
      expect(heard[0]).toBeInstanceOf(type);
      expect(content.find((part) => part.type === 'tool-error')?.error).toBe(heard[0]);
      // The AI SDK sends the model the error, and continues.
      expect(text).toBe('Done.');
    },
  );

  test('a loop that is aborted in onLeave ends with what left', async () => {
    const { tools } = await openDesk();
    const stop = new AbortController();
    const desk = tools({ onLeave: (error) => stop.abort(error) });
    const thrown: unknown = await turn(desk, [call('send')], stop.signal).catch((error: unknown) => error);
    expect(thrown instanceof ApprovalPendingError).toBe(true);
  });

  test('calls of later steps see what earlier ones did', async () => {
    class Counted {}
    @Section({ title: 'Count', template: 'Count.' })
    class Counting {
      @Tool('Count on.')
      count(context: ToolContext): string {
        context.session.dispatch(new Counted());
        return String(context.session.slice(Counted).all().length);
      }
    }
    @Prompt({ ns: 'ai', key: 'count', sections: [Counting] })
    class CountDesk {}
    const app = await createApplication({ prompts: [CountDesk] });
    const session = new Session();
    const tools = toAiTools(app, await app.prompt(CountDesk).render({ session }), { session });
    await turn(tools, [call('count')]);
    expect(JSON.stringify((await turn(tools, [call('count')])).told)).toContain('"2"');
    expect(session.slice(Counted).all()).toHaveLength(2);
  });

  test('toAiTools refuses what is no rendering with E722', async () => {
    const { app } = await openDesk();
    expect(thrownBy(() => toAiTools(app, {} as unknown as RenderedPrompt)).message).toMatch(/^E722 toAiTools: /);
  });
});
