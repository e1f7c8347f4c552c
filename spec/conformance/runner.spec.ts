import 'reflect-metadata';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standingAreas } from './areas';
import { differencesOf } from './compare/compareOutcome';
import { contestedCases } from './contested';
import type { ConformanceCase, Json } from './format';
import { casesOf, checked, loadCases } from './loadCases';
import { runCase } from './run/runCase';
import { Tally } from './Tally';
import { waitingCases, waitsFor } from './waiting';

const own = loadCases(join(__dirname, 'cases'));

const oneCase = (input: Json, more: Partial<ConformanceCase> = {}): ConformanceCase => ({
  id: 'x-1',
  area: 'dispatch',
  kind: 'flow',
  what: 'a case',
  input,
  expected: { steps: [] },
  ...more,
});

const prompt = (sections: readonly Json[] = []): Json => ({ ns: 'n', key: 'k', sections });

describe('case files', () => {
  test('a case id that occurs twice is refused', () => {
    const twice = oneCase({});
    expect(() => checked([twice, twice], 'folder')).toThrow(/^C1 x-1: the case id occurs twice/);
  });

  test('a folder without cases is refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    try {
      expect(() => loadCases(folder)).toThrow(/^C2: no case was found/);
      writeFileSync(join(folder, 'other.json'), '{"cases":[{"id":"p-1","code_js":"1"}]}');
      expect(() => loadCases(folder)).toThrow(/^C2: no case was found/);
      writeFileSync(join(folder, 'mine.json'), JSON.stringify({ cases: [oneCase({})] }));
      expect(loadCases(folder).map(({ id }) => id)).toEqual(['x-1']);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(existsSync(folder)).toBe(false);
  });

  test.each([
    ['{', /^C4 f.json: /],
    ['[]', /^C4 f.json: .*no list of cases/],
    [JSON.stringify({ cases: [oneCase({}), { kind: 'flow' }] }), /^C4 f.json case 1: .*no id/],
    [JSON.stringify({ cases: [{ ...oneCase({}), expected: undefined }] }), /^C4 f.json case 0: .*no expected/],
    [JSON.stringify({ cases: [{ ...oneCase({}), input: 'text' }] }), /^C4 f.json case 0: .*no input/],
  ])('%s is no case file', (text, message) => {
    expect(() => casesOf('f.json', text)).toThrow(message);
  });
});

describe('phrases', () => {
  const handler = (...steps: readonly Json[]): Json =>
    prompt([{ key: 'a', title: 'A', tools: [{ name: 't', description: 'd', handler: steps }] }]);

  test.each<[word: string, input: Json]>([
    ['flow input "extra"', { prompt: prompt(), steps: [], extra: 1 }],
    ['step "jump"', { prompt: prompt(), steps: [{ jump: true }] }],
    ['prompt "tone"', { prompt: { ...prompt(), tone: 'soft' }, steps: [] }],
    ['section "colour"', { prompt: prompt([{ key: 'a', title: 'A', colour: 1 }]), steps: [] }],
    ['section kind "odd"', { prompt: prompt([{ kind: 'odd' }]), steps: [] }],
    ['planning section "colour"', { prompt: prompt([{ kind: 'planning', colour: 1 }]), steps: [] }],
    ['vfs section "colour"', { prompt: prompt([{ kind: 'vfs', colour: 1 }]), steps: [] }],
    ['strategy "odd"', { prompt: prompt([{ kind: 'planning', strategy: 'odd' }]), steps: [] }],
    ['enabled "maybe"', { prompt: prompt([{ key: 'a', title: 'A', enabled: { maybe: 1 } }]), steps: [] }],
    ['do "sing"', { prompt: handler({ do: 'sing' }), steps: [] }],
    ['throw "OddError"', { prompt: handler({ do: 'throw', error: 'OddError' }), steps: [] }],
    ['policy "odd"', { prompt: { ...prompt(), policies: [{ odd: {} }] }, steps: [] }],
    [
      'read-before-write policy "odd"',
      { prompt: { ...prompt(), policies: [{ read_before_write: { odd: 1 } }] }, steps: [] },
    ],
    ['slice "Odd"', { prompt: handler({ do: 'session.append', slice: 'Odd', value: {} }), steps: [] }],
    ['slice "Odd"', { prompt: prompt(), steps: [], observe: { session: ['Odd'] } }],
    ['type "Odd"', { prompt: prompt(), steps: [{ bind: [{ $type: 'Odd' }] }] }],
    [
      'type "colour"',
      { prompt: prompt(), steps: [], types: { P: { fields: [{ name: 'c', type: { list: 'colour' } }] } } },
    ],
    [
      'meta "colour"',
      { prompt: prompt(), steps: [], types: { P: { fields: [{ name: 'c', type: 'str', meta: { colour: 1 } }] } } },
    ],
    [
      'reducer "odd"',
      {
        prompt: prompt(),
        steps: [],
        types: { P: { fields: [] } },
        session: { reducers: [{ slice: 'P', reducer: 'odd' }] },
      },
    ],
  ])('%s is unknown, and the fault names the case', (word, input) => {
    expect(() => waitsFor(oneCase(input))).toThrow(`C3 x-1: the runner does not know this word: ${word}`);
  });

  test('an unknown kind is a fault of the runner, whether a case or a list names it', async () => {
    const odd = oneCase({}, { kind: 'odd' });
    expect(() => waitsFor(odd)).toThrow('C3 x-1: the runner does not know this word: kind "odd"');
    await expect(runCase(odd)).rejects.toThrow('C3 x-1: the runner does not know this word: kind "odd"');
  });
});

