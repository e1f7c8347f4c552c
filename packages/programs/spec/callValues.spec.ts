import {
  createApplication,
  definePrompt,
  defineTool,
  Param,
  Section,
  Session,
  Tool,
  type ToolContext,
  ToolRefusal,
  ToolResult,
} from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import { act, engineOfFile, kitOf, PATIENCE_MS, writer } from './kit';
import { silentLogger } from '../../../spec/conformance/declare/silentLogger';
import { Ledger, Note } from '../../../spec/dispatch/desk';

jest.setTimeout(2 * PATIENCE_MS);
const sandbox = engineOfFile();

class Row {
  @Param('Its number') id!: number;
  @Param({ description: 'A remark', optional: true }) note?: string;
}

class Wanted {
  @Param('Its number') id!: number;
  @Param({ description: 'At most so many', optional: true }) limit?: number;
}

/** A section as a user writes it, with a tool that declares its result. */
@Section({ key: 'rows', title: 'Rows' })
class RowsSection {
  @Tool({ description: 'Finds a row.', result: Row })
  findRow({ id }: Wanted) {
    return id === 7 ? ToolResult.ok({ id }, 'Found.') : ToolResult.ok(null, 'There is no such row.');
  }
}

async function rowsKit(options: Parameters<typeof Toolkit.from>[1] = {}): Promise<Toolkit> {
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [RowsSection] });
  const app = await createApplication({ prompts: [Desk], logger: silentLogger });
  return Toolkit.from(await app.prompt(Desk).render(), { app, session: new Session(), sandbox, ...options });
}

describe('CALL-09a undefined within a value crosses as JSON has it', () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, note: id === 199 ? undefined : `row ${String(id)}` }));

  test('CALL-09a 200 rows of which one has an undefined property reach the caller whole', async () => {
    const { kit, desk } = await kitOf([act('rows', () => rows), writer('write')], { sandbox });
    const result = await kit.execute(
      'await write();\nreturn (await rows()).map(({ id, note }) => ({ id, note, more: { deep: undefined } }));',
    );
    expect(result.returnValue).toEqual(rows.map(({ id, note }) => ({ id, ...(note && { note }), more: {} })));
    expect(result.toModelText()).toContain('"note":"row 198"');
    expect(desk.state().notes).toEqual(['first', 'write']);
  });

  test.each([
    ['({ a: undefined, b: 1 })', { b: 1 }],
    ['[1, undefined, 3]', [1, null, 3]],
    ['const list = []; list[2] = 1; list', [null, null, 1]],
    ['({ deep: [{ a: [undefined, { b: undefined }] }] })', { deep: [{ a: [null, {}] }] }],
    ['Object.create(null, { a: { value: undefined, enumerable: true } })', {}],
    ['undefined', undefined],
  ])('CALL-09a undefined crosses from a program to the host as JSON has it: %s', async (code, expected) => {
    const { kit } = await kitOf([act('nothing', () => null)], { sandbox });
    const { returnValue, status } = await kit.execute(code);
    expect(status).toBe('completed');
    expect(returnValue).toEqual(expected);
    expect(JSON.stringify(returnValue)).toBe(JSON.stringify(expected));
  });

  test('CALL-09a undefined crosses from a tool to a program, and from a program to a tool, as JSON has it', async () => {
    const seen: unknown[] = [];
    class Given {
      @Param({ description: 'Anything', type: 'any' }) value!: unknown;
    }
    const take = defineTool({
      name: 'take',
      description: 'Takes a value.',
      params: Given,
      handler: ({ value }) => void seen.push(value),
    });
    const give = act('give', () => ({ a: undefined, list: [undefined, { b: undefined }] }));
    const { kit } = await kitOf([take, give], { sandbox });
    const result = await kit.execute(
      'await take({ value: { a: undefined, list: [undefined] } });\nreturn JSON.stringify(await give());',
    );
    expect(result.returnValue).toBe('{"list":[null,{}]}');
    expect(seen).toEqual([{ list: [null] }]);
    expect(result.toolCalls[1]?.result).toEqual({ list: [null, {}] });
  });

  test.each([
    ['({ a: () => 1 })', 'object'],
    ['({ a: undefined, b: new Map() })', 'object'],
    ['Object.assign([1, undefined], { extra: 1 })', 'Array'],
    ['Object.assign([], { length: 2, "01": 1 })', 'Array'],
    ['[Symbol("s")]', 'Array'],
  ])('CALL-09a what JSON cannot have is still named: %s', async (code, type) => {
    const { kit } = await kitOf([act('nothing', () => null)], { sandbox });
    expect((await kit.execute(code)).returnValue).toMatchObject({ kind: 'not-serializable', type });
  });

  test('CALL-09a a list with a huge hole ends the program in its limit, not the host', async () => {
    const { kit } = await kitOf([writer('write')], { sandbox });
    const result = await kit.execute('await write();\nconst list = []; list[4e9] = 1; list');
    expect(['memory', 'limit', 'timeout']).toContain(result.error?.kind);
    expect(result.toolCalls).toMatchObject([{ rolledBack: true }]);
  });
});

