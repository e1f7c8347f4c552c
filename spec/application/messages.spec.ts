import fc from 'fast-check';
import {
  createApplication,
  definePrompt,
  type Message,
  Param,
  PromptError,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolRefusal,
  ToolResult,
} from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { checkMessages } from '../../src/evaluate/check/checkMessages';
import { silent } from '../support/silent';

const IMAGE = { kind: 'image', mediaType: 'image/png', data: 'QUJD' } as const;

@Section({ key: 'plans', title: 'Plans', template: 'Plans.' })
class Plans {
  @Tool('Show a plan.')
  show(@Param('floor', { integer: true }) floor: number): ToolResult {
    if (floor < 0) throw new ToolRefusal('There is no cellar.');
    return ToolResult.ok({ floor }, '', { parts: floor === 0 ? [IMAGE] : [] });
  }
}

@Section({ key: 'garden', title: 'Garden', template: 'Garden.', summary: 'The garden.', visibility: 'summary' })
class Garden {
  @Tool('Dig.')
  dig(): string {
    return 'dug';
  }
}

async function desk() {
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [Plans, Garden] });
  const app = await createApplication({ prompts: [Desk], logger: silent });
  return { app, prompt: app.prompt(Desk) };
}

const wrong = [{ role: 'system', content: 'Obey.' }] as unknown as readonly Message[];

test('app.evaluate and app.stream refuse wrong messages by their name, before anything is sent', async () => {
  const { app, prompt } = await desk();
  const adapter = new ScriptedModel([]);
  const error: unknown = await app.evaluate(prompt, { adapter, messages: wrong }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'PromptError', code: 'E412', place: 'app.evaluate' });
  expect(() => app.stream(prompt, { adapter, messages: wrong })).toThrow(PromptError);
  expect(() => app.stream(prompt, { adapter, messages: wrong })).toThrow('E412 app.stream: messages[0].role');
  expect(adapter.requests).toEqual([]);
});

test('messages that are given to a run do not change, whatever happens to the list meanwhile', async () => {
  const { app, prompt } = await desk();
  const messages: Message[] = [{ role: 'user', content: 'Hi.', parts: [IMAGE] }];
  const first = { ...messages[0] };
  const adapter = new ScriptedModel([
    () => {
      Object.assign(messages[0] as object, { content: 'Changed.' });
      messages.push({ role: 'user', content: 'More.' });
      return { toolCalls: [{ id: 'a', name: 'show', arguments: { floor: 0 } }] };
    },
    { text: 'Done.' },
  ]);
  await app.evaluate(prompt, { adapter, messages });
  expect(adapter.requests[1]?.messages[1]).toEqual(first);
  expect(adapter.requests[1]?.messages[2]?.role).toBe('assistant');
});

test('the limit of parts is that of the application', async () => {
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [Plans] });
  const app = await createApplication({ prompts: [Desk], logger: silent, limits: { partBytes: 2 } });
  const messages = [{ role: 'user', content: 'Read.', parts: [IMAGE] }] as const;
  const error: unknown = await app
    .evaluate(app.prompt(Desk), { adapter: new ScriptedModel([]), messages })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'E412', message: expect.stringContaining('at most 2 bytes') as string });
});

test('a run within a handler is given checked messages, too', async () => {
  const Inner = definePrompt({ ns: 'test', key: 'inner', sections: [Plans] });
  @Section({ key: 'outer', title: 'Outer' })
  class Outer {
    @Tool('Ask.')
    async ask(context: ToolContext): Promise<string | null> {
      const answer = await context.run?.evaluate(app.prompt(Inner), { messages: wrong });
      return answer?.text ?? null;
    }
  }
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [Outer] });
  const app = await createApplication({ prompts: [Inner, Desk], logger: silent });
  const adapter = new ScriptedModel([{ toolCalls: [{ id: 'a', name: 'ask', arguments: {} }] }, { text: 'Done.' }]);
  const { transcript } = await app.evaluate(app.prompt(Desk), { adapter });
  expect(transcript[2]?.content).toContain('E412 context.run.evaluate: messages[0].role');
});

test('everything that a run itself produced passes: its messages and its transcript', async () => {
  const { app, prompt } = await desk();
  const call = fc.record({
    name: fc.constantFrom('show', 'dig', 'open_sections', 'nothing', 'toString'),
    arguments: fc.oneof(
      fc.constantFrom<ScriptArguments>(
        { floor: 0 },
        { floor: 1 },
        { floor: -1 },
        { section_keys: ['garden'], reason: 'To dig.' },
        '{"floor":0}',
        '{"floor',
        '',
        null,
      ),
      fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<never>),
    ),
  });
  const turn = fc.record({
    text: fc.option(fc.string(), { nil: null }),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    native: fc.option(fc.constant({ provider: 'x', content: [{ type: 'text' }] }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 4 }), fc.string(), async (turns, text) => {
      const script = turns.map(({ text: said, calls, native }, number): ScriptStep => {
        const toolCalls = calls.map((each, at) => ({ ...each, id: `c${String(number)}_${String(at)}` }));
        return { text: said, toolCalls, ...(native === undefined ? {} : { native }) } as ScriptStep;
      });
      const adapter = new ScriptedModel([...script, { text }]);
      const messages = [{ role: 'user', content: 'Go.', parts: [IMAGE] }] as const;
      // So few requests that the run says so to the model.
      const options = { adapter, messages, session: new Session(), maxTurns: turns.length + 1 };
      const { transcript } = await app.evaluate(prompt, options);
      const sent = adapter.requests.at(-1)?.messages.slice(1) ?? [];
      expect(checkMessages('a record', sent, { recorded: true })).toEqual(sent);
      const kept = JSON.parse(JSON.stringify(transcript.slice(1))) as unknown;
      expect(checkMessages('a transcript', kept, { recorded: true })).toEqual(kept);
    }),
  );
});

type ScriptArguments = string | null | Record<string, never> | object;
