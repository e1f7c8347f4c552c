// Measures calls with much data, as a ratio to the least cost of the same call: JSON.parse, a compiled Ajv schema, the handler, and
// JSON.stringify.
import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import { createApplication, defineTool, definePrompt, defineSection, Param, Session } from 'toolwright';
import { measure } from './harness/measure.js';
import { assertSame } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

class Note {
  @Param({ description: 'Text', maxLength: 1_000_000 }) text!: string;
}

class Line {
  @Param('Id') id!: string;
  @Param({ description: 'Pieces', integer: true }) pieces!: number;
}

class Lines {
  @Param({ description: 'Lines', type: [Line] }) lines!: Line[];
}

class Search {
  @Param('Query') query!: string;
}

const orders = Array.from({ length: 1_600 }, (_, index) => ({
  id: `order_${String(index)}`,
  customer: `c_${String(index)}`,
  total: index * 1.5,
  status: 'shipped',
  note: 'Ring twice, please; leave it at the door.',
}));

/** A long result is shortened for the model unless its tool allows it. */
const tool = { description: 'Does one thing.', resultLimit: 1_000_000 };
const tools = [
  defineTool({ ...tool, name: 'write', params: Note, handler: ({ text }) => ({ length: text.length }) }),
  defineTool({ ...tool, name: 'add', params: Lines, handler: ({ lines }) => ({ count: lines.length }) }),
  defineTool({ ...tool, name: 'search', params: Search, handler: () => ({ orders }) }),
];

/** The same handlers, for the floor. */
const handlers: Readonly<Record<string, (args: never) => unknown>> = {
  write: ({ text }: Note) => ({ length: text.length }),
  add: ({ lines }: Lines) => ({ count: lines.length }),
  search: () => ({ orders }),
};

/** Checks that a value holds only plain data: nothing that is still running, and nothing that JSON writes in another way. */
function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (Array.isArray(value)) return value.every(isPlainData);
  if (Object.getPrototypeOf(value) !== Object.prototype || 'then' in value || 'toJSON' in value) return false;
  for (const key in value) if (!isPlainData((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

const linesOf = (count: number, id = 'line'): string =>
  JSON.stringify({
    lines: Array.from({ length: count }, (_, index) => ({ id: `${id}_${String(index)}`, pieces: index })),
  });

const rows: readonly (readonly [what: string, tool: string, args: string, bound: number])[] = [
  ['args with one string of 200 kB', 'write', JSON.stringify({ text: 'The quick brown fox. '.repeat(9_500) }), 0.6],
  [
    'args with one string of 200 kB and 13,800 escapes',
    'write',
    JSON.stringify({ text: 'The "quick" brown fox, and a lazy dog.\n'.repeat(4_600) }),
    1.1,
  ],
  ['result of 200 kB, 1,600 rows', 'search', '{"query":"all"}', 1.3],
  ['args of 15,000 values, 223 kB', 'add', linesOf(4_999, 'line_of_an_order'), 1.6],
  ['args of 102 lists and objects, 3 kB', 'add', linesOf(100), 1.8],
];

async function main(): Promise<void> {
  const section = defineSection({ key: 's', title: 'S', tools });
  const prompt = definePrompt({ ns: 'bench', key: 'large', sections: [section] });
  const app = await createApplication({ prompts: [prompt] });
  const rendered = await app.prompt(prompt).render();
  const ajv = new Ajv2020();
  const checks = new Map(
    rendered.toolSchemas('json-schema').map(({ name, parameters }) => [name, ajv.compile(parameters)]),
  );
  const session = new Session();
  const report = new Report('large');
  for (const [what, name, args, bound] of rows) {
    const runHandler = (): unknown => {
      const value: unknown = JSON.parse(args);
      if (checks.get(name)?.(value) !== true) throw new TypeError('the floor refuses a valid value');
      return handlers[name]?.(value as never);
    };
    const contenders = {
      floor: async (): Promise<string> => JSON.stringify(runHandler()),
      checked: async (): Promise<string> => {
        const result = runHandler();
        if (!isPlainData(result)) throw new TypeError('the floor refuses a plain result');
        return JSON.stringify(result);
      },
      toolwright: async (): Promise<string> =>
        (await app.callTool(rendered, { id: 'c1', name, arguments: args }, { session })).text,
    };
    await assertSame(contenders, await contenders.floor());
    const measured = await measure(contenders, { clock: 'processor' });
    report.add(`${what}, toolwright / floor`, measured.ratio('toolwright', 'floor'), 'x', bound);
    if (name === 'search')
      report.add(`bound: ${what}, floor and one check of the result / floor`, measured.ratio('checked', 'floor'), 'x');
    report.add(`${what}, floor`, measured.time('floor'), 'ms');
  }
  report.keep();
}

void main();
