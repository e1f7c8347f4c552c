import {
  type Application,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type RenderedPrompt,
  Session,
} from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { schemaOf } from 'toolwright/schema';

class Note {}
const prompt = definePrompt({
  ns: 'n',
  key: 'k',
  sections: [
    defineSection({
      key: 's',
      title: 'S',
      tools: [defineTool({ name: 'note', description: 'Notes.', handler: () => null })],
    }),
  ],
});
const call = { id: '1', name: 'note', arguments: '{}' };
const adapter = new ScriptedModel([]);

// What JavaScript may hand over: `never` is what every parameter takes.
type Act = (app: Application, rendered: RenderedPrompt) => unknown;
const acts: readonly (readonly [string, Act, string, string])[] = [
  [
    'createApplication without options',
    () => createApplication(null as never),
    'E312',
    'expected { prompts: [...] }, got null',
  ],
  ['callTool without a rendering', (app) => app.callTool(null as never, call), 'E411', 'got null'],
  [
    'callTool with a rendering that was not awaited',
    (app) => app.callTool(app.prompt(prompt).render() as never, call),
    'E411',
    'a promise that was not awaited',
  ],
  ['callTool with a prompt', (app) => app.callTool(app.prompt(prompt) as never, call), 'E411', 'got an object'],
  [
    'callTool without a call',
    (app, rendered) => app.callTool(rendered, null as never),
    'E411',
    'expected a call as { id, name, arguments }, got null',
  ],
  [
    'callTools with one call',
    (app, rendered) => app.callTools(rendered, call as never),
    'E411',
    'expected a list of calls, got an object',
  ],
  [
    'callTools with no call in its list',
    (app, rendered) => app.callTools(rendered, ['note' as never]),
    'E411',
    'got the string "note"',
  ],
  ['invoke without a rendering', (app) => app.invoke(undefined as never, 'note', {}), 'E411', 'got undefined'],
  [
    'continueCall without a rendering',
    (app) => app.continueCall(7 as never, {} as never, { kind: 'approved' }),
    'E411',
    'got the number 7',
  ],
  ...[undefined, null, 'approved', {}, { kind: 'later' }, { kind: 'denied' }, { kind: 'approved', al: 1 }].map(
    (answer): readonly [string, Act, string, string] => [
      `continueCall with the answer ${JSON.stringify(answer)}`,
      (app, rendered) => app.continueCall(rendered, {} as never, answer as never),
      'E735',
      'app.continueCall',
    ],
  ),
  [
    'continueCall with a reply that is about another kind of question',
    (app, rendered) => app.continueCall(rendered, {} as never, { kind: 'repeat' } as never),
    'E735',
    'takes approved or denied, not repeat',
  ],
  [
    'evaluate without a prompt',
    (app) => app.evaluate(null as never, { adapter }),
    'E411',
    'expected a prompt of the application',
  ],
  [
    'evaluate without an adapter',
    (app) => app.evaluate(app.prompt(prompt), {} as never),
    'E411',
    'a model adapter as options.adapter, got undefined',
  ],
  ['evaluate without options', (app) => app.evaluate(app.prompt(prompt), undefined as never), 'E411', 'got undefined'],
  [
    'stream without an adapter',
    (app) => app.stream(app.prompt(prompt), { adapter: {} as never }),
    'E411',
    'got an object',
  ],
  [
    'a target that nobody knows',
    (_app, rendered) => rendered.toolSchemas('toString' as never),
    'E312',
    'target is the string "toString"; one of json-schema',
  ],
  ['the same of a class', () => schemaOf(Note, { target: 7 as never }), 'E312', 'target is the number 7'],
  [
    'dispatch of nothing',
    () => {
      new Session().dispatch(null as never);
    },
    'E807',
    'got null',
  ],
  [
    'dispatch of what has no class',
    () => {
      new Session().dispatch(Object.create(null) as object);
    },
    'E807',
    'got an object',
  ],
];

describe('arguments from code without types', () => {
  test.each(acts)('untyped code gets an error for %s', async (_what, act, code, problem) => {
    const app = await createApplication({ prompts: [prompt] });
    const rendered = await app.prompt(prompt).render();
    const error: unknown = await (async () => act(app, rendered))().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(problem) as string });
  });

  test('a dispatch in a handler is refused like one outside, and leaves no trace', async () => {
    const session = new Session();
    const tool = defineTool({
      name: 'wrong',
      description: 'Dispatches nothing.',
      handler: (_params: unknown, context) => {
        context.session.dispatch(new Note());
        context.session.dispatch(undefined as never);
      },
    });
    const type = definePrompt({
      ns: 'n',
      key: 'w',
      sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
    });
    const app = await createApplication({
      prompts: [type],
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const outcome = await app.callTool(await app.prompt(type).render(), { ...call, name: 'wrong' }, { session });
    expect(outcome).toMatchObject({ kind: 'failed', text: expect.stringContaining('E807') as string });
    expect(session.slice(Note).all()).toEqual([]);
  });
});
