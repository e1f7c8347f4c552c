import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type ApplicationOptions,
  createApplication,
  Param,
  Prompt,
  Reducer,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  ToolContext,
} from 'toolwright';
import { ReplayModel, ScriptedModel } from 'toolwright/testing';
import {
  readBundle,
  recordBundle,
  replayOf,
  replayTest,
  stateAt,
  type Bundle,
  type BundleEntry,
} from 'toolwright/bundles';

async function desk(options: Partial<ApplicationOptions> = {}) {
  class Counted {
    constructor(readonly by = 1) {}
  }

  class Counter {
    constructor(readonly count = 0) {}

    @Reducer(() => Counted)
    add({ by }: Counted): SliceOp<Counter> {
      return SliceOps.replace(new Counter(this.count + by));
    }
  }

  class CountParams {
    @Param('By how much')
    by!: number;
  }

  class LoginParams {
    @Param({ description: 'The password', secret: true })
    password!: string;
  }

  @Section({ title: 'Counting', template: 'Count when asked to.' })
  class CountingSection {
    @Tool('Count.')
    count({ by }: CountParams, { session }: ToolContext): string {
      session.dispatch(new Counted(by));
      if (by > 100) throw new RangeError('That is too much.');
      return `Counted ${String(by)}.`;
    }

    @Tool('Log in.')
    login({ password }: LoginParams): string {
      return `Logged in with ${password}.`;
    }
  }

  @Prompt({ ns: 'tests', key: 'desk', sections: [CountingSection] })
  class Desk {}

  const app = await createApplication({ prompts: [Desk], logger: silent, ...options });
  const session = new Session({ slices: [Counter] });
  return { app, prompt: app.prompt(Desk), session, Counter };
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const counts = (...by: readonly number[]) =>
  by.map((each) => ({ toolCalls: [{ name: 'count', arguments: { by: each } }] }));
const messages = [{ role: 'user', content: 'Count.' }] as const;

/** Records one run and reads the recording back. */
async function recorded(
  script: ConstructorParameters<typeof ScriptedModel>[0],
  options: Partial<ApplicationOptions> = {},
) {
  const parts = await desk(options);
  const recording = recordBundle(parts.app);
  const { app, prompt, session } = parts;
  await app
    .evaluate(prompt, { adapter: new ScriptedModel(script), session, messages, runId: 'run-1' })
    .catch(() => null);
  recording.stop();
  return { ...parts, recording, text: recording.text(), bundle: await readBundle(recording.text()) };
}

const ofKind = <K extends BundleEntry['kind']>({ entries }: Bundle, kind: K) =>
  entries.filter((entry): entry is Extract<BundleEntry, { kind: K }> => entry.kind === kind);

describe('a bundle', () => {
  test('a bundle holds the run: rendering, requests, calls with their attempts, events, state and the end', async () => {
    const { bundle, session } = await recorded([...counts(2, 500, 3), { text: 'Five.' }]);
    expect(bundle.head).toMatchObject({ format: 'toolwright/bundle', version: 1 });
    expect(ofKind(bundle, 'rendering')).toMatchObject([
      { prompt: 'tests/desk', sections: [{ title: 'Counting' }], tools: [{ name: 'count' }, { name: 'login' }] },
    ]);
    expect(ofKind(bundle, 'run')).toMatchObject([{ run: 'run-1', prompt: 'tests/desk', session: session.id }]);
    expect(ofKind(bundle, 'request')).toMatchObject([{ turn: 1, messages }, { turn: 2 }, { turn: 3 }, { turn: 4 }]);
    expect(ofKind(bundle, 'answer').map(({ text }) => text)).toEqual([null, null, null, 'Five.']);
    const calls = ofKind(bundle, 'call');
    expect(calls).toMatchObject([{ name: 'count', arguments: { by: 2 } }, { name: 'count' }, { name: 'count' }]);
    expect(ofKind(bundle, 'attempt').map(({ of }) => of)).toEqual(calls.map(({ seq }) => seq));
    expect(ofKind(bundle, 'outcome').map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'succeeded']);
    const invoked = ofKind(bundle, 'event').filter(({ type }) => type === 'ToolInvoked');
    expect(invoked.map(({ of }) => of)).toEqual(calls.map(({ seq }) => seq));
    expect(ofKind(bundle, 'end')).toMatchObject([{ how: 'answered', turns: 4 }]);
    expect(bundle.entries.map(({ seq }) => seq)).toEqual(bundle.entries.map((_entry, index) => index));
  });

  test('a bundle shows the state at each entry, in which a failed call has left nothing', async () => {
    const { bundle, session } = await recorded([...counts(2, 500, 3), { text: 'Five.' }]);
    const [first, failed, last] = ofKind(bundle, 'outcome');
    const at = (seq?: number) => stateAt(bundle.entries, session.id, seq)['Counter'];
    expect(at(first?.seq)).toBeUndefined();
    expect(at(failed?.seq)).toEqual([{ count: 2 }]);
    expect(at(last?.seq)).toEqual([{ count: 2 }]);
    expect(at()).toEqual([{ count: 5 }]);
  });

  test('a bundle names the call in which a handler or a failing run ends', async () => {
    const { bundle } = await recorded(counts(1));
    expect(ofKind(bundle, 'end')).toMatchObject([
      { how: 'failed', code: 'E703', problem: expect.any(String) as string },
    ]);
    expect(ofKind(bundle, 'answer').at(-1)).toMatchObject({ turn: 2, problem: expect.any(String) as string });
  });

  test('a bundle holds no secret, even where it was said before the call', async () => {
    const login = { toolCalls: [{ name: 'login', arguments: { password: 'hunter22' } }] };
    const { app, prompt, session } = await desk({ redact: (text) => text.replaceAll('CARD-4711', '[card]') });
    const recording = recordBundle(app, { redact: (text) => text.replaceAll('Ada', '[name]') });
    await app.evaluate(prompt, {
      adapter: new ScriptedModel([login, { text: 'Welcome, hunter22.' }]),
      session,
      messages: [{ role: 'user', content: 'I am Ada, my password is hunter22, my card CARD-4711.' }],
    });
    const text = recording.text();
    expect(text).not.toMatch(/hunter22|CARD-4711|Ada/);
    expect(text).toContain('I am [name], my password is [secret], my card [card].');
    expect(ofKind(await readBundle(text), 'call')).toMatchObject([{ arguments: { password: '[secret]' } }]);
  });

  test.each<[string, () => unknown]>([
    ['a number', () => 5],
    ['undefined', () => undefined],
    ['a promise', () => Promise.resolve('shown')],
    [
      'an error',
      () => {
        throw new Error('broken');
      },
    ],
  ])('a redact of its own that gives %s hides every text, and the log has one E414', async (_what, redact) => {
    const errors: string[] = [];
    const nothing = (): void => undefined;
    const error = (message: string): void => void errors.push(message);
    const { app, prompt, session } = await desk({ logger: { debug: nothing, info: nothing, warn: nothing, error } });
    const recording = recordBundle(app, { redact: redact as () => string });
    const messages = [{ role: 'user', content: 'I am Ada.' }] as const;
    const { text } = await app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'Hi.' }]), session, messages });
    expect(text).toBe('Hi.');
    expect(recording.text()).not.toContain('Ada');
    expect(recording.text()).toContain('[secret]');
    expect(errors).toEqual([expect.stringMatching(/^E414 redact: it (returned|threw)/)]);
  });

  test.each(['user', 'assistant', 'tool', 'full', 'direct', 'succeeded', 'answered'])(
    'a bundle can be read where a secret is a word of its own: %j',
    async (password) => {
      const login = { toolCalls: [{ name: 'login', arguments: { password } }] };
      const { bundle, text } = await recorded([login, login, ...counts(12), { text: `Welcome, ${password}.` }]);
      const plain = await recorded([login, { text: 'Welcome.' }]);
      expect(ofKind(bundle, 'call')[0]?.arguments).toEqual({ password: '[secret]' });
      expect(text).not.toContain(`Welcome, ${password}.`);
      expect(ofKind(bundle, 'end')[0]?.messages.map(({ role }) => role)).toContain('assistant');
      expect(ofKind(bundle, 'rendering')[0]?.sections).toEqual(ofKind(plain.bundle, 'rendering')[0]?.sections);
    },
  );

  test('a bundle has no line that it could not be read with: values that are too large are left out, and a replay says so', async () => {
    const { app, prompt, session } = await desk();
    const recording = recordBundle(app);
    const adapter = new ScriptedModel([{ text: 'Done.' }]);
    const long = Array.from({ length: 12 }, () => ({ role: 'user', content: 'a'.repeat(390_000) }) as const);
    await app.evaluate(prompt, { adapter, session, messages: long });
    const bundle = await readBundle(recording.text());
    expect(ofKind(bundle, 'request')).toMatchObject([{ messages: [], leftOut: ['messages'] }]);
    expect(ofKind(bundle, 'end')).toMatchObject([{ how: 'answered', messages: [], leftOut: ['messages'] }]);
    expect(() => replayOf(bundle)).toThrow(/E752 .*too large for a line/);
  });

  test('a bundle has no line of more values than are read, and a replay without its state is refused', async () => {
    const { app, prompt, session, Counter } = await desk();
    const counters = Array.from({ length: 60_000 }, (_none, index) => new Counter(index));
    session.slice(Counter).seed(counters);
    const recording = recordBundle(app);
    await app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'Done.' }]), session, messages });
    const bundle = await readBundle(recording.text());
    expect(ofKind(bundle, 'state')[0]).toMatchObject({ appended: {}, leftOut: ['appended'] });
    expect(() => replayOf(bundle)).toThrow(/E752 .*state of its session .*too large for a line/);
  });

  test('a bundle records what begins after it, and nothing once it is stopped', async () => {
    const { app, prompt, recording, session } = await recorded([{ text: 'One.' }]);
    const before = recording.lines().length;
    await app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'Two.' }]), session });
    expect(recording.lines()).toHaveLength(before);
    expect(before).toBeGreaterThan(5);
  });

  test('a recording that was stopped leaves no storage on, not even by a call that still runs', async () => {
    const on = new Set<AsyncLocalStorage<unknown>>();
    const { run, disable } = AsyncLocalStorage.prototype;
    const watched = {
      run(this: AsyncLocalStorage<unknown>, ...given: Parameters<typeof run>) {
        on.add(this);
        const ran: unknown = run.apply(this, given);
        return ran;
      },
      disable(this: AsyncLocalStorage<unknown>) {
        on.delete(this);
        disable.call(this);
      },
    };
    Object.assign(AsyncLocalStorage.prototype, watched);
    try {
      const { app, prompt, session } = await desk();
      for (let time = 0; time < 20; time++) {
        const recording = recordBundle(app);
        // Stopped by the first answer: the calls of the run come after it.
        const adapter = new ScriptedModel([...counts(1, 2), { text: 'Done.' }]);
        let lines = 0;
        const stopping = {
          name: 'stopping',
          complete: async (request: Parameters<typeof adapter.complete>[0]) => {
            const answer = await adapter.complete(request);
            if (time % 2 === 0) {
              recording.stop();
              lines = recording.lines().length;
            }
            return answer;
          },
        };
        await app.evaluate(prompt, { adapter: stopping, session });
        if (time % 2 === 0) expect(recording.lines()).toHaveLength(lines);
        recording.stop();
      }
      expect(on.size).toBe(0);
    } finally {
      Object.assign(AsyncLocalStorage.prototype, { run, disable });
    }
  });

  test('the newest run keeps its rendering, however much is forgotten', async () => {
    const { app, prompt, session } = await desk();
    const recording = recordBundle(app, { maxChars: 15_000, whenFull: 'forget' });
    for (let time = 0; time < 20; time++) {
      await app.evaluate(prompt, { adapter: new ScriptedModel([...counts(1), { text: 'Done.' }]), session });
      const bundle = await readBundle(recording.text());
      const { entries } = bundle;
      const last = ofKind(bundle, 'run').at(-1);
      expect(entries).toContainEqual(expect.objectContaining({ kind: 'rendering', rendering: last?.rendering }));
      expect(entries[0]?.seq === 0).toBe(time < 3);
    }
  });

  test('a bundle passes each line on as it is written', async () => {
    const { app, prompt, session } = await desk();
    const recording = recordBundle(app);
    const heard: string[] = [];
    const leave = recording.listen((line) => heard.push(line));
    await app.evaluate(prompt, { adapter: new ScriptedModel([...counts(1), { text: 'One.' }]), session });
    leave();
    expect(heard).toEqual(recording.lines().slice(1));
    await app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'Two.' }]), session });
    expect(recording.lines().length).toBeGreaterThan(heard.length + 1);
  });

  test.each([
    ['stop', 0],
    ['forget', 10],
  ] as const)('a full bundle obeys the option whenFull: %s', async (whenFull, least) => {
    const { app, prompt, session } = await desk();
    const recording = recordBundle(app, { maxChars: 6_000, whenFull });
    await app.evaluate(prompt, {
      adapter: new ScriptedModel([...counts(1, 2, 3, 4, 5, 6, 7, 8), { text: 'Done.' }]),
      session,
    });
    const { entries } = await readBundle(recording.text());
    expect(recording.isFull).toBe(true);
    expect(recording.text().length).toBeLessThan(7_000);
    if (whenFull === 'stop') expect(entries[0]?.seq).toBe(0);
    else expect(entries[0]?.seq).toBeGreaterThan(least);
  });

  test('a bundle refuses unknown options', async () => {
    const { app } = await desk();
    const options = { maxChar: 1 } as object;
    expect(() => recordBundle(app, options)).toThrow(expect.objectContaining({ code: 'E413' }) as Error);
  });
});

