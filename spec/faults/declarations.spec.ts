import { createApplication, definePrompt, defineSection, defineTool, Param, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { OpenAIChatAdapter, OpenAIResponsesAdapter } from 'toolwright/openai';
import { AnthropicAdapter } from 'toolwright/anthropic';
import { AiSdkAdapter } from 'toolwright/ai-sdk';
import { parse } from 'toolwright/schema';
import { ScriptedModel } from 'toolwright/testing';

const note = { name: 'note', description: 'Notes.', handler: () => null };
const desk = definePrompt({
  ns: 'n',
  key: 'k',
  sections: [defineSection({ key: 's', title: 'S', tools: [defineTool(note)] })],
});
const call = { id: '1', name: 'note', arguments: '{}' };

describe('DECL-34 an option with a name that is not known is refused, with the nearest name', () => {
  const sectionWith = (section: object, tool: object = {}) =>
    definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S', tools: [defineTool({ ...note, ...tool })], ...section })],
    });

  test.each<[string, string, string, string, () => unknown]>([
    [
      'createApplication',
      'E312',
      'contaner',
      'container',
      () => createApplication({ prompts: [], contaner: {} } as never),
    ],
    [
      'the limits of an application',
      ...(['E312', 'turnMS', 'turnMs'] as const),
      () => createApplication({ prompts: [], limits: { turnMS: 1 } } as never),
    ],
    [
      'a prompt',
      'E312',
      'setions',
      'sections',
      () => createApplication({ prompts: [definePrompt({ ns: 'n', key: 'k', sections: [], setions: [] } as never)] }),
    ],
    ['a section', 'E312', 'templat', 'template', () => createApplication({ prompts: [sectionWith({ templat: 'x' })] })],
    [
      'a tool',
      'E312',
      'timeoutMS',
      'timeoutMs',
      () => createApplication({ prompts: [sectionWith({}, { timeoutMS: 5 })] }),
    ],
    [
      'a property',
      ...(['E312', 'minLenght', 'minLength'] as const),
      () => {
        class Params {
          @Param({ description: 'A name', minLenght: 3 } as never) name!: string;
        }
        return parse(Params, { name: '' });
      },
    ],
    ['a session', 'E804', 'slice', 'slices', () => new Session({ slice: [] } as never)],
    ['a conversation', 'E413', 'sesion', 'session', () => new Conversation({ sesion: 'apart' } as never)],
    [
      'the chat adapter',
      'E413',
      'strct',
      'strict',
      () => new OpenAIChatAdapter({ client: {}, model: 'm', strct: true } as never),
    ],
    [
      'the responses adapter',
      'E413',
      'paramters',
      'parameters',
      () => new OpenAIResponsesAdapter({ client: {}, model: 'm', paramters: {} } as never),
    ],
    [
      'the adapter of Anthropic',
      'E413',
      'max_tokens',
      'maxTokens',
      () => new AnthropicAdapter({ client: {}, model: 'm', max_tokens: 5 } as never),
    ],
    [
      'the adapter of the AI SDK',
      'E413',
      'closedTool',
      'closedTools',
      () => new AiSdkAdapter({ model: {}, closedTool: 'bridge' } as never),
    ],
  ])('%s', async (_what, code, wrong, right, act) => {
    const error: unknown = await Promise.resolve()
      .then(act)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toContain(`there is no option "${wrong}". Did you mean "${right}"`);
  });

  test.each<[string, string, string]>([
    ['evaluate', 'sesion', 'session'],
    ['stream', 'maxTurn', 'maxTurns'],
    ['callTool', 'sesion', 'session'],
    ['callTools', 'sginal', 'signal'],
    ['invoke', 'dedline', 'deadline'],
    ['render', 'overrideTag', 'overridesTag'],
    ['history', 'maxToken', 'maxTokens'],
  ])('app.%s', async (method, wrong, right) => {
    const app = await createApplication({ prompts: [desk] });
    const prompt = app.prompt(desk);
    const rendered = await prompt.render();
    const wrongly = { [wrong]: 1 } as never;
    const run = {
      adapter: new ScriptedModel([{ text: 'x' }]),
      messages: [{ role: 'user' as const, content: 'Hello' }],
    };
    const acts: Readonly<Record<string, () => unknown>> = {
      evaluate: () => app.evaluate(prompt, { ...run, ...(wrongly as object) }),
      stream: () => app.stream(prompt, { ...run, ...(wrongly as object) }),
      callTool: () => app.callTool(rendered, call, wrongly),
      callTools: () => app.callTools(rendered, [call], wrongly),
      invoke: () => app.invoke(rendered, 'note', {}, wrongly),
      render: () => prompt.render(wrongly),
      history: () => app.evaluate(prompt, { ...run, history: wrongly }),
    };
    const error: unknown = await Promise.resolve()
      .then(acts[method])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PromptError', code: 'E413' });
    expect((error as Error).message).toContain(`there is no option "${wrong}". Did you mean "${right}"`);
    expect(run.adapter.requests).toEqual([]);
  });
});
