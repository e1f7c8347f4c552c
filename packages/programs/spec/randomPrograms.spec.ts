import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { defineTool, Param, ToolContext, ToolRefusal, type Constructor } from 'toolwright';
import { silentLogger } from '../../../spec/conformance/declare/silentLogger';
import { Note } from '../../../spec/dispatch/desk';
import { engineOfFile, kitOf, PATIENCE_MS } from './kit';

jest.setTimeout(2 * PATIENCE_MS);
const sandbox = engineOfFile();

class Numbered {
  @Param('Which call it is') n!: number;
}

const acting = (name: string, act: (n: number, context: ToolContext) => unknown, readOnly = false): Constructor =>
  defineTool({
    name,
    description: 'Acts.',
    params: Numbered,
    hints: { readOnly },
    handler: ({ n }, context) => act(n, context),
  });

const tools = [
  acting('write', (n, { session }) => {
    session.dispatch(new Note(String(n)));
    return n;
  }),
  acting('read', async (n) => (await sleep(n % 3), n), true),
  acting('refuse', (n, { session }) => {
    session.dispatch(new Note(`refused ${String(n)}`));
    throw new ToolRefusal(`no ${String(n)}`);
  }),
];
type Name = 'write' | 'read' | 'refuse';

/** A statement of a random program; `together` is one Promise.all. */
type Statement =
  | { readonly kind: 'one'; readonly name: Name }
  | { readonly kind: 'together'; readonly names: readonly Name[] }
  | { readonly kind: 'loop'; readonly name: Name; readonly times: number };

const name = fc.constantFrom<Name>('write', 'read', 'refuse');
const statements = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('one' as const), name }),
    fc.record({ kind: fc.constant('together' as const), names: fc.array(name, { minLength: 1, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('loop' as const), name, times: fc.integer({ min: 0, max: 3 }) }),
  ),
  { maxLength: 6 },
);
const endings = fc.constantFrom('return', 'throw', 'unawaited');

describe('random programs', () => {
  test('random programs have a complete log, in the order of starts, and keep all or nothing', async () => {
    const { desk, kit } = await kitOf(tools, { sandbox, desk: { logger: silentLogger } });
    await fc.assert(
      fc.asyncProperty(statements, endings, async (program: readonly Statement[], ending) => {
        const before = desk.state().notes.length;
        const { code, calls } = written(program);
        const last = ending === 'throw' ? 'throw new Error("end");' : ending === 'unawaited' ? 'write(0);' : '';
        const result = await kit.execute(`${code}\n${last}`);
        const made = ending === 'unawaited' ? [...calls, { name: 'write', n: 0 }] : calls;
        expect(result.toolCalls.map((call) => ({ name: call.name, n: call.args['n'] }))).toEqual(made);
        expect(result.success).toBe(ending !== 'throw');
        for (const call of result.toolCalls.slice(0, calls.length))
          expect(call).toMatchObject(
            call.name === 'refuse'
              ? { status: 'error', error: `no ${String(call.args['n'])}` }
              : { status: 'ok', result: call.args['n'] },
          );
        const writes = calls.filter((call) => call.name === 'write').map(({ n }) => String(n));
        const kept = desk.state().notes.slice(before);
        expect(kept.slice(0, writes.length)).toEqual(ending === 'throw' ? [] : writes);
        expect(kept.every((text) => !text.startsWith('refused'))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('programs get every result as JSON would return it, whatever its keys', async () => {
    let given: unknown = null;
    const give = defineTool({
      name: 'give',
      description: 'Gives.',
      hints: { readOnly: true },
      handler: () => ({ given }),
    });
    const { kit } = await kitOf([give], { sandbox });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        given = JSON.parse(`{"__proto__":1,"constructor":${JSON.stringify(value)},"then":null}`) as unknown;
        const result = await kit.execute('const got = await give();\nreturn got;');
        expect(JSON.stringify(result.returnValue)).toBe(JSON.stringify({ given }));
        expect(JSON.stringify(result.toolCalls[0]?.result)).toBe(JSON.stringify({ given }));
      }),
      { numRuns: 60 },
    );
  });
});

/** The program's text, and the calls that it makes, in their order. */
function written(program: readonly Statement[]): { code: string; calls: readonly { name: Name; n: number }[] } {
  const calls: { name: Name; n: number }[] = [];
  const next = (which: Name): string => {
    calls.push({ name: which, n: calls.length + 1 });
    return `${which}({ n: ${String(calls.length)} }).catch((error) => console.log(error.message))`;
  };
  const lines = program.flatMap((statement) => {
    if (statement.kind === 'one') return [`await ${next(statement.name)};`];
    if (statement.kind === 'together') return [`await Promise.all([${statement.names.map(next).join(', ')}]);`];
    return Array.from({ length: statement.times }, () => `await ${next(statement.name)};`);
  });
  return { code: lines.join('\n'), calls };
}
