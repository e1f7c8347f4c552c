import fc from 'fast-check';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolwrightError } from 'toolwright';
import { type AiLanguageModel, AiSdkAdapter, toAiTools } from '@toolwright/ai-sdk';
import { toAnthropicTools } from '@toolwright/anthropic';
import { toOpenAiTools } from '@toolwright/openai';
import { requestOf } from '../../openai/spec/support/client';
import { silent } from '../../../spec/support/silent';

const words = fc.constantFrom(
  ...['text', 'tool-call', 'tool-result', 'reasoning', 'file', 'source', 'custom', 'finish', 'error', 'raw', 'stop'],
  ...[
    'text-start',
    'text-delta',
    'text-end',
    'reasoning-start',
    'reasoning-delta',
    'tool-input-start',
    '__proto__',
    '',
  ],
);
const value = fc.oneof(words, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.constant(Number.NaN));

/** A part that has the fields of parts, with anything in them. */
const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        type: words,
        id: value,
        text: value,
        delta: value,
        toolName: value,
        toolCallId: value,
        input: value,
        providerMetadata: value,
        providerExecuted: fc.boolean(),
        error: value,
        finishReason: value,
        usage: value,
        data: value,
        result: value,
      },
      { requiredKeys: ['type'] },
    ),
  },
  { weight: 1, arbitrary: value },
);

function adapterOver(given: { readonly generated?: unknown; readonly streamed?: unknown }): AiSdkAdapter {
  const model: AiLanguageModel = {
    specificationVersion: 'v3',
    provider: 'p',
    modelId: 'm',
    doGenerate: () => Promise.resolve(given.generated),
    doStream: () => Promise.resolve(given.streamed),
  };
  return new AiSdkAdapter({ model });
}

/** Whatever a model answers is an answer, or one of our errors. */
async function isTold(read: () => Promise<unknown>): Promise<void> {
  try {
    expect(JSON.stringify(await read())).toMatch(/./);
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error;
  }
}

describe('whatever a model of the AI SDK answers', () => {
  test('an answer in one piece is read, or reported as one of our errors, and sent back', async () => {
    const content = fc.oneof(fc.array(part, { maxLength: 5 }), value);
    await fc.assert(
      fc.asyncProperty(content, value, value, (parts, finishReason, usage) =>
        isTold(async () => {
          const generated = { content: parts, finishReason, usage };
          const { text, toolCalls, native } = await adapterOver({ generated }).complete(requestOf([]));
          const said = { role: 'assistant', content: text, toolCalls, native } as const;
          const again = { content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop' };
          return adapterOver({ generated: again }).complete(requestOf([said]));
        }),
      ),
      { numRuns: 300 },
    );
  });

  test('an answer in a stream: a response is returned only at its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), (parts) =>
        isTold(async () => {
          const stream = new ReadableStream({
            start: (controller) => {
              for (const each of parts) controller.enqueue(each);
              controller.close();
            },
          });
          const read = [];
          for await (const each of adapterOver({ streamed: { stream } }).stream(requestOf([]))) read.push(each);
          const hasEnd = parts.some((each) => (each as { type?: unknown } | null | undefined)?.type === 'finish');
          expect(read.at(-1)?.kind === 'response').toBe(hasEnd);
          return read;
        }),
      ),
      { numRuns: 300 },
    );
  });
});

describe('whatever a loop calls', () => {
  class Noted {}

  async function openDesk() {
    class NoteParams {
      @Param('What to note') text!: string;
    }
    @Section({ title: 'Notes', template: 'Note what you are told.' })
    class Notes {
      @Tool('Note a text.')
      note({ text }: NoteParams, context: ToolContext): string {
        context.session.dispatch(new Noted());
        return text;
      }
    }
    @Prompt({ ns: 'hostile', key: 'desk', sections: [Notes] })
    class NotesDesk {}
    const app = await createApplication({ prompts: [NotesDesk], logger: silent });
    const session = new Session();
    return { app, session, rendered: await app.prompt(NotesDesk).render({ session }) };
  }

  test('any call is answered, and an invalid one records nothing', async () => {
    const { app, session, rendered } = await openDesk();
    const chat = toOpenAiTools(app, rendered, { api: 'chat', session });
    const responses = toOpenAiTools(app, rendered, { api: 'responses', session });
    const messages = toAnthropicTools(app, rendered, { session });
    const { note } = toAiTools(app, rendered, { session });
    const name = fc.constantFrom('note', 'notes', '__proto__', 'constructor', '', 7, undefined);
    const wrong = value.filter((given) => (given as { text?: unknown } | null | undefined)?.text === undefined);
    await fc.assert(
      fc.asyncProperty(value, name, wrong, async (id, called, args) => {
        const call = { id, type: 'function', function: { name: called, arguments: args } };
        const item = { call_id: id, type: 'function_call', name: called, arguments: args };
        const block = { id, type: 'tool_use', name: called, input: args };
        const answers = [
          (await chat.run(call as never)).content,
          (await responses.answer([item as never]))[0]?.output,
          (await messages.run(block as never)).content,
          (await note?.execute(args, { toolCallId: id as never }))?.text,
        ];
        for (const answer of answers) expect(answer).toEqual(expect.stringMatching(/./));
      }),
      { numRuns: 200 },
    );
    expect(session.slice(Noted).all()).toEqual([]);
  });
});
