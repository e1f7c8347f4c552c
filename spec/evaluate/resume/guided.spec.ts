import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Session,
  ToolContext,
  type ModelRequest,
  type ModelResponse,
} from 'toolwright';
import { Filesystem, InMemoryFilesystem } from 'toolwright/filesystem';
import type { JournalEntry } from 'toolwright/journal';
import { StaticFeedback, type CompletionChecker } from 'toolwright/policies';
import { MemoryJournal } from '../../support/MemoryJournal';

class Line {
  @Field('Item') item!: string;
}

/** Everything that was written down before a process ended. */
class SavedEntry extends MemoryJournal {
  readonly #fails: (entry: JournalEntry) => boolean;

  constructor(written: readonly JournalEntry[] = [], fails: (entry: JournalEntry) => boolean = () => false) {
    super(written);
    this.#fails = fails;
  }

  override append(entry: JournalEntry): void {
    if (this.#fails(entry)) throw new Error('disk full');
    super.append(entry);
  }
}

const call = (name: string, id: string) => ({ id, name, arguments: {} });
const script: readonly Pick<ModelResponse, 'text' | 'toolCalls'>[] = [
  { text: null, toolCalls: [call('work', 'a'), call('make', 'b'), call('work', 'c')] },
  { text: 'Early.', toolCalls: [] },
  { text: null, toolCalls: [call('work', 'd'), call('fail', 'e')] },
  { text: 'Done.', toolCalls: [] },
];

/**
 * A run with guidance after every second call and when a file appears, of which the first answer is refused; continued from
 * a journal in a process of its own, but with the files that were written by then.
 */
async function runOn(journal: SavedEntry) {
  const files = new InMemoryFilesystem();
  if (journal.written.some((entry) => entry.kind === 'call' && entry.name === 'make'))
    await files.write('AGENTS.md', '');
  const session = new Session({ id: 's', slices: [Line] });
  const warnings: string[] = [];
  const judged: string[] = [];
  const asked: number[] = [];
  const add = ({ session: state }: ToolContext) => {
    state.dispatch(Object.assign(new Line(), { item: 'x' }));
  };
  const tools = [
    defineTool({
      name: 'work',
      description: 'Works.',
      handler: (_params: unknown, context: ToolContext) => {
        add(context);
      },
    }),
    defineTool({
      name: 'make',
      description: 'Makes a file.',
      async handler(_params: unknown, context: ToolContext) {
        add(context);
        await context.filesystem?.write('AGENTS.md', '');
      },
    }),
    defineTool({
      name: 'fail',
      description: 'Fails.',
      handler: () => {
        throw new Error('no');
      },
    }),
  ];
  const enough: CompletionChecker = {
    name: 'enough',
    check: ({ text }, scope) => {
      judged.push(String(text));
      const count = scope.session.slice(Line).all().length;
      return count >= 4 ? { complete: true } : { complete: false, feedback: `${String(4 - count)} are missing.` };
    },
  };
  const feedback = [
    new StaticFeedback('Second.', { everyCalls: 2 }),
    new StaticFeedback('Read AGENTS.md.', { fileCreated: 'AGENTS.md' }),
  ];
  const desk = defineSection({ key: 'desk', title: 'Desk', tools, feedback });
  const type = definePrompt({ ns: 'spec', key: 'guided', sections: [desk], completion: [enough] });
  const app = await createApplication({
    prompts: [type],
    ids: () => 'run',
    logger: { debug() {}, info() {}, warn: (message) => void warnings.push(message), error() {} },
    resources: [bind(Filesystem, { value: files })],
  });
  const adapter = {
    name: 'scripted (not a model)',
    // A model answers by what was said, not by how often this process has asked.
    complete: async ({ messages }: ModelRequest): Promise<ModelResponse> => {
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      asked.push(turn + 1);
      const { text, toolCalls } = script[turn] ?? { text: 'Again.', toolCalls: [] };
      return { text, toolCalls, finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop', usage: undefined };
    },
  };
  const { text, complete, turns, transcript } = await app.evaluate(app.prompt(type), {
    adapter,
    session,
    journal,
    resume: true,
  });
  return { response: { text, complete, turns, transcript }, warnings, judged, asked };
}

const KINDS = [
  ...['run', 'answer', 'call', 'call', 'feedback', 'feedback', 'call'],
  ...['answer', 'verdict', 'answer', 'call', 'feedback', 'call', 'answer', 'verdict'],
];

describe('a guided run that is continued', () => {
  test('writes down what was said after a call, and what was found of an answer', async () => {
    const journal = new SavedEntry();
    const { response, warnings } = await runOn(journal);
    expect(response).toMatchObject({ text: 'Done.', complete: true, turns: 4 });
    expect(journal.written.map(({ kind }) => kind)).toEqual(KINDS);
    expect(journal.written.filter(({ kind }) => kind === 'feedback')).toEqual([
      { kind: 'feedback', turn: 1, position: 1, by: 0, text: 'Second.' },
      { kind: 'feedback', turn: 1, position: 1, by: 1, text: 'Read AGENTS.md.' },
      { kind: 'feedback', turn: 3, position: 0, by: 0, text: 'Second.' },
    ]);
    expect(journal.written.filter(({ kind }) => kind === 'verdict')).toEqual([
      { kind: 'verdict', turn: 2, complete: false, feedback: '1 are missing.' },
      { kind: 'verdict', turn: 4, complete: true, feedback: '' },
    ]);
    // A call is recorded before it is committed, and so before any feedback about it.
    expect(journal.written[3]).toMatchObject({ kind: 'call', name: 'make', text: 'OK' });
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('fail')]));
  });

