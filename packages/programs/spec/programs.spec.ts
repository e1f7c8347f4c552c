import {
  type ApplicationOptions,
  ApprovalPendingError,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type PendingCall,
  PromptValidationError,
  Session,
} from 'toolwright';
import type { PromptExtension } from 'toolwright/adapters';
import { Conversation } from 'toolwright/conversations';
import type { Approver, Interceptor } from 'toolwright/policies';
import { expectStablePrefix, ScriptedModel } from 'toolwright/testing';
import { programs, type ProgramsOptions } from '@toolwright/programs';
import { ToolInvoked } from 'toolwright/events';
import { Note } from '../../../spec/dispatch/desk';
import { reopened } from '../../../spec/support/reopened';
import { silentLogger } from '../../../spec/conformance/declare/silentLogger';
import { act, engineOfFile, PATIENCE_MS } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

const note = (text: string, options: object = {}): Constructor =>
  act(
    text,
    ({ session }) => {
      session.dispatch(new Note(text));
      return text;
    },
    options,
  );
const count = act('count', ({ session }) => session.slice(Note).all().length, { hints: { readOnly: true } });

async function deskWith(
  tools: readonly Constructor[],
  options: ProgramsOptions = {},
  ofApp: Partial<ApplicationOptions> = {},
  summary?: Constructor,
) {
  const section = defineSection({ key: 'notes', title: 'Notes', template: 'Notes are kept.', tools });
  const prompt = definePrompt({
    ns: 'spec',
    key: 'programs',
    sections: summary === undefined ? [section] : [section, summary],
    extensions: [programs({ sandbox, check: 'syntax', ...options })],
  });
  const app = await createApplication({ prompts: [prompt], logger: silentLogger, ...ofApp });
  const session = new Session({ slices: [Note] });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const notes = (): readonly string[] =>
    session
      .slice(Note)
      .all()
      .map(({ text }) => text);
  return { app, prompt: app.prompt(prompt), session, events, notes };
}

const program = (code: string) => ({ toolCalls: [{ name: 'execute_program', arguments: { code } }] });

