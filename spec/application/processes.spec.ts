import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { swc } from '../toolchain/support/swc.js';
import { node, Workspace, type Sources } from '../toolchain/support/Workspace.js';
import { bystanders } from './shop/Bystander.js';
import { facts } from './shop/facts.js';
import { Notes } from './shop/Notes.js';
import { Orders } from './shop/Orders.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

const modules = ['Bystander', 'Notes', 'Orders', 'Refunds'] as const;
const source = (name: string): string => readFileSync(join(__dirname, 'shop', `${name}.ts`), 'utf8');

/** The file with its classes, each with its decorators, in the opposite order. */
function reversed(text: string): string {
  const [head, ...classes] = text.trimEnd().split(/\n\n(?=@|export |class )/);
  return [head, ...classes.reverse()].join('\n\n');
}

const main = (order: readonly string[]): string => `
  ${order.map((name) => `import './${name}.js';`).join('\n')}
  import { facts } from './facts.js';
  import { Notes } from './Notes.js';
  import { Orders } from './Orders.js';
  facts([Orders, Notes]).then(async (first) => {
    const again = await facts([Orders, Notes]);
    process.stdout.write(again === first ? first : 'the second one differs: ' + again);
  });
`;

/** The output of a process of its own. */
async function said(order: readonly string[], change: (text: string) => string, env: Sources): Promise<string> {
  const files = Object.fromEntries(modules.map((name) => [`src/${name}.ts`, change(source(name))]));
  const folder = workspace.project('esm', { ...files, 'src/facts.ts': source('facts'), 'src/main.ts': main(order) });
  await swc.compile({ folder, settings: { format: 'esm' } });
  const { stdout, stderr } = await node(folder, ['out/main.js'], env);
  expect(stderr).toBe('');
  return stdout;
}

describe('one application, several processes', () => {
  const expected = facts([Orders, Notes]);

  test('the order of its classes can be turned round', () => {
    const names = (text: string): readonly string[] =>
      [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name!);
    for (const name of ['Orders', 'Refunds', 'Notes']) {
      expect(names(reversed(source(name)))).toEqual([...names(source(name))].reverse());
    }
    expect(names(source('Orders')).length).toBeGreaterThan(5);
  });

  test('the processes hold classes of the same names that belong to no prompt', () => {
    expect(bystanders.map((bystander) => bystander().name)).toEqual(['Orders']);
  });

  test('the application says something, and what it says depends on what is declared', async () => {
    const { text, texts } = JSON.parse(await expected) as { readonly text: string; readonly texts: readonly string[] };
    expect(text).toContain('### 1.1. Refunds (orders.refunds)\n\nRefunds take five days; get_order finds the order.');
    expect(texts.slice(2)).toMatchInlineSnapshot(`
     [
       "10 orders",
       "delivered: orders,orders.refunds,notes",
       "late: 2030-04-30T22:00:00.000Z",
       "ISTANBUL",
       "There is no tool named "writ". Did you mean "write"? Available tools: get_order, list_orders, count, refund, write. Nothing was done.",
     ]
    `);
    expect(await facts([Notes, Orders])).not.toBe(await expected);
  });

  test.each([
    ['in the usual order', modules, (text: string) => text, { TZ: 'UTC', LC_ALL: 'C' }],
    [
      'files in the opposite order',
      [...modules].reverse(),
      (text: string) => text,
      { TZ: 'Asia/Kolkata', LC_ALL: 'de_DE.UTF-8' },
    ],
    [
      'files and classes in the opposite order',
      [...modules].reverse(),
      reversed,
      { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
    ],
  ])(
    '%s, in another time zone and language: the same text, schemas, fingerprint and answers',
    async (_name, order, change, env) => {
      expect(await said(order, change, env)).toBe(await expected);
    },
  );
});
