// Run by packages/ai-sdk/spec/ai7.spec.ts: version 7 of the AI SDK is an ES module, which the test runner cannot load. Says
// on stdout, as JSON, what became of a loop of the AI SDK with our tools, and of a run of ours with its model.
import 'reflect-metadata';
import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai7';
import { MockLanguageModelV4, convertArrayToReadableStream } from 'ai7/test';
import { createApplication, definePrompt, defineSection, defineTool, Param, Session } from 'toolwright';
import { AiSdkAdapter, toAiTools } from '@toolwright/ai-sdk';
import { ToolInvoked } from 'toolwright/events';

class Noted {
  constructor(text) {
    this.text = text;
  }
}
class NoteParams {}
Param({ description: 'What to note', type: String })(NoteParams.prototype, 'text');

const note = defineTool({
  name: 'note',
  description: 'Note a text.',
  params: NoteParams,
  handler: async ({ text }, context) => {
    const before = context.session.slice(Noted).all().length;
    await new Promise((resolve) => setImmediate(resolve));
    context.session.dispatch(new Noted(text));
    if (text === 'spill') throw new RangeError('The ink ran out.');
    return `${text}, after ${before}`;
  },
});
const notes = defineSection({ key: 'notes', title: 'Notes', template: 'Note what you are told.', tools: [note] });
const desk = definePrompt({ ns: 'loops', key: 'desk', sections: [notes] });

const usage = { inputTokens: { total: 30, cacheRead: 20 }, outputTokens: { total: 4 } };
const calls = ['one', 'spill', 7, 'two'].map((text, index) => ({
  type: 'tool-call',
  toolCallId: `c${index}`,
  toolName: 'note',
  input: JSON.stringify({ text }),
}));
const called = { unified: 'tool-calls', raw: 'tool_use' };
const stopped = { unified: 'stop', raw: 'stop' };
const thought = { type: 'reasoning', text: 'Hm.', providerMetadata: { mock: { signature: 's' } } };

const generating = () =>
  new MockLanguageModelV4({
    doGenerate: [
      { content: [thought, ...calls], finishReason: called, usage, warnings: [] },
      { content: [{ type: 'text', text: 'Done.' }], finishReason: stopped, usage, warnings: [] },
    ],
  });

const streaming = () =>
  new MockLanguageModelV4({
    doStream: [
      [...calls, { type: 'finish', finishReason: called, usage }],
      [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Done.' },
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason: stopped, usage },
      ],
    ].map((parts) => ({ stream: convertArrayToReadableStream([{ type: 'stream-start', warnings: [] }, ...parts]) })),
  });

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A new application for each way, and what its session and its bus know afterwards. */
async function trial(run) {
  const app = await createApplication({ prompts: [desk], logger: silent });
  const session = new Session();
  const events = [];
  app.eventBus.subscribe(ToolInvoked, ({ kind }) => void events.push(kind));
  const rendered = await app.prompt(desk).render({ session });
  const { text, read } = await run({ app, rendered, session });
  const noted = session.slice(Noted).all();
  return { text, read, notes: noted.map((each) => each.text), events };
}

/** The results of its calls that the model read. */
function readBy(prompt) {
  const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
  return results.map(({ output }) => `${output.type}: ${output.value}`);
}

const stopWhen = isStepCount(5);

const results = {
  generateText: await trial(async ({ app, rendered, session }) => {
    const model = generating();
    const tools = toAiTools(app, rendered, { session });
    const { text } = await generateText({ model, tools, instructions: rendered.text, prompt: 'Go.', stopWhen });
    return { text, read: readBy(model.doGenerateCalls[1].prompt) };
  }),
  streamText: await trial(async ({ app, rendered, session }) => {
    const model = streaming();
    const tools = toAiTools(app, rendered, { session });
    const stream = streamText({ model, tools, instructions: rendered.text, prompt: 'Go.', stopWhen });
    return { text: await stream.text, read: readBy(model.doStreamCalls[1].prompt) };
  }),
  evaluate: await trial(async ({ app, session }) => {
    const model = generating();
    const adapter = new AiSdkAdapter({
      model: wrapLanguageModel({ model, middleware: { specificationVersion: 'v4' } }),
    });
    const { text, usage: counted } = await app.evaluate(app.prompt(desk), { adapter, session });
    const { prompt } = model.doGenerateCalls[1];
    const [first] = prompt.find(({ role }) => role === 'assistant').content;
    return { text, read: [...readBy(prompt), JSON.stringify(first), JSON.stringify(counted)] };
  }),
  stream: await trial(async ({ app, session }) => {
    const model = streaming();
    let text = '';
    for await (const event of app.stream(app.prompt(desk), { adapter: new AiSdkAdapter({ model }), session }))
      if (event.kind === 'text') text += event.text;
    return { text, read: readBy(model.doStreamCalls[1].prompt) };
  }),
};
process.stdout.write(JSON.stringify(results));
