import type { JsonSchema } from 'toolwright';
import { checkProgram } from '../../src/check/ProgramChecker.js';
import { writeDeclarations, type DeclaredTool } from '../../src/declare/writeDeclarations.js';
import { QuickJsSandbox } from '../../src/sandbox/QuickJsSandbox.js';

const limits = {
  wallMs: 30_000,
  cpuMs: 30_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  maxCalls: 10,
  maxConcurrency: 10,
  maxArgumentBytes: 100_000,
  maxResultBytes: 100_000,
  maxOutputBytes: 100_000,
};
const inner = { type: 'object', title: 'Inner', properties: { name: { type: 'string' } }, required: ['name'] };

describe('the table of types, through a program', () => {
  const sandbox = new QuickJsSandbox();
  afterAll(() => sandbox.close());

  test.each<[string, JsonSchema, string, unknown]>([
    ['string', { type: 'string' }, 'string', 'é\u2028\n"'],
    ['number', { type: 'number' }, 'number', -1.5e-7],
    ['boolean', { type: 'boolean' }, 'boolean', false],
    ['integer', { type: 'integer' }, 'number', 2 ** 53 - 1],
    ['array', { type: 'array', items: { type: 'string' } }, 'string[]', ['a', '']],
    ['record', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>', { 'a b': 1 }],
    ['nullable', { type: ['string', 'null'] }, 'string | null', null],
    ['union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number', 5],
    ['enum', { enum: ['a', 'b'] }, "'a' | 'b'", 'b'],
    [
      'tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 },
      '[string, number]',
      ['a', 1],
    ],
    ['date', { type: 'string', format: 'date-time' }, 'string', '2026-01-02T03:04:05.000Z'],
    ['named object', inner, 'Inner', { name: 'x' }],
  ])(
    'a program can use each row of the table: %s',
    async (_, type, declared, value) => {
      const tool: DeclaredTool = {
        name: 'echo',
        description: '',
        params: null,
        schema: { type: 'object', properties: { value: type }, required: ['value'] },
        result: null,
        returnSchema: type,
      };
      const tools = [tool];
      expect(writeDeclarations(tools, { results: true })).toContain(
        `echo(args: { value: ${declared} }): Promise<${declared}>;`,
      );
      const source = `const value = await echo({ value: ${JSON.stringify(value)} });\nreturn await echo({ value });`;
      const check = await checkProgram(source, { check: 'types', tools });
      if (!check.ok) throw new TypeError(check.fault.message);
      const end = await sandbox.run(
        { body: check.program.body, tools: ['echo'] },
        {
          call: ({ json }) => {
            const [{ value: given }] = JSON.parse(json) as [{ value: unknown }];
            return Promise.resolve({ ok: true, json: JSON.stringify(given) });
          },
          write: () => undefined,
        },
        limits,
      );
      expect(end).toEqual({ kind: 'completed', value: { kind: 'json', json: JSON.stringify(value) } });
    },
    60_000,
  );
});