describe('a prompt that offers programs', () => {
  test('a prompt that offers programs shows the tools, the tool that runs programs, and when to use it', async () => {
    const { prompt, session } = await deskWith([note('one'), count]);
    const rendered = await prompt.render({ session });
    expect(rendered.tools.map(({ name }) => name)).toEqual(['one', 'count', 'execute_program']);
    expect(rendered.text.startsWith('## 1. Notes (notes)\n\nNotes are kept.\n\n')).toBe(true);
    expect(rendered.text).toContain('declare function one()');
    expect(JSON.stringify(rendered.tool('execute_program')?.schema)).toContain('declare function count()');
    expect(rendered.toolParamDescriptions['execute_program']?.['code']?.type).toBe('string');
    expect((await prompt.tools({ session })).map(({ name }) => name)).toEqual(['one', 'count', 'execute_program']);
    const again = await prompt.render({ session });
    expect(again.toolSchemas('openai').at(-1)).toBe(rendered.toolSchemas('openai').at(-1));
  });

  test('a prompt may offer programs instead of its tools', async () => {
    const { app, prompt, session, notes } = await deskWith([note('one'), count], { offer: 'instead' });
    const rendered = await prompt.render({ session });
    expect(rendered.tools.map(({ name }) => name)).toEqual(['execute_program']);
    expect(await app.invoke(rendered, 'one', {}, { session })).toMatchObject({ kind: 'unknown' });
    const code = 'await one();\nreturn await count();';
    const outcome = await app.invoke(rendered, 'execute_program', { code }, { session });
    expect(outcome).toMatchObject({ kind: 'succeeded', text: expect.stringContaining('Value:\n1') as string });
    expect(notes()).toEqual(['one']);
  });

  test('a prompt that offers programs keeps from programs, and from the model, what is not for them', async () => {
    const { app, prompt, session } = await deskWith([
      note('for_model', { callers: ['direct'] }),
      note('for_programs', { callers: ['program'] }),
    ]);
    const rendered = await prompt.render({ session });
    expect(rendered.tools.map(({ name }) => name)).toEqual(['for_model', 'execute_program']);
    expect(rendered.text).not.toContain('for_model');
    const run = (code: string) => app.invoke(rendered, 'execute_program', { code }, { session });
    expect((await run('await for_programs()')).kind).toBe('succeeded');
    expect((await run('await for_model()')).text).toContain('for_model is not defined');
  });

  test('a prompt that offers programs adds nothing without tools', async () => {
    const { prompt } = await deskWith([]);
    const { text, tools } = await prompt.render();
    expect([text, tools.length]).toEqual(['## 1. Notes (notes)\n\nNotes are kept.', 0]);
  });

  test('a prompt that offers programs does not let them open sections', async () => {
    const summary = defineSection({
      key: 'more',
      title: 'More',
      template: 'More.',
      summary: 'Something.',
      visibility: 'summary',
      tools: [note('hidden')],
    });
    const { app, prompt, session } = await deskWith([count], {}, {}, summary);
    const rendered = await prompt.render({ session });
    expect(rendered.tools.map(({ name }) => name)).toEqual(['count', 'execute_program', 'open_sections']);
    const code = '[typeof open_sections, typeof read_section, typeof hidden, typeof execute_program]';
    const { text } = await app.invoke(rendered, 'execute_program', { code }, { session });
    expect(text).toContain('["undefined","undefined","undefined","undefined"]');
  });

  test('E104 a prompt that offers programs keeps the name of the tool that runs programs for itself', async () => {
    const mine = defineTool({ name: 'execute_program', description: 'Mine.', handler: () => 1 });
    await expect(deskWith([mine])).rejects.toThrow(/E104.*execute_program.*the extension programs/s);
  });

  test('E661, E662 name each tool that no program can call when the application is created', async () => {
    const tools = [
      note('class'),
      note('get-it'),
      note('get_it'),
      note('delete', { callers: ['direct'] }),
      note('fine'),
    ];
    const refusal: unknown = await deskWith(tools).catch((error: unknown) => error);
    expect(refusal instanceof PromptValidationError && refusal.findings).toMatchObject([
      {
        code: 'E661',
        place: 'class',
        sectionPath: 'notes',
        problem: 'the extension programs cannot use the tool "class": in programs, "class" is a word of the language',
      },
      { code: 'E662', place: 'get_it', problem: expect.stringContaining('are both called get_it') as string },
    ]);
  });

  test('E312 a prompt that offers programs takes nothing else for an extension', async () => {
    const section = defineSection({ key: 'a', title: 'A' });
    const extensions = [{ name: 'x' }] as unknown as readonly PromptExtension[];
    const prompt = definePrompt({ ns: 'n', key: 'k', sections: [section], extensions });
    await expect(createApplication({ prompts: [prompt] })).rejects.toThrow(/E312.*extensions/s);
    const tool = defineTool({ name: 't', description: 'T.', callers: [], handler: () => 1 });
    const other = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 'a', title: 'A', tools: [tool] })],
    });
    await expect(createApplication({ prompts: [other] })).rejects.toThrow(/E312.*callers/s);
  });
});

