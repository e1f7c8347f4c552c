import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bind,
  Budget,
  BudgetTracker,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  type ToolContext,
  type Transactional,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { FileJournal, type Journal, type JournalEntry } from 'toolwright/journal';
import { ScriptedModel } from 'toolwright/testing';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-journal-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;
const path = (): string => join(folder, `${String(++files)}.jsonl`);

const answer = (turn: number): JournalEntry => ({
  kind: 'answer',
  turn,
  text: `Ü${String(turn)}`,
  toolCalls: [],
  finishReason: 'stop',
});

class Note {
  constructor(readonly text: string) {}
}

async function desk() {
  const policyTransaction = defineTool({
    name: 'note',
    description: 'Notes.',
    handler: (_params: unknown, context: ToolContext) => {
      context.session.dispatch(new Note('x'));
    },
  });
  const Desk = definePrompt({
    ns: 'a',
    key: 'desk',
    sections: [defineSection({ key: 's', title: 'S', tools: [policyTransaction] })],
  });
  const Other = definePrompt({ ns: 'a', key: 'other', sections: [defineSection({ key: 's', title: 'S' })] });
  const app = await createApplication({ prompts: [Desk, Other] });
  const session = new Session({ slices: [Note] });
  const adapter = new ScriptedModel([{ toolCalls: [{ name: 'note', arguments: {} }] }, { text: 'Done.' }]);
  return { app, session, adapter, prompt: app.prompt(Desk), other: app.prompt(Other) };
}

describe('FileJournal', () => {
  test('returns what was appended, and is readable for its owner only', () => {
    const journal = new FileJournal(path());
    expect(journal.entries()).toEqual([]);
    journal.append(answer(1));
    journal.append(answer(2));
    expect(new FileJournal(journal.path).entries()).toEqual([answer(1), answer(2)]);
    expect(statSync(journal.path).mode & 0o077).toBe(0);
  });

  test('leaves out a last line that was cut off, and removes it', () => {
    const journal = new FileJournal(path());
    journal.append(answer(1));
    appendFileSync(journal.path, '{"kind":"answ');
    expect(journal.entries()).toEqual([answer(1)]);
    journal.append(answer(2));
    expect(journal.entries()).toEqual([answer(1), answer(2)]);
  });

  test('damage before the end is reported with its line', () => {
    const journal = new FileJournal(path());
    writeFileSync(journal.path, '{"kind":\n{}\n');
    expect(() => journal.entries()).toThrow(expect.objectContaining({ code: 'E709' }) as Error);
    expect(() => journal.entries()).toThrow(/line 1/);
  });

  test('a path that cannot be written is reported with the system’s message', () => {
    expect(() => new FileJournal(join(folder, 'no/such/folder')).append(answer(1))).toThrow(
      /E709|could not be written: ENOENT/,
    );
  });
});

