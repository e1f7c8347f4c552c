import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runComparison } from '../../../samples/20-retail-desk/compare.js';
import { canonicalJson, hashOf, hashOfResult } from '../../../samples/20-retail-desk/comparison/canonicalJson.js';
import { generateRetailData } from '../../../samples/20-retail-desk/generate.js';
import type { OrderRow } from '../../../samples/20-retail-desk/store/rows.js';

const data = generateRetailData(11);
const pending = Object.values(data.orders).find((order) => order.status === 'pending')!;
const delivered = Object.values(data.orders).find((order) => order.status === 'delivered')!;
const address = { address1: '5 Elm Court', address2: '', city: 'Reno', state: 'NV', country: 'USA', zip: '89501' };
const moved: OrderRow = { ...pending, address };

const moveCall = {
  name: 'modify_pending_order_address',
  args: { order_id: pending.order_id, ...address },
  kind: 'json',
  sha: hashOf(moved),
  error: false,
};
const move = {
  set: 'hand',
  i: 1,
  calls: [moveCall],
  changed: { orders: { [pending.order_id]: hashOf(moved) } },
};
const lookUp = {
  set: 'hand',
  i: 2,
  calls: [
    {
      name: 'get_order_details',
      args: { order_id: pending.order_id },
      kind: 'json',
      sha: hashOf(pending),
      error: false,
    },
    {
      name: 'find_user_id_by_email',
      args: { email: data.users[pending.user_id]!.email },
      sha: hashOfResult(pending.user_id),
    },
    { name: 'calculate', args: { expression: '8 / 2' }, kind: 'json', sha: hashOf(4), error: false },
    { name: 'think', args: { thought: 'done' }, kind: 'text', error: false },
  ],
  changed: {},
};
const refused = {
  set: 'hand',
  i: 3,
  calls: [
    { name: 'modify_pending_order_address', args: { order_id: delivered.order_id, ...address }, error: true },
    { name: 'modify_pending_order_address', args: { order_id: pending.order_id }, error: true },
    { name: 'get_order_details', args: ['#W0000000'], error: true },
    { name: 'no_such_tool', args: {}, error: true },
  ],
  changed: {},
};