describe('a run in which the model sends programs', () => {
  test('the run continues with the results of the programs', async () => {
    const { app, prompt, session, events, notes } = await deskWith([note('one'), note('two'), count]);
    const adapter = new ScriptedModel([
      program('await one();\nthrow new Error("not so");'),
      program('await one();\nawait two();\nconsole.log("both");\nreturn await count();'),
      { text: 'Done.' },
    ]);
    const response = await app.evaluate(prompt, { adapter, session });
    expect(response.text).toBe('Done.');
    const [failed, done] = response.transcript.filter(({ role }) => role === 'tool');
    expect(failed).toMatchObject({ failed: true });
    expect(failed?.content).toContain('The program failed (thrown) at line 2');
    expect(failed?.content).toContain('was taken back');
    expect(done).toMatchObject({ failed: false, content: 'The program completed.\n\nOutput:\nboth\n\nValue:\n2' });
    expect(notes()).toEqual(['one', 'two']);
    expect(events.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      ...['one succeeded', 'execute_program failed'],
      ...['one succeeded', 'two succeeded', 'count succeeded', 'execute_program succeeded'],
    ]);
    expect(events[0]?.parentCallId).toBe(events[1]?.callId);
  });

  test('a run in which the model sends programs ends, and is continued, at a program whose approval comes later', async () => {
    const conversation = new Conversation();
    let answer: 'later' | 'approved' = 'later';
    const keys: string[] = [];
    const approver = {
      approve: (_call: unknown, { call }: { readonly call: { readonly idempotencyKey: string } }) => {
        keys.push(call.idempotencyKey);
        return { kind: answer } as const;
      },
    };
    const { app, prompt, session, notes } = await deskWith([note('one', { requiresApproval: true })], {}, { approver });
    const adapter = new ScriptedModel([program('return await one()'), { text: 'Done.' }]);
    const first = app.evaluate(prompt, { adapter, session, conversation });
    await expect(first).rejects.toThrow(ApprovalPendingError);
    await expect(first).rejects.toMatchObject({ pending: { tool: 'execute_program' } });
    expect(notes()).toEqual([]);
    // The question is about the program, and its approver about the call that it makes.
    expect(conversation.questions).toMatchObject([{ call: '1.0', name: 'execute_program' }]);
    answer = 'approved';
    await conversation.reply(conversation.questions[0]!.id, { kind: 'approved' });
    const response = await app.evaluate(prompt, { adapter, session, conversation });
    expect([response.text, notes()]).toEqual(['Done.', ['one']]);
    expect(keys[0]).toBe(keys[1]);
    // Another continuation repeats nothing.
    const again = { adapter: new ScriptedModel([]), session: new Session({ slices: [Note] }) };
    await app.evaluate(prompt, { ...again, conversation: reopened(conversation) });
    expect(keys).toHaveLength(2);
    expect(again.session.slice(Note).all()).toEqual([new Note('one')]);
  });

  test('a program that a handler runs cannot wait for an approval that comes later', async () => {
    const outer = act('outer', async (context) => {
      const call = { id: 'inner', name: 'execute_program', arguments: { code: 'return await one()' } };
      const { kind, text } = await context.callTool(call);
      return `${kind}: ${text}`;
    });
    const approver: Approver = { approve: () => ({ kind: 'later' }) };
    const tools = [note('one', { requiresApproval: true }), outer];
    const logged: string[] = [];
    const log = (message: string): void => void logged.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { app, prompt, session, notes } = await deskWith(tools, {}, { approver, logger });
    const { text } = await app.invoke(await prompt.render({ session }), 'outer', {}, { session });
    expect(text).toMatch(/^denied: .*a call of the program needs an approval at once, because a handler made the call/);
    expect(notes()).toEqual([]);
    expect(logged).toEqual([
      'Tool execute_program was denied: a call of the program needs an approval at once, because a handler made the call, and cannot be continued in its middle',
    ]);
  });

  test('a pending program is continued up to its call, whose approver is asked again', async () => {
    const asked: unknown[] = [];
    let answer: 'later' | 'approved' = 'later';
    const approver: Approver = {
      approve: ({ tool }) => {
        asked.push(tool.name);
        return { kind: answer };
      },
    };
    const tools = [note('free'), note('one', { requiresApproval: true })];
    const { app, prompt, session, notes, events } = await deskWith(tools, {}, { approver });
    const rendered = await prompt.render({ session });
    const code = 'await free();\nreturn await one()';
    const pendingOf = (running: Promise<unknown>) =>
      running.catch((error: unknown) => (error as ApprovalPendingError).pending) as Promise<PendingCall>;
    const pending = await pendingOf(app.invoke(rendered, 'execute_program', { code }, { session }));
    const denied = await app.continueCall(rendered, pending, { kind: 'denied', reason: 'Not now.' }, { session });
    expect(denied).toMatchObject({ kind: 'denied', text: expect.stringContaining('Not now.') as string });
    expect([notes(), asked]).toEqual([[], ['one']]);
    expect(events.slice(0, 2)).toMatchObject([
      { name: 'free' },
      { name: 'execute_program', kind: 'denied', result: null },
    ]);
    const approved = { kind: 'approved' } as const;
    expect(await pendingOf(app.continueCall(rendered, pending, approved, { session }))).toMatchObject({
      idempotencyKey: pending.idempotencyKey,
    });
    answer = 'approved';
    expect((await app.continueCall(rendered, pending, approved, { session })).kind).toBe('succeeded');
    expect([notes(), asked]).toEqual([
      ['free', 'one'],
      ['one', 'one', 'one'],
    ]);
  });

  test('the model reads that a program could not be approved', async () => {
    const { app, prompt, session } = await deskWith([note('one', { requiresApproval: true })]);
    const rendered = await prompt.render({ session });
    const outcome = await app.invoke(rendered, 'execute_program', { code: 'await one()' }, { session });
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toContain('one({}) waits for an approval, and no approver can give one now');
  });

  test('interceptors wrap programs: they observe, and deny', async () => {
    const seen: unknown[] = [];
    const watching: Interceptor = {
      async aroundProgram({ code, tools, attempt }, next) {
        seen.push({ code, tools, attempt });
        if (code.includes('two')) throw new Error('not two');
        return next();
      },
    };
    const { app, prompt, session, notes } = await deskWith(
      [note('one'), note('two')],
      {},
      { interceptors: [watching] },
    );
    const rendered = await prompt.render({ session });
    const run = (code: string) => app.invoke(rendered, 'execute_program', { code }, { session });
    expect((await run('await one()')).kind).toBe('succeeded');
    const denied = await run('await two()');
    expect([denied.kind, denied.text]).toEqual(['failed', expect.stringContaining('(denied): not two')]);
    expect(seen).toEqual([
      { code: 'await one()', tools: ['one', 'two'], attempt: 1 },
      { code: 'await two()', tools: ['one', 'two'], attempt: 1 },
    ]);
    expect(notes()).toEqual(['one']);
  });

  test('a program is rolled back when an interceptor refuses it after it has run', async () => {
    const strict: Interceptor = {
      async aroundProgram(_program, next) {
        await next();
        throw new Error('too much');
      },
    };
    const { app, prompt, session, notes } = await deskWith([note('one')], {}, { interceptors: [strict] });
    const outcome = await app.invoke(
      await prompt.render({ session }),
      'execute_program',
      { code: 'await one()' },
      { session },
    );
    expect([outcome.kind, notes()]).toEqual(['failed', []]);
  });
});