describe('a run with a journal', () => {
  test('a journal that holds a run is not written over', async () => {
    const { app, session, adapter, prompt } = await desk();
    const journal = new FileJournal(path());
    journal.append({ kind: 'run', version: 1, run: 'r', prompt: 'a/desk', text: 'T', session: null });
    const before = readFileSync(journal.path, 'utf8');
    await expect(app.evaluate(prompt, { adapter, session, journal })).rejects.toMatchObject({ code: 'E709' });
    expect(readFileSync(journal.path, 'utf8')).toBe(before);
  });

  test.each<[string, readonly JournalEntry[]]>([
    ['of another prompt', [{ kind: 'run', version: 1, run: 'r', prompt: 'a/other', text: 'T', session: null }]],
    ['without its beginning', [answer(1)]],
    ['of a later version', [{ kind: 'run', version: 2 as 1, run: 'r', prompt: 'a/desk', text: 'T', session: null }]],
    [
      'twice begun',
      [
        { kind: 'run', version: 1, run: 'r', prompt: 'a/desk', text: 'T', session: null },
        { kind: 'run', version: 1, run: 's', prompt: 'a/desk', text: 'T', session: null },
      ],
    ],
  ])('a journal %s cannot be continued', async (_what, entries) => {
    const { app, session, adapter, prompt } = await desk();
    const journal: Journal = { entries: () => entries, append: () => undefined };
    await expect(app.evaluate(prompt, { adapter, session, journal, resume: true })).rejects.toMatchObject({
      code: 'E709',
    });
    expect(adapter.requests).toHaveLength(0);
  });

  test('a finished run, continued, makes no request and returns the same', async () => {
    const journal = new FileJournal(path());
    const first = await desk();
    const { text, transcript } = await first.app.evaluate(first.prompt, { ...first, journal });
    const again = await desk();
    const continued = await again.app.evaluate(again.prompt, { ...again, journal, resume: true });
    expect(continued).toMatchObject({ text, transcript });
    expect(again.adapter.requests).toHaveLength(0);
    expect(again.session.slice(Note).all()).toEqual([new Note('x')]);
  });

  test('DUR-04 a full disk: the call fails, nothing of it is kept, and the run ends with a code', async () => {
    const { app, session, adapter, prompt } = await desk();
    const entries: JournalEntry[] = [];
    const journal: Journal = {
      entries: () => entries,
      append: (entry) => {
        if (entry.kind === 'call')
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        entries.push(entry);
      },
    };
    const error: unknown = await app.evaluate(prompt, { adapter, session, journal }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PromptEvaluationError', code: 'E709' });
    expect((error as Error).message).toContain('ENOSPC: no space left on device');
    expect(session.slice(Note).all()).toEqual([]);
  });

  test('a call that was written down and could not be committed is not there when the run is continued', async () => {
    class Broken implements Transactional<Broken> {
      begin(): Broken {
        return new Broken();
      }

      commit(): void {
        throw new Error('no disk');
      }
    }
    const policyTransaction = defineTool({
      name: 'note',
      description: 'Notes.',
      handler: (_params: unknown, context: ToolContext) => {
        context.session.dispatch(new Note('x'));
        context.resources.get(Broken);
      },
    });
    const Desk = definePrompt({
      ns: 'a',
      key: 'desk',
      sections: [defineSection({ key: 's', title: 'S', tools: [policyTransaction] })],
    });
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const app = await createApplication({
      prompts: [Desk],
      logger,
      resources: [bind(Broken, { value: new Broken() })],
    });
    const journal = new FileJournal(path());
    const script = [{ toolCalls: [{ name: 'note', arguments: {} }] }, { text: 'Done.' }];
    const runIn = async (session: Session) => {
      const adapter = new ScriptedModel(script);
      await app.evaluate(app.prompt(Desk), { adapter, session, journal, resume: true });
      return session.slice(Note).all();
    };
    expect(await runIn(new Session({ slices: [Note] }))).toEqual([]);
    expect(await runIn(new Session({ slices: [Note] }))).toEqual([]);
  });

  test('a failed call that cannot be recorded is published on the bus all the same', async () => {
    const { app, session, prompt } = await desk();
    const heard: ToolInvoked[] = [];
    app.eventBus.subscribe(ToolInvoked, (event) => void heard.push(event));
    const journal: Journal = {
      entries: () => [],
      append: ({ kind }) => {
        if (kind === 'call') throw new Error('ENOSPC');
      },
    };
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'no_such_tool', arguments: {} }] }]);
    await expect(app.evaluate(prompt, { adapter, session, journal })).rejects.toMatchObject({ code: 'E709' });
    expect(heard).toMatchObject([{ name: 'no_such_tool', result: null, error: { code: 'E709' } }]);
  });

  test('what was spent before counts when the run is continued', async () => {
    const journal = new FileJournal(path());
    const first = await desk();
    await first.app.evaluate(first.prompt, { ...first, journal });
    const again = await desk();
    const budget = new BudgetTracker(new Budget({ maxToolCalls: 5 }));
    await again.app.evaluate(again.prompt, { ...again, journal, resume: true, budget });
    expect(budget.toolCalls).toBe(1);
  });

  test('a session whose slices have no names cannot be recorded, and says so', async () => {
    const { app, adapter, prompt } = await desk();
    const journal: Journal = { entries: () => [], append: () => undefined };
    const running = app.evaluate(prompt, { adapter, session: new Session(), journal });
    await expect(running).rejects.toMatchObject({ code: 'E709', cause: { code: 'E805' } });
    await expect(running).rejects.toThrow('new Session({ slices: [Note] })');
  });
});
