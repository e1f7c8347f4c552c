import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  type ModelRequest,
  type ModelResponse,
  Session,
  ToolContext,
} from 'toolwright';
import { Conversation, type RunEntry, type LogPosition } from 'toolwright/conversations';
import { type CompletionChecker, StaticFeedback } from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { MemoryRuns } from '../../support/reopened';

class Line {
  @Field('Item') item!: string;
}

/** Everything that was recorded before a process ended, in a store that may refuse more. */
class SavedRuns extends MemoryRuns {
  readonly #refuses: RunEntry['kind'] | undefined;

  constructor(written: readonly RunEntry[] = [], refuses?: RunEntry['kind']) {
    super(written);
    this.#refuses = refuses;
  }

  override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    if (entries.some(({ kind }) => kind === this.#refuses)) throw new Error('disk full');
    await super.append(position, entries);
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
 * its record in a process of its own, but with the files that were written by then.
 */
async function runOn(store: SavedRuns) {
  const files = new InMemoryFilesystem();
  if (store.written.some((entry) => entry.kind === 'outcome' && entry.name === 'make'))
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
    conversation: await Conversation.open(store, 'guided'),
    onUnknown: 'repeat',
  });
  return { response: { text, complete, turns, transcript }, warnings, judged, asked };
}

const CALL = ['begun', 'outcome'];
const KINDS = [
  ...['conversation', 'model', 'run', 'answer', ...CALL, ...CALL, ...CALL],
  ...['answer', 'verdict', 'note', 'answer', ...CALL, ...CALL, 'answer', 'verdict', 'end'],
];

describe('a guided run that is continued', () => {
  test('records what was said after a call with the call, and what was found of an answer', async () => {
    const store = new SavedRuns();
    const { response, warnings } = await runOn(store);
    expect(response).toMatchObject({ text: 'Done.', complete: true, turns: 4 });
    expect(store.written.map(({ kind }) => kind)).toEqual(KINDS);
    const outcomes = store.written.filter((entry) => entry.kind === 'outcome');
    expect(outcomes.map(({ call: place, spoke }) => [place, spoke])).toEqual([
      ['1.0', undefined],
      ['1.1', [0, 1]],
      ['1.2', undefined],
      ['3.0', [0]],
      ['3.1', undefined],
    ]);
    expect(outcomes[1]?.message.content).toMatch(/^OK.*Second\..*Read AGENTS\.md\./s);
    expect(store.written.filter(({ kind }) => kind === 'verdict')).toMatchObject([
      { kind: 'verdict', turn: 2, complete: false, feedback: '1 are missing.' },
      { kind: 'verdict', turn: 4, complete: true, feedback: '' },
    ]);
    expect(store.written.find(({ kind }) => kind === 'note')).toMatchObject({
      turn: 2,
      about: 'verdict',
      message: { role: 'user', note: 'application', content: expect.stringContaining('1 are missing.') as string },
    });
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('fail')]));
  });

  test.each(KINDS.slice(0, -1).map((kind, index) => [index + 1, kind] as const))(
    'continued from its first %i entries (the last one: %s), a guided run reaches the same conversation, and asks and judges nothing twice',
    async (length) => {
      const whole = new SavedRuns();
      const expected = await runOn(whole);
      const kept = whole.written.slice(0, length);
      const store = new SavedRuns(kept);
      const { response, asked, judged } = await runOn(store);
      expect(response).toEqual(expected.response);
      // A call that began and is repeated begins twice.
      const isRepeated = kept.at(-1)?.kind === 'begun';
      expect(store.written).toEqual([...kept, ...whole.written.slice(isRepeated ? length - 1 : length)]);
      const turnsOf = (kind: 'answer' | 'verdict') => kept.filter((entry) => entry.kind === kind).length;
      expect(asked).toEqual([1, 2, 3, 4].slice(turnsOf('answer')));
      expect(judged).toEqual(['Early.', 'Done.'].slice(turnsOf('verdict')));
    },
  );

  test.each(['begun', 'outcome', 'verdict', 'note', 'end'] as const)(
    'an entry "%s" that cannot be recorded ends the run',
    async (kind) => {
      await expect(runOn(new SavedRuns([], kind))).rejects.toMatchObject({
        code: 'E709',
        message: expect.stringContaining('disk full') as string,
      });
    },
  );
});