describe('programs of a prompt with search', () => {
  const search = { toolCalls: [{ name: 'search_tools', arguments: { query: 'invoice', limit: 1 } }] };
  const pay = (options: object = {}): Constructor => note('pay_invoice', options);

  async function searchedDesk(options: ProgramsOptions, ...tools: readonly Constructor[]) {
    const prompt = definePrompt({
      ns: 'spec',
      key: 'searched',
      search: true,
      sections: [
        defineSection({ key: 'notes', title: 'Notes', tools: [count] }),
        defineSection({ key: 'money', title: 'Money', searchable: true, tools }),
      ],
      extensions: [programs({ sandbox, check: 'syntax', ...options })],
    });
    const app = await createApplication({ prompts: [prompt], logger: silentLogger });
    const session = new Session({ slices: [Note] });
    const run = async (...turns: ConstructorParameters<typeof ScriptedModel>[0]) => {
      const model = new ScriptedModel([...turns, { text: 'Done.' }]);
      const conversation = new Conversation();
      await app.evaluate(app.prompt(prompt), {
        adapter: model,
        session,
        conversation,
        messages: [{ role: 'user', content: 'Pay.' }],
      });
      expectStablePrefix(model.requests);
      return (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
        message.role === 'tool' ? [message.content] : [],
      );
    };
    const paid = (): number => session.slice(Note).all().length;
    return { app, prompt: app.prompt(prompt), session, run, paid };
  }

  test.each(['beside', 'instead'] as const)(
    'a program calls a tool only after a search has found it, with offer: %s',
    async (offer) => {
      const { run, paid } = await searchedDesk(
        { offer },
        pay(),
        act('book_flight', () => 1),
      );
      const [before, found, after, other] = await run(
        program('await pay_invoice()'),
        search,
        program('await pay_invoice(); return await count();'),
        program('return typeof book_flight;'),
      );
      expect(before).toContain('pay_invoice is not defined');
      expect(found).toContain(
        offer === 'beside' ? 'Tools that can be called now: pay_invoice.' : 'Tools that programs can call now:',
      );
      expect(found).toContain('pay_invoice');
      expect(after).toContain('Value:\n1');
      expect(other).toContain('undefined');
      expect(paid()).toBe(1);
    },
  );

  test('the declarations of a conversation stay as they began, and those of the next one have the found tool', async () => {
    const { run, prompt, session } = await searchedDesk({}, pay());
    expect((await prompt.render({ session })).text).not.toContain('pay_invoice');
    await run(search);
    expect((await prompt.render({ session })).text).toContain('declare function pay_invoice()');
  });

  test('a tool for programs alone is never closed, and a program cannot search', async () => {
    const { run, paid } = await searchedDesk({}, pay({ callers: ['program'] }));
    const [outcome] = await run(program('await pay_invoice(); return typeof search_tools;'));
    expect(outcome).toContain('undefined');
    expect(paid()).toBe(1);
  });
});