describe('CALL-09b a call without a value', () => {
  test('CALL-09b a tool that declares its result gives the program null, never its message', async () => {
    const kit = await rowsKit({ assistToolChaining: true });
    expect(kit.prompt()).toContain('}): Promise<Row | null>;');
    const code = 'const row = await find_row({ id: 8 });\nreturn [row, typeof row, row === null ? "none" : row.id];';
    expect((await kit.execute(code)).returnValue).toEqual([null, 'object', 'none']);
    expect((await kit.execute('return (await find_row({ id: 7 })).id;')).returnValue).toBe(7);
  });

  test('CALL-09b a tool without a result gives undefined; one that says something and declares nothing, its words', async () => {
    const tools = [
      act('silent', () => undefined),
      act('waits', async () => undefined),
      act('fine', () => ToolResult.ok()),
      act('empty', () => null),
      act('says', () => ToolResult.ok(null, 'Order 7 is cancelled.')),
    ];
    const { kit } = await kitOf(tools, { sandbox });
    const { returnValue, toolCalls } = await kit.execute(
      'const all = [await silent(), await waits(), await fine(), await empty(), await says()];\nreturn all.map((value) => [typeof value, value]);',
    );
    expect(returnValue).toEqual([
      ['undefined', null],
      ['undefined', null],
      ['undefined', null],
      ['undefined', null],
      ['string', 'Order 7 is cancelled.'],
    ]);
    expect(toolCalls.map(({ result }) => result)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'Order 7 is cancelled.',
    ]);
  });

  test('CALL-09b a program that is resumed gets the same undefined again', async () => {
    const ask = act('ask', () => 'done', { requiresApproval: true });
    const { kit } = await kitOf([act('silent', () => undefined, { hints: { readOnly: true } }), ask], { sandbox });
    const code = 'const before = typeof (await silent());\nawait ask();\nreturn before;';
    const resume = await kit.execute(code);
    expect(resume.status).toBe('paused');
    const approve = () => ({ kind: 'approved' }) as const;
    expect((await kit.execute(code, { resume, approve })).returnValue).toBe('undefined');
  });
});