describe('scopes of resources', () => {
  test('a case may work in scopes of calls, one within another', async () => {
    const testCase = oneCase(
      {
        names: ['T', 'S'],
        bindings: [
          { name: 'T', scope: 'tool_call', deps: ['S'], closes: true },
          { name: 'S', closes: true },
        ],
        ops: [{ tool_scope: [{ get: 'T' }, { tool_scope: [{ get: 'T' }] }, { get: 'T' }] }, { get: 'T' }],
      },
      {
        area: 'resources',
        kind: 'resources',
        expected: {
          ops: [{ tool_scope: [{ got: 'T#1' }, { tool_scope: [{ got: 'T#2' }] }, { got: 'T#1' }] }, { got: 'T#3' }],
          log: [
            ...['create S#1', 'create T#1', 'create T#2', 'close T#2', 'close T#1', 'create T#3'],
            ...['close T#3', 'close S#1'],
          ],
        },
      },
    );
    expect(waitsFor(testCase)).toBeUndefined();
    expect(differencesOf(testCase, await runCase(testCase))).toEqual([]);
  });
});

describe('ready-made sections', () => {
  test('a case may begin with a plan, written as any other record', async () => {
    const plan = {
      $type: 'Plan',
      objective: 'Ship',
      status: 'active',
      steps: [{ $type: 'PlanStep', step_id: 1, title: 'one', status: 'done' }],
    };
    const testCase = oneCase(
      {
        prompt: prompt([{ kind: 'planning', strategy: 'plan_act_reflect' }]),
        session: { seed: { Plan: [plan] } },
        steps: [{ call: { name: 'planning_read_plan' } }],
        observe: { session: ['Plan'] },
      },
      { expected: { steps: [{ results: [{ success: true, value: plan }] }], final: { session: { Plan: [plan] } } } },
    );
    expect(waitsFor(testCase)).toBeUndefined();
    expect(differencesOf(testCase, await runCase(testCase))).toEqual([]);
  });

  test('a case may bring files along with a section, and work on them', async () => {
    const testCase = oneCase(
      {
        prompt: prompt([{ key: 'a', title: 'A', children: [{ kind: 'vfs', files: { 'a.txt': '1' } }] }]),
        filesystem: { 'b.txt': '2' },
        steps: [
          { render: true },
          { call: { name: 'write_file', arguments: { path: 'c/d.txt', content: '3' } } },
          { call: { name: 'rm', arguments: { path: '../b.txt' } } },
        ],
      },
      {
        expected: {
          steps: [
            { tools: ['ls', 'read_file', 'write_file', 'edit_file', 'glob', 'grep', 'rm'] },
            { results: [{ success: true }] },
            { results: [{ success: false, value: null }] },
          ],
          final: { files: { 'a.txt': '1', 'b.txt': '2', 'c/d.txt': '3' } },
        },
      },
    );
    expect(waitsFor(testCase)).toBeUndefined();
    expect(differencesOf(testCase, await runCase(testCase))).toEqual([]);
  });
});

