import 'reflect-metadata';
import { QuickJsSandbox, type Sandbox } from '@toolwright/programs';
import { join } from 'node:path';
import { VmSandbox } from '../../packages/contracts/spec/sandbox/VmSandbox';
import { brokenProperties } from './programs/attack';
import { differencesOf, expectationOf } from './programs/compareProgram';
import type { Attack, ExpectedResult, ProgramCase } from './programs/format';
import { loadPrograms } from './programs/loadPrograms';
import { runProgramCase } from './programs/runProgramCase';

// The runner of programs, looked at from outside: what it would overlook, no case could show.

const { cases, attacks } = loadPrograms(join(__dirname, 'cases'));
const sandbox = new QuickJsSandbox({ workers: 1 });
afterAll(() => sandbox.close());
jest.setTimeout(60_000);

const addition: ProgramCase = {
  ...{ id: 'x', area: 'basics', what: 'a case', code_js: 'console.log("a");\nawait add({ a: 1, b: 2 })' },
  tools: [
    {
      name: 'add',
      params: ['a', 'b'].map((name) => ({ name, type: 'number' })),
      returns: null,
      behaviour: { kind: 'sum', of: ['a', 'b'] },
    },
  ],
  expected: {
    success: true,
    output: 'a\n',
    return_value: 3,
    error_kind: null,
    status: 'completed',
    attempts: 1,
    tool_calls: [{ name: 'add', args: { a: 1, b: 2 }, result: 3, duration_ms_present: true }],
  },
};

describe('cases about programs', () => {
  test('all cases about programs are there', () => {
    expect([cases.length, attacks.length]).toEqual([88, 32]);
  });

  test('notice every field that comes out otherwise', async () => {
    const outcome = await runProgramCase(addition, sandbox);
    const { expected } = addition;
    expect(differencesOf(addition, outcome)).toEqual([]);
    const wrong: readonly ExpectedResult[] = [
      { ...expected, success: false },
      { ...expected, output: 'b\n' },
      { ...expected, return_value: 4 },
      { ...expected, return_value: { $not_json: 'Set' } },
      { ...expected, error_kind: 'type' },
      { ...expected, error_kind: 'paused' },
      { ...expected, status: 'failed' },
      { ...expected, attempts: 2 },
      { ...expected, tool_calls: [] },
      { ...expected, tool_calls: [{ name: 'sub' }] },
      { ...expected, tool_calls: [{ name: 'add', args: { a: 1, b: 3 } }] },
      { ...expected, tool_calls: [{ name: 'add', result: 4 }] },
      { ...expected, then: { output: 'x' } },
      { ...expected, events: [['done', null]] },
      { ...expected, probe: { host_object_after: 1 } },
      { value: 'x' },
      { raises: true },
      { ...expected, sent_to_server: [{ call_tool: 'add' }] },
      { ...expected, return_schemas: { add: null } },
    ];
    for (const each of wrong)
      expect({ each, seen: differencesOf({ ...addition, expected: each }, outcome).length > 0 }).toEqual({
        each,
        seen: true,
      });
    expect(differencesOf({ ...addition, max_ms: -10_000 }, outcome)[0]).toMatch(/^took/);
  });

  test('cases about programs take each field from the decisions of this design, and all others from the observed outcome', () => {
    const other: ExpectedResult = { output: 'b\n' };
    expect(expectationOf({ ...addition, expected_js: other })).toEqual({ ...addition.expected, ...other });
    expect(expectationOf({ ...addition, expected_js: other, ts_expected_result: { success: false } })).toEqual({
      success: false,
    });
    expect(expectationOf({ ...addition, ts_text: 't', ts_expected: 'x' })).toEqual({ value: 'x' });
    expect(expectationOf({ ...addition, ts_text: 't', ts_expected: null, expected: { value: 'y' } })).toEqual({
      value: 'y',
    });
  });

  test.each<[Partial<ProgramCase>, RegExp]>([
    [{ op: 'dance' }, /C3.*dance/],
    [{ via: 'carrier pigeon' }, /C3.*pigeon/],
    [{ op: 'mcp', mcp: { tunnels: [] } as object }, /C3.*tunnels/],
    [{ tools: [{ name: 'x', params: [], returns: null, behaviour: { kind: 'sing' } }] }, /C3.*sing/],
    [
      { tools: [{ name: 'x', params: [{ name: 'a', type: 'colour' }], returns: null, behaviour: { kind: 'const' } }] },
      /C3.*colour/,
    ],
  ])('C3 names a word that nothing knows: %o', async (more, message) => {
    await expect(runProgramCase({ ...addition, ...more }, sandbox)).rejects.toThrow(message);
  });
});

describe('attacks', () => {
  const attack = (code_js: string, more: Partial<Attack> = {}): Attack => ({
    id: 'y',
    what: 'an attack',
    tools: [],
    code_js,
    properties: [],
    limit_ms: 1_000,
    ...more,
  });

  test.each<[string, Attack]>([
    ['no_host_object', attack('"PWNED"', { properties: ['no_host_object'] })],
    ['it gave', attack('1', { expect_return: 2 })],
    ['it ended as', attack('1', { expect_error: 'timeout|memory' })],
  ])('an attack on a weak sandbox is detected: %s', async (found, each) => {
    expect((await brokenProperties(each, sandbox)).join()).toContain(found);
  });

  test('C3 names a property that nothing knows', async () => {
    await expect(brokenProperties(attack('1', { properties: ['peace'] }), sandbox)).rejects.toThrow(/C3.*peace/);
  });

  test('the attacks break node:vm', async () => {
    const vm: Sandbox = new VmSandbox();
    const escape = attacks.find(({ id }) => id === 'esc-tool-promise-ctor');
    expect(await brokenProperties(escape as Attack, vm)).not.toEqual([]);
  });
});
