import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRuns, type RunsReport } from '../../src/against/checkRuns';
import { describeChange } from '../../src/against/showRuns';
import { listBundleFiles } from '../../src/against/readRuns';
import { call, createShop, recordRuns, type Edits, type Shop } from '../support/recordedRuns';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-against-'));
  const shop = await createShop();
  const runs = {
    ...(await recordRuns(shop, {
      few: [call('place_order', { article: 'tea', quantity: 2 })],
      late: [call('place_order', { article: 'pear', quantity: 3 }), call('send_letter', { text: 'Bye' })],
      letter: [call('send_letter', { text: 'Hello' }), call('place_order', { article: 'pie', quantity: 1 })],
      list: [call('list_orders'), call('quote', { article: 'tea' })],
      many: [call('place_order', { article: 'cake', quantity: 20 })],
    })),
    ...(await recordRuns(shop, { help: [] }, shop.help)),
    ...(await recordRuns(shop, { gold: [] }, shop.desk.bind(shop.tierParams, { tier: 'gold' }))),
  };
  for (const [name, text] of Object.entries(runs)) writeFileSync(join(folder, `${name}.jsonl`), text);
  expect(shop.sent).toEqual(['Bye', 'Hello']);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const limits = { concurrency: 4, timeoutMs: 5_000 };

async function check(shop: Shop, options: { readonly timeoutMs?: number } = {}): Promise<RunsReport> {
  return checkRuns(shop, listBundleFiles('.', folder), folder, { ...limits, ...options });
}

/** The changes by run: `kind where what`. */
function changesOf({ runs }: RunsReport): Readonly<Record<string, readonly string[]>> {
  const changed = runs.filter(({ changes }) => changes.length > 0);
  return Object.fromEntries(
    changed.map(({ file, changes }) => [
      file.replace('.jsonl', ''),
      changes.map((change) => `${change.kind} ${change.where}: ${describeChange(change)}`),
    ]),
  );
}

const DESK = ['few', 'gold', 'late', 'letter', 'list', 'many'];
const inEach = (names: readonly string[], changes: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, changes]));

describe('check --against', () => {
  test('an application without edits changes no recorded run', async () => {
    const report = await check(await createShop());
    expect(report.problems).toEqual([]);
    expect(changesOf(report)).toEqual({});
    expect(report.runs.map(({ file }) => file)).toEqual([
      'few.jsonl',
      'gold.jsonl',
      'help.jsonl',
      'late.jsonl',
      'letter.jsonl',
      'list.jsonl',
      'many.jsonl',
    ]);
  });

  const description = 'prefix list_orders: another description: "Lists the orders." → "Lists all orders."';
  const schema = /^prefix place_order: another schema/;
  test.each<[string, Edits, Readonly<Record<string, readonly unknown[]>>]>([
    [
      'another description of a tool changes the prefix of its prompt',
      { description: 'Lists all orders.' },
      inEach(DESK, [description]),
    ],
    [
      'another text of a section changes the prefix of its prompt',
      { template: 'Take orders for kind ${tier} customers.' },
      {
        ...inEach(
          ['few', 'late', 'letter', 'list', 'many'],
          [expect.stringMatching(/^prefix section orders: another text: .*kind silver/)],
        ),
        gold: [expect.stringMatching(/^prefix section orders: another text: .*kind gold/)],
      },
    ],
    [
      'a narrower schema changes the tools, and refuses arguments that were accepted',
      { maxQuantity: 10 },
      {
        ...inEach(
          ['few', 'gold', 'late', 'letter', 'list'],
          [expect.stringMatching(schema), 'tools place_order: /quantity: maximum 100 is now 10'],
        ),
        many: [
          expect.stringMatching(schema),
          'tools place_order: /quantity: maximum 100 is now 10',
          expect.stringMatching(
            /^arguments place_order: refused now: quantity: .*10.*20.* \(\{"article":"cake","quantity":20\}\)$/,
          ),
          'state slice Basket: /0: {"total":20} → nothing',
          'state Stock cake: another value: 980 → nothing',
        ],
      },
    ],
    [
      'another result of a handler changes the outcome of its calls',
      { listText: 'No orders at all.' },
      { list: ['outcome list_orders: another result: "No orders yet." → "No orders at all."'] },
    ],
    [
      'a removed tool changes the prefix and the tools, and its calls fail',
      { isListRemoved: true },
      {
        ...inEach(
          ['few', 'gold', 'late', 'letter', 'many'],
          ['prefix list_orders: tool removed', 'tools list_orders: removed'],
        ),
        list: [
          'prefix list_orders: tool removed',
          'tools list_orders: removed',
          expect.stringMatching(/^outcome list_orders: succeeded, now unknown: "No orders yet\." → /),
        ],
      },
    ],
    [
      'another reducer changes the state at the end of the runs that dispatch its event',
      { factor: 3 },
      {
        few: ['state slice Basket: /0/total: 2 → 6'],
        // The letter at the end does not hide the difference with its recorded state.
        late: ['state slice Basket: /0/total: 4 → 9'],
        // The letter is answered from the record, and adds one piece as recorded.
        letter: ['state slice Basket: /0/total: 2 → 4'],
        many: ['state slice Basket: /0/total: 20 → 60'],
      },
    ],
    [
      'another write to a resource changes the state at the end',
      { stockStep: 2 },
      {
        few: ['state Stock tea: another value: 998 → 996'],
        late: ['state Stock pear: another value: 997 → 994'],
        letter: ['state Stock pie: another value: 999 → 998'],
        many: ['state Stock cake: another value: 980 → 960'],
      },
    ],
    [
      'another result of a tool that acts outside changes nothing, because it is not run',
      { letterText: 'Posted.' },
      {},
    ],
    [
      'a call after a changed outcome is still judged by its recorded arguments',
      { listText: 'None.', quote: (article) => `${article} costs 4.` },
      {
        list: [
          'outcome list_orders: another result: "No orders yet." → "None."',
          'outcome quote: another result: "tea costs 3." → "tea costs 4."',
        ],
      },
    ],
  ])('%s', async (_title, edits, expected) => {
    const shop = await createShop(edits);
    const report = await check(shop);
    expect(report.problems).toEqual([]);
    expect(changesOf(report)).toEqual(expected);
    expect(shop.sent).toEqual([]);
  });

  test('a handler that hangs is stopped, and the other runs are compared', async () => {
    const report = await check(await createShop({ listHangs: true }), { timeoutMs: 1_000 });
    expect(changesOf(report)).toEqual({ list: ['outcome list_orders: succeeded, now not ended within 1 s'] });
  });

  test('E982 a run of a prompt that does not exist any more is a problem, and the other runs are compared', async () => {
    const report = await check(await createShop({ isDeskRenamed: true }));
    expect(report.runs.map(({ file }) => file)).toEqual(['help.jsonl']);
    expect(report.problems).toHaveLength(6);
    expect(report.problems[0]).toEqual({
      file: 'few.jsonl',
      line: 3,
      run: expect.any(String) as string,
      code: 'E982',
      level: 'error',
      message: 'the application has no prompt shop/desk, but shop/counter, shop/help',
      remedy: 'Give the prompt its recorded name again, or remove the recorded run.',
    });
  });
});
