import { createApplication, definePrompt, defineSection } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { serveMcp } from '@toolwright/mcp';
import { openTelemetry } from '@toolwright/opentelemetry';
import { QuickJsSandbox, Toolkit } from '@toolwright/programs';
import { recordBundle } from 'toolwright/bundles';
import { rehearse, rehearseRun } from 'toolwright/own-loop';
import { Trace } from '../../packages/opentelemetry/spec/desk';
import { clientOf, closeAll } from '../../packages/mcp/spec/support/serverKit';
import { describeDoors } from './describeDoors';
import { silent } from '../support/silent';
import { CALLS, find, GIVEN, openSecretDesk, textOf } from './secretDesk';

const user = [{ role: 'user', content: 'Sign me in.' }] as const;
const script = () => new ScriptedModel([{ text: 'I do.', toolCalls: CALLS }, { text: 'Done.' }]);
const failing = () =>
  new ScriptedModel([{ toolCalls: CALLS }, { toolCalls: [{ id: 'c1', name: 'leave', arguments: GIVEN }] }]);

/** A run with everything that records one beside it. */
async function recordedRun() {
  const trace = new Trace();
  const tracing = openTelemetry({ tracerProvider: trace.provider, captureContent: true });
  const { app, prompt, logged, newSession } = await openSecretDesk({ interceptors: [tracing], repair: 'on' });
  const recording = recordBundle(app);
  const lines: string[] = [];
  recording.listen((line) => void lines.push(line));
  const events: object[] = [];
  const kinds = (): unknown[] => events.flatMap((event) => ('callId' in event && 'kind' in event ? [event.kind] : []));
  const onEvent = (event: object): void => void events.push(event);
  const session = newSession();
  const { transcript } = await app.evaluate(prompt, { adapter: script(), session, messages: user, onEvent });
  expect(kinds().filter((kind) => kind === 'succeeded')).toHaveLength(3);
  expect(new Set(kinds())).toEqual(new Set(['succeeded', 'failed', 'rejected', 'unknown']));
  const stopped: unknown = await app
    .evaluate(prompt, { adapter: failing(), session: newSession(), messages: user, onEvent })
    .catch((error: unknown) => error);
  const steps: unknown[] = [];
  const stream = app.stream(prompt, { adapter: script(), session: newSession(), messages: user });
  for await (const { ...step } of stream) steps.push(step.kind === 'done' ? step.response.transcript : step);
  return {
    'the events of a run': textOf(events),
    'the event of a run that ended': textOf(events.filter((event) => event.constructor.name === 'PromptStopped')),
    'the log': textOf(logged),
    'the transcript of a response': textOf(transcript),
    'the transcript of an error': textOf((stopped as { readonly transcript?: unknown }).transcript),
    'the events of a stream': textOf(steps),
    'the text of a bundle': recording.text(),
    'the lines of a bundle as they are written': lines.join('\n'),
    'the spans of a trace': trace.text(),
  };
}

/** Calls that are only tried. */
async function rehearsals() {
  const { app, prompt, logged, newSession } = await openSecretDesk({ repair: 'on' });
  const rendered = await prompt.render();
  const tried = [];
  for (const call of CALLS) tried.push(await rehearse(app, rendered, call, { session: newSession() }));
  const run = await rehearseRun(app, prompt, { adapter: script(), session: newSession(), messages: user });
  return {
    'what a rehearsal would change': textOf(tried.map(({ changed }) => changed)),
    'the outcome of a rehearsal': textOf(tried.map(({ outcome }) => outcome)),
    'the rehearsal of a run': textOf([run.changed, run.response.transcript]),
    'the log of rehearsals': textOf(logged),
  };
}

/** What the model reads of its calls. */
async function outcomes() {
  const { app, prompt, newSession } = await openSecretDesk({ repair: 'on' });
  const rendered = await prompt.render();
  const all = await app.callTools(rendered, CALLS, { session: newSession() });
  const read = all.map((outcome) => {
    const parts = outcome.kind === 'succeeded' ? (outcome.parts ?? []) : [];
    // The provider fetches the address.
    return [outcome.text, parts.map((part) => ('url' in part ? { ...part, url: '' } : part))];
  });
  return { 'what the model reads of a call': textOf(read) };
}