  const prefixes = KINDS.map((kind, index) => [index + 1, kind] as const);
  // It is unknown whether feedback would have followed these.
  const unspoken = prefixes.filter(([length]) => KINDS[length] === 'feedback').map(([length]) => length);

  test.each(prefixes.filter(([length]) => !unspoken.includes(length)))(
    'continued from its first %i entries (the last one: %s), a guided run reaches the same conversation, and asks and judges nothing twice',
    async (length) => {
      const whole = new SavedEntry();
      const expected = await runOn(whole);
      const journal = new SavedEntry(whole.written.slice(0, length));
      const { response, asked, judged } = await runOn(journal);
      expect(response).toEqual(expected.response);
      expect(journal.written).toEqual(whole.written);
      const kept = whole.written.slice(0, length);
      const turnsOf = (kind: 'answer' | 'verdict') => kept.filter((entry) => entry.kind === kind).length;
      expect(asked).toEqual([1, 2, 3, 4].slice(turnsOf('answer')));
      expect(judged).toEqual(['Early.', 'Done.'].slice(turnsOf('verdict')));
    },
  );

  test.each(unspoken)(
    'continued from its first %i entries, a guided run misses only the message that was about to be sent',
    async (length) => {
      const whole = new SavedEntry();
      await runOn(whole);
      const journal = new SavedEntry(whole.written.slice(0, length));
      const { response } = await runOn(journal);
      expect(response).toMatchObject({ text: 'Done.', complete: true, turns: 4 });
      expect(journal.written.slice(0, length)).toEqual(whole.written.slice(0, length));
    },
  );

  test('guidance that cannot be recorded is left out, and the run continues', async () => {
    const { response, warnings } = await runOn(new SavedEntry([], ({ kind }) => kind === 'feedback'));
    expect(response).toMatchObject({ text: 'Done.', complete: true });
    expect(JSON.stringify(response.transcript)).not.toContain('Guidance');
    expect(warnings.filter((message) => message.startsWith('Feedback provider static failed'))).toHaveLength(3);
  });

  test('a verdict that cannot be written down ends the run', async () => {
    await expect(runOn(new SavedEntry([], ({ kind }) => kind === 'verdict'))).rejects.toMatchObject({ code: 'E709' });
  });
});