describe('waiting cases', () => {
  test('the list names exactly those of our own cases whose area is implemented and whose phrases are not', () => {
    const found = own
      .filter(({ area }) => standingAreas.has(area))
      .flatMap((testCase) => {
        const reason = waitsFor(testCase);
        return reason === undefined ? [] : [{ id: testCase.id, waitsFor: reason }];
      });
    const byId = (left: { id: string }, right: { id: string }): number => left.id.localeCompare(right.id);
    expect(found.sort(byId)).toEqual([...waitingCases].sort(byId));
  });

  test('every implemented area has cases', () => {
    const areas = new Set(own.map(({ area }) => area));
    expect([...standingAreas].filter((area) => !areas.has(area))).toEqual([]);
  });

  test('at most ten cases are contested, and each is ours', () => {
    const ids = new Set(own.map(({ id }) => id));
    expect(contestedCases.length).toBeLessThanOrEqual(10);
    expect(contestedCases.filter(({ id, contract }) => !ids.has(id) || contract === '')).toEqual([]);
  });
});

describe('the tally', () => {
  test('the tally counts each case once, and one that was never settled as failed', () => {
    const tally = new Tally(['a', 'b', 'c'].map((id) => oneCase({}, { id })));
    tally.settle('a', 'failed');
    tally.settle('a', 'as reference');
    tally.settle('b', 'waiting');
    expect(tally.isComplete).toBe(false);
    expect(tally.line()).toBe(
      'conformance: 3 cases, 1 as reference, 0 decided differently, 0 contested, 1 waiting, 1 failed',
    );
    expect(() => {
      tally.settle('z', 'waiting');
    }).toThrow(/^C4 z/);
  });
});

describe('the sensitivity of the run', () => {
  const running = own.filter((testCase) => standingAreas.has(testCase.area) && waitsFor(testCase) === undefined);

  test('changing any one value of any expectation is noticed', async () => {
    const unnoticed: string[] = [];
    for (const testCase of running) {
      const outcome = await runCase(testCase);
      const expected = testCase.ts_expected ?? testCase.expected;
      for (const path of leavesOf(expected, [])) {
        const changed = { ...testCase, expected: changedAt(expected, path), ts_expected: undefined };
        if (differencesOf(changed, outcome).length === 0) unnoticed.push(`${testCase.kind} ${path.join('.')}`);
      }
    }
    // What the format does not want compared: what the errors of tools call a placeholder, titles of schemas, what an
    // unreadable answer was to become, what policies remember, what is said of a task that is complete, and how the reference's own provider is asked.
    const places = unnoticed.map((place) => place.replace(/\.\d+\./g, '.*.').replace(/(PolicyState)\..*/, '$1'));
    expect([...new Set(places)]).toEqual([
      ...['tool error.placeholder', 'schema schema.title', 'output error.params_type'],
      ...['flow final.session.PolicyState', 'completion has_feedback'],
      ...['loop response.prompt_name', 'loop requests.*.tool_choice', 'loop requests.*.has_response_format'],
    ]);
  });
});

type Path = readonly (string | number)[];

/** The places of all values that are no containers, and of all empty lists. */
function leavesOf(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, entry]) => leavesOf(entry, [...path, key]));
}

function changedAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return another(value);
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = changedAt(copy[key], rest);
  return copy;
}

function another(value: unknown): unknown {
  if (value === 'ProviderError') return 'UnboundResourceError';
  if (typeof value === 'string') return /Error$|Required$/.test(value) ? 'ProviderError' : `${value}!`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? ['more'] : { more: 1 };
}