describe('runComparison', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'retail-'));
    for (const table of ['orders', 'products', 'users'] as const) {
      writeFileSync(join(folder, `${table}.json`), JSON.stringify(data[table]));
    }
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function run(args: readonly string[]): Promise<{ code: number; lines: string[]; errors: string[] }> {
    const [lines, errors]: [string[], string[]] = [[], []];
    const code = await runComparison(
      args,
      (line) => lines.push(line),
      (line) => errors.push(line),
    );
    return { code, lines, errors };
  }

  function compare(...tasks: readonly unknown[]) {
    const path = join(folder, 'tasks.jsonl');
    writeFileSync(
      path,
      tasks.map((task) => (typeof task === 'string' ? task : JSON.stringify(task))).join('\n') + '\n',
    );
    return run(['--data', folder, '--tasks', path]);
  }

  test('tasks that come out as they should are equal, each from untouched data', async () => {
    const { code, lines } = await compare(move, lookUp, refused, move);
    expect(lines).toEqual(['retail: 4 tasks, 4 equal, 0 different']);
    expect(code).toBe(0);
  });

  test('tasks that are run as one program each come out the same', async () => {
    const path = join(folder, 'programs.jsonl');
    writeFileSync(path, [move, lookUp, refused, move].map((task) => JSON.stringify(task)).join('\n'));
    const { code, lines } = await run(['--programs', '--data', folder, '--tasks', path]);
    expect(lines).toEqual(['retail: 4 tasks, 4 equal, 0 different']);
    expect(code).toBe(0);
  }, 60_000);

  test('a wrong hash of a result is different', async () => {
    const wrong = { ...lookUp, calls: [{ ...lookUp.calls[0], sha: hashOf(moved) }] };
    const { code, lines } = await compare(move, wrong);
    expect(lines[0]).toContain('task hand 2: call 1, get_order_details');
    expect(lines[0]).toContain(`expected ${hashOf(moved)}`);
    expect(lines[0]).toContain(`got      ${hashOf(pending)} of {"address"`);
    expect(lines.at(-1)).toBe('retail: 2 tasks, 1 equal, 1 different');
    expect(code).toBe(1);
  });

  test('a call that should have failed is different, and what it changed', async () => {
    const { lines } = await compare({ ...move, calls: [{ ...moveCall, error: true }], changed: {} });
    expect(lines[0]).toContain('expected a failed result');
    expect(lines[1]).toContain(`orders ${pending.order_id}`);
    expect(lines[1]).toContain('expected no change');
  });

  test('a call that should have succeeded is different', async () => {
    const { code, lines } = await compare({ ...refused, calls: [{ ...refused.calls[0], error: false }] });
    expect(lines[0]).toContain('expected a successful result');
    expect(lines[0]).toContain('only an order that is "pending"');
    expect(code).toBe(1);
  });

  test('a record that did not change as it should is different', async () => {
    const { lines } = await compare({ ...move, calls: [] });
    expect(lines[0]).toContain(`expected ${hashOf(moved)}`);
    expect(lines[0]).toContain(`got      ${hashOf(pending)}`);
  });

  test('a record that does not exist is different', async () => {
    const { lines } = await compare({ ...lookUp, changed: { users: { nobody: hashOf(1) } } });
    expect(lines[0]).toContain('users nobody');
    expect(lines[0]).toContain('no such record');
  });

  test('a write that changes nothing is no change', async () => {
    const same = { ...moveCall, args: { order_id: pending.order_id, ...pending.address }, sha: hashOf(pending) };
    expect((await compare({ ...move, calls: [same], changed: {} })).code).toBe(0);
  });

  test('runComparison shows the first twenty differences and counts all', async () => {
    const wrong = { ...lookUp, calls: [{ ...lookUp.calls[0], sha: 'x' }] };
    const { lines } = await compare(...Array.from({ length: 23 }, () => wrong));
    expect(lines).toHaveLength(22);
    expect(lines.slice(-2)).toEqual(['... and 3 more differences\n', 'retail: 23 tasks, 0 equal, 23 different']);
  });

  test.each([
    [[], 'Missing: --data and --tasks'],
    [['--data', '.'], 'Missing: --tasks'],
    [['--data', '.', '--tasks', 'x', '--fast'], '--fast'],
    [['--data', 'no-such-folder', '--tasks', 'x'], 'The table of orders'],
  ])('runComparison refuses the options %j', async (args, message) => {
    const { code, lines, errors } = await run(args);
    expect(errors.join('\n')).toContain(message);
    expect([code, lines]).toEqual([2, []]);
  });

  test.each([
    ['{', 'tasks.jsonl:1 is not JSON'],
    ['[]', 'tasks.jsonl:1 must hold a JSON object'],
    [{ calls: 1 }, '"calls" must be a list'],
    [{ calls: [{ args: {} }] }, 'call 1: "name" must be a string'],
    [{ calls: [{ name: 'think', sha: 5 }] }, '"sha" must be a string'],
    [{ calls: [], changed: { clients: {} } }, 'there is no table "clients"'],
    [{ calls: [], changed: { orders: { a: 1 } } }, 'the hash of orders a must be a string'],
    ['', 'holds no task'],
  ])('runComparison refuses the task %j', async (task, message) => {
    const { code, errors } = await compare(task);
    expect(errors.join('\n')).toContain(message);
    expect(code).toBe(2);
  });

  test('a task file that does not exist is refused', async () => {
    const { code, errors } = await run(['--data', folder, '--tasks', join(folder, 'none.jsonl')]);
    expect(errors[0]).toContain('does not exist');
    expect(code).toBe(2);
  });
});

describe('hashes', () => {
  test.each([
    [{ b: [1, 'ü', null], a: true }, '{"a":true,"b":[1,"ü",null]}'],
    [{ a: undefined, B: -0 }, '{"B":0}'],
    [1e21, '1000000000000000000000'],
    [[undefined], '[null]'],
    [0.1 + 0.2, '0.30000000000000004'],
  ])('the canonical JSON of %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('a string result counts as the JSON that it holds, or as it is', () => {
    expect(hashOfResult('{"b": 1.0, "a": 2}')).toBe(hashOf({ a: 2, b: 1 }));
    expect(hashOfResult('ada_novak_1')).toBe('2b8d7bdbd33097703120d0aa478f49a7466c6255a61b7b57fd42188964709c87');
  });
});