describe('CALL-09c the value of a refusal', () => {
  const refusing = [
    act('refuse', () => {
      throw new ToolRefusal('Only 3 are left.', { value: { left: 3, asked: undefined } });
    }),
    act('fail', () => ToolResult.error('Too late.', { value: ['since', 9] })),
    act('plain', () => {
      throw new ToolRefusal('No.');
    }),
    act('breaks', () => {
      throw new Error('boom');
    }),
  ];

  test('CALL-09c the value of a refusal reaches the error that a program catches', async () => {
    const { kit } = await kitOf(refusing, { sandbox });
    const { returnValue } = await kit.execute(`const caught = [];
      for (const tool of [refuse, fail, plain, breaks])
        try { await tool(); } catch (e) { caught.push([e instanceof ToolError, e.kind, e.message, e.value]); }
      return caught;`);
    expect(returnValue).toEqual([
      [true, 'tool_error', 'Only 3 are left.', { left: 3 }],
      [true, 'tool_error', 'Too late.', ['since', 9]],
      [true, 'tool_error', 'No.', null],
      [true, 'tool_error', 'boom', null],
    ]);
  });

  test('CALL-09c a tool with a declared result may refuse with a value of another type, and the check knows it', async () => {
    const find = defineTool({
      name: 'find',
      description: 'Finds a row.',
      result: Row,
      handler: () => ToolResult.error('There are two.', { value: ['7a', '7b'] }),
    });
    const kit = await Toolkit.from([find], { sandbox });
    const code = 'try { await find(); } catch (e) {\n  if (e instanceof ToolError) return [e.kind, e.value];\n}';
    expect((await kit.execute(code)).returnValue).toEqual(['tool_error', ['7a', '7b']]);
  });
});

describe('CALL-09d null for an argument that may be left out', () => {
  test.each([
    'return (await find_row({ id: 7, limit: null })).id;',
    'const limit: number | null = null;\nreturn (await find_row({ id: 7, limit })).id;',
    'return (await find_row(7, null)).id;',
    'return (await tools.find_row({ id: 7, limit: null })).id;',
  ])('CALL-09d null for an optional argument is accepted by the check of types, as by the call: %s', async (code) => {
    const result = await (await rowsKit()).execute(code);
    expect(result.error).toBeNull();
    expect(result.returnValue).toBe(7);
  });

  test.each(['await find_row({ id: null });', 'await find_row({ id: 7, limit: "5" });'])(
    'CALL-09d everything else is refused as before: %s',
    async (code) => {
      expect((await (await rowsKit()).execute(code)).error).toMatchObject({ kind: 'type', line: 1 });
    },
  );
});

describe('CALL-09e a conflict', () => {
  const add = (context: ToolContext): void => {
    context.resources.get(Ledger).write('mine');
    context.session.dispatch(new Note('mine'));
  };

  test('CALL-09e a conflict of a whole program has its own kind, and names no tool that the host did not declare', async () => {
    const { kit, desk } = await kitOf([act('add', add), act('outside', () => moveOn())], { sandbox });
    const moveOn = (): void => desk.ledger.commit(new Ledger(['theirs']));
    const result = await kit.execute('await add();\nawait outside();\nreturn 1;');
    expect(result).toMatchObject({ status: 'failed', returnValue: undefined, error: { kind: 'conflicted' } });
    expect(result.error?.message).not.toMatch(/execute_program|\badd\b/);
    expect(result.error?.message).toMatch(/changed by another request meanwhile.*Its changes here were undone/);
    expect(result.toModelText()).not.toContain('execute_program');
    expect(result.toolCalls.every(({ rolledBack }) => rolledBack)).toBe(true);
    expect(desk.state()).toEqual({ notes: ['first'], lines: ['theirs'] });
  });

  test('CALL-09e a conflict of one call can be caught by its kind', async () => {
    const meddled = act('add', (context) => {
      add(context);
      moveOn();
    });
    const { kit, desk } = await kitOf([meddled], { sandbox, atomic: false });
    const moveOn = (): void => desk.ledger.commit(new Ledger(['theirs']));
    const caught = 'try { await add(); } catch (e) { return [e.kind, e.message]; }';
    const { returnValue } = await kit.execute(caught);
    expect(returnValue).toEqual(['conflicted', expect.stringContaining('add had read')]);
    expect((await kit.execute('await add();')).error).toMatchObject({ kind: 'conflicted', name: 'ToolError', line: 1 });
  });
});