describe('a replay', () => {
  test('a replay gives what ReplayModel and app.evaluate need', async () => {
    const { bundle, app, prompt, Counter } = await recorded([...counts(2, 3), { text: 'Five.' }]);
    const replay = replayOf(bundle);
    expect(replay).toMatchObject({ run: 'run-1', prompt: 'tests/desk', messages, text: 'Five.' });
    const adapter = new ReplayModel(replay.transcript);
    const session = Session.fromJSON(replay.session, { slices: [Counter] });
    const response = await app.evaluate(prompt, { adapter, session, messages: replay.messages });
    adapter.assertEnded();
    expect(response.text).toBe('Five.');
    expect(session.slice(Counter).latest()?.count).toBe(5);
  });

  test('a replay gives the params of the prompt, without secrets, and a run without params gives none', async () => {
    class Customer {
      @Param('Tier')
      tier!: string;
      @Param({ description: 'Token', secret: true })
      token!: string;
    }
    @Section({ title: 'Desk', template: 'For ${tier}.', params: Customer, key: 'desk' })
    class DeskSection {}
    @Section({ title: 'Plain', template: 'For all.' })
    class PlainSection {}
    @Prompt({ ns: 'shop', key: 'bound', sections: [DeskSection] })
    class Bound {}
    @Prompt({ ns: 'shop', key: 'plain', sections: [PlainSection] })
    class Plain {}
    const app = await createApplication({ prompts: [Bound, Plain] });
    const recording = recordBundle(app);
    const bound = app.prompt(Bound).bind(Customer, { tier: 'gold', token: 't-0815' });
    for (const prompt of [bound, app.prompt(Plain)])
      await app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'Hello.' }]) });
    const bundle = await readBundle(recording.text());
    const runs = bundle.entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
    expect(runs.map((run) => replayOf(bundle, run).params)).toEqual([{ Customer: { tier: 'gold' } }, undefined]);
    expect(recording.text()).not.toContain('t-0815');
  });

  test('a replay of a run in the middle of a session begins with the state of then', async () => {
    const { app, prompt, session, Counter } = await desk();
    const recording = recordBundle(app);
    for (const runId of ['a', 'b'])
      await app.evaluate(prompt, {
        adapter: new ScriptedModel([...counts(2), { text: 'x' }]),
        session,
        messages,
        runId,
      });
    const replay = replayOf(await readBundle(recording.text()), 'b');
    expect(
      Session.fromJSON(replay.session, { slices: [Counter] })
        .slice(Counter)
        .latest()?.count,
    ).toBe(2);
  });

  test.each(['nothing', undefined])('a replay of a run that is not there is refused: %s', async (run) => {
    const { bundle } = await recorded(counts(1));
    expect(() => replayOf(bundle, run)).toThrow(expect.objectContaining({ code: 'E752' }) as Error);
  });

  test('a replay becomes the source of a test, in which texts of the bundle stay texts', async () => {
    const { bundle } = await recorded([{ text: 'Hello.' }]);
    const evil = JSON.parse(
      JSON.stringify(bundle).replaceAll('tests/desk', "'); process.exit(); ('\\u2028</script>"),
    ) as Bundle;
    const source = replayTest(evil, { promptClass: 'Desk', app: "./it's.js", runner: 'jest' });
    expect(source).toContain("import { createApp, Desk } from './it\\'s.js';");
    expect(source).toContain(
      "test('replays \\'); process.exit(); (\\'\\u2028\\u003c/script>, run run-1', async () => {",
    );
    expect(source.split('\n').filter((line) => line.startsWith('test('))).toHaveLength(1);
    expect(replayTest(bundle, { promptClass: 'a; b' })).toContain('import { createApp, AgentPrompt }');
  });
});
