import * as fastCheck from 'fast-check';
import { createApplication, definePrompt, defineSection, defineTool, Param, Session } from 'toolwright';
import { proveTools } from '../src/prove/proveTools';
import { createHostile, createValid } from '../src/prove/createArguments';
import { judgeFailure } from '../src/prove/judge';
import { listFindings, type ProofSheet } from '../src/prove/ProofSheet';
import { compareSnapshots, takeSnapshot, writeTrace } from '../src/prove/Snapshot';
import { describeMark, summarizeSheet, writeMarkdown, writePage } from '../src/prove/writeSheet';

// Specs get the types of the CommonJS build, sources the types of the ES module.
const library = fastCheck as unknown as Parameters<typeof createValid>[0];
const change = { path: 'mails[0]', before: undefined, after: '"hello"' };
const failed = { kind: 'failed', result: {} as never, text: '' } as const;

class PinParams {
  @Param({ description: 'PIN', type: String, secret: true, pattern: '^[0-9]{4}$' }) pin!: string;
}

test('a proof hides the secret arguments of its calls', async () => {
  const kept: string[] = [];
  const open = defineTool({
    name: 'open',
    description: 'Opens.',
    params: PinParams,
    hints: { openWorld: false },
    handler: ({ pin }) => {
      kept.push(pin);
      return 'Opened.';
    },
  });
  const safe = defineSection({ key: 'safe', title: 'Safe', template: 'Open it.', tools: [open] });
  const prompt = definePrompt({ ns: 'bank', key: 'safe', sections: [safe] });
  const exported: Readonly<Record<string, unknown>> = { examples: { open: [{ pin: '7391' }] }, outside: { kept } };
  const sheet = await proveTools(library, {
    open: async ({ runMetadata }) => {
      const app = await createApplication({ prompts: [prompt] });
      return {
        app,
        runMetadata,
        place: 'app.ts',
        format: 'commonjs',
        session: () => Promise.resolve(new Session()),
        adapter: () => Promise.resolve(undefined),
        runs: () => Promise.resolve(undefined),
        read: (name) => Promise.resolve(exported[name]),
        close: () => app.close(),
      };
    },
    prompt: undefined,
    runMetadata: {},
    timeoutMs: 1_000,
    signal: new AbortController().signal,
    folder: '.',
    tools: undefined,
    faults: ['call', 'throw'],
    runs: undefined,
    seed: 1,
    act: false,
    part: { app: undefined, prompt: undefined, metadata: [], timeoutMs: 1_000 },
    onProgress: () => undefined,
  });
  expect(kept.every((pin) => pin === '7391')).toBe(true);
  expect(listFindings(sheet).map(({ fault }) => fault)).toEqual(['throw']);
  expect(JSON.stringify(sheet)).toContain('[secret]');
  expect(JSON.stringify(sheet)).not.toContain('7391');
});

describe('a judgement of a failed call', () => {
  test('refutes a claim only where the hints make one', () => {
    const left = { inside: [], outside: [change] };
    const marks = [{ openWorld: false }, { readOnly: true }, { idempotent: true }, {}].map((hints) => {
      const { mark, broken } = judgeFailure(left, hints, failed);
      return [mark, broken !== undefined];
    });
    expect(marks).toEqual([
      ['trace', true],
      ['trace', true],
      ['keyed', false],
      ['unknown', false],
    ]);
  });

  test('refutes the rollback of session and resources for every tool, unless the outcome names the changes', () => {
    const left = { inside: [change], outside: [] };
    expect(judgeFailure(left, {}, failed)).toMatchObject({ mark: 'trace', broken: expect.any(String) as string });
    expect(judgeFailure(left, {}, { ...failed, rolledBack: false })).toMatchObject({ mark: 'unknown' });
  });

  test('does not call it traceless if the tool may act where it cannot be seen', () => {
    const nothing = { inside: [], outside: [] };
    expect(judgeFailure(nothing, {}, failed).mark).toBe('unknown');
    expect(judgeFailure(nothing, { openWorld: false }, failed).mark).toBe('none');
  });
});