/** A call that began in a process that ended. */
async function cutOff() {
  const { app, prompt, newSession } = await openSecretDesk({ repair: 'on' });
  const toolCalls = [{ id: 'c1', name: 'send', arguments: GIVEN }];
  const conversation = new Conversation({ id: 'c', session: 'apart' });
  const run = { adapter: new ScriptedModel([{ toolCalls }, { text: 'Done.' }]), messages: user, runId: 'r' };
  await app.evaluate(prompt, { ...run, session: newSession(), conversation });
  const { entries, ...rest } = conversation.toJSON();
  const began = entries.findIndex(({ kind }) => kind === 'begun');
  const json = { ...rest, entries: entries.slice(0, began + 1) };
  const again = Conversation.fromJSON(JSON.parse(JSON.stringify(json)), { session: 'apart' });
  const adapter = new ScriptedModel([{ text: 'Done.' }]);
  const options = { adapter, session: newSession(), conversation: again, runId: 'r', onUnknown: 'ask' } as const;
  await expect(app.evaluate(prompt, options)).rejects.toMatchObject({ code: 'E731' });
  expect(again.questions).toHaveLength(1);
  return { 'the question about a call that was cut off': textOf(again.questions) };
}

/** The calls of a program. */
async function programs() {
  const { app, prompt, newSession } = await openSecretDesk({ repair: 'on' });
  const sandbox = new QuickJsSandbox({ workers: 1 });
  const session = newSession();
  const rendered = await prompt.render({ session });
  const kit = await Toolkit.from(rendered, { app, session, sandbox, check: 'syntax' });
  const events: unknown[] = [];
  const code = CALLS.filter(({ name, arguments: given }) => name !== 'signin' && typeof given !== 'string')
    .map(({ name, arguments: given }) => {
      const call = `tools[${JSON.stringify(name)}](${JSON.stringify(given)})`;
      return `try { await ${call} } catch (error) { void error }`;
    })
    .join('\n');
  const result = await kit.execute(code, { onEvent: (event) => void events.push(event) });
  await sandbox.close();
  const done = events.filter((event) => (event as { readonly kind: string }).kind !== 'done');
  return { 'the calls of a program': textOf(result.toolCalls), 'the events of a program': textOf(done) };
}

/** What a client of a server gets. */
async function mcp() {
  const { app, prompt, logged } = await openSecretDesk({ repair: 'on' });
  const client = await clientOf(serveMcp(app, prompt));
  const answers: unknown[] = [];
  for (const { name, arguments: given } of CALLS) {
    if (typeof given === 'string') continue;
    const answer = await client.callTool({ name, arguments: given }).catch((error: unknown) => error);
    // The client follows links.
    answers.push(JSON.parse(textOf(answer), (key, value: unknown) => (key === 'uri' ? '' : value)));
  }
  await closeAll();
  return { 'the answers of an MCP server': textOf(answers), 'the log of an MCP server': textOf(logged) };
}

/** What a client of a server gets of a declared result. */
async function structured() {
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Work.', tools: [find] });
  const Desk = definePrompt({ ns: 'spec', key: 'structured', sections: [section] });
  const app = await createApplication({ prompts: [Desk], logger: silent });
  const client = await clientOf(serveMcp(app, app.prompt(Desk)));
  const { structuredContent, content } = await client.callTool({ name: 'find', arguments: GIVEN });
  expect(structuredContent).toMatchObject({ words: expect.arrayContaining(['[secret]']) as unknown });
  await closeAll();
  return { 'structured content of an MCP server': textOf(structuredContent), 'its text': textOf(content) };
}

describeDoors(structured, ['structured content of an MCP server', 'its text']);

describeDoors(recordedRun, [
  'the events of a run',
  'the event of a run that ended',
  'the log',
  'the transcript of a response',
  'the transcript of an error',
  'the events of a stream',
  'the text of a bundle',
  'the lines of a bundle as they are written',
  'the spans of a trace',
]);

describeDoors(rehearsals, [
  'what a rehearsal would change',
  'the outcome of a rehearsal',
  'the rehearsal of a run',
  'the log of rehearsals',
]);

describeDoors(outcomes, ['what the model reads of a call']);

describeDoors(cutOff, ['the question about a call that was cut off']);

describeDoors(programs, ['the calls of a program', 'the events of a program']);

describeDoors(mcp, ['the answers of an MCP server', 'the log of an MCP server']);