describe('a snapshot', () => {
  test('shows maps, sets, lists and fields of instances, follows cycles once, and runs no getter', () => {
    class Outbox {
      readonly sent = ['one'];
      readonly byName = new Map([['ada', new Set([1])]]);
      readonly self = this;
      get broken(): never {
        throw new Error('a getter ran');
      }
    }
    const outbox = new Outbox();
    const before = takeSnapshot({ outbox });
    outbox.sent.push('two');
    outbox.byName.get('ada')?.add(2);
    expect(writeTrace(compareSnapshots(before, takeSnapshot({ outbox })))).toEqual([
      'outbox.sent[1]: nothing → "two"',
      'outbox.byName["ada"][1]: nothing → 2',
    ]);
  });

  test('leaves out objects that another snapshot shows', () => {
    const store = { rows: [1] };
    expect([...takeSnapshot({ section: { store } }, [store]).keys()]).toEqual([]);
  });

  test('shows the removal of the last entry', () => {
    const before = takeSnapshot({ list: ['one'] });
    expect(writeTrace(compareSnapshots(before, takeSnapshot({ list: [] })))).toEqual(['list[0]: "one" → nothing']);
  });
});

describe('created arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^#W\\d{7}$' },
      pieces: { type: 'integer', minimum: 1, maximum: 3 },
      kind: { enum: ['tea', 'pie'] },
      tags: { type: 'array', items: { type: 'string', maxLength: 2 }, maxItems: 2 },
    },
    required: ['id', 'pieces'],
  };

  test('match the schema, and are the same for the same seed', () => {
    const created = createValid(library, schema, 50, 3);
    for (const text of created) {
      const { id, pieces, kind = 'tea' } = JSON.parse(text) as Record<string, unknown>;
      expect(id).toMatch(/^#W\d{7}$/);
      expect([1, 2, 3]).toContain(pieces);
      expect(['tea', 'pie']).toContain(kind);
    }
    expect(createValid(library, schema, 50, 3)).toEqual(created);
    expect(createValid(library, schema, 50, 4)).not.toEqual(created);
  });

  test('that are hostile include a long text, a key of the prototype, and text that is not JSON', () => {
    const base = '{"id":"#W1234567","pieces":1}';
    const created = createHostile(library, schema, { base, count: 5, seed: 1 });
    expect(Math.max(...created.map(({ length }) => length))).toBeGreaterThan(1_000_000);
    expect(created).toEqual(expect.arrayContaining(['{"a":NaN}', '{"__proto__":{"polluted":true}}', '{"pieces":1}']));
  });
});

describe('a sheet', () => {
  const result = {
    fault: 'throw',
    mark: 'trace',
    note: 'It stayed.',
    trace: ['a: 1 → `2`'],
    broken: 'a <b> | c',
  } as const;
  const kept = { fault: 'call', mark: 'trace', note: 'Its work.', trace: [] } as const;
  const sheet: ProofSheet = {
    prompt: 'shop/desk',
    seed: 1,
    faults: ['call', 'throw'],
    notes: ['A note.'],
    tools: [
      { tool: 'add', hints: { openWorld: false }, results: [kept, result] },
      { tool: 'send', hints: {}, skipped: 'It may act outside.', results: [] },
    ],
  };

  test('lists only results that break a claim as findings', () => {
    expect(listFindings(sheet).map(({ fault, tool }) => [tool, fault])).toEqual([['add', 'throw']]);
    expect([describeMark(kept), describeMark(result)]).toEqual(['its work', '✘ trace']);
    expect(summarizeSheet(sheet)).toBe('1 tool proved, 1 not proved, 1 claims more than it holds');
  });

  test('escapes texts of tools in Markdown and HTML', () => {
    const markdown = writeMarkdown(sheet);
    expect(markdown).toContain('Claim: a &lt;b> \\| c.');
    expect(markdown).toContain("a: 1 → '2'");
    expect(markdown).toContain('- `send`: It may act outside.');
    expect(writePage(sheet)).toContain('a &lt;b&gt; | c');
  });
});
