import { z } from 'zod';
import { createApplication, defineTool, Field, Prompt, Section, Session, Tool, type Constructor } from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import type { TypeReference } from 'toolwright/types';

class Row {
  @Field({ name: 'row_id' }) rowId!: string;
  @Field({ type: String, nullable: true }) note!: string | null;
  @Field({ type: Number, optional: true }) size?: number;
}
class Seen {
  @Field({ type: String, nullable: true }) seenBy: string | null = null;
}

async function deskOf(tool: Constructor) {
  @Section({ title: 'Rows', template: 'Rows.', tools: [tool] })
  class Rows {}
  @Prompt({ ns: 'test', key: 'rows', sections: [Rows] })
  class Desk {}
  const lines: string[] = [];
  const note = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const logger = { debug: () => undefined, info: () => undefined, warn: note('warn'), error: note('error') };
  const app = await createApplication({ prompts: [Desk], logger });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const rendered = await app.prompt(Desk).render();
  const call = (args: object = {}) => app.invoke(rendered, 'look', args as never, { session: new Session() });
  return { call, lines, events, rendered };
}
const look = (result: unknown, value: unknown): Constructor =>
  defineTool({ name: 'look', description: 'Looks.', result: result as TypeReference, handler: () => value as never });

describe('nullable fields', () => {
  test.each<[string, TypeReference | undefined, object]>([
    ['an instance of the declared class', Row, Object.assign(new Row(), { rowId: 'a', note: null, size: null })],
    [
      'an instance in a union',
      { oneOf: [Seen, Row] },
      Object.assign(new Row(), { rowId: 'a', note: null, size: null }),
    ],
    ['an instance without a declaration', undefined, Object.assign(new Row(), { rowId: 'a', note: null, size: null })],
    ['an entity', Row, Object.assign(new (class Entity {})(), { rowId: 'a', note: null, size: null })],
  ])('a null stays in the text where it is a value: %s', async (_what, result, value) => {
    const { text } = await (await deskOf(look(result, value))).call();
    expect(JSON.parse(text)).toEqual({ row_id: 'a', note: null });
  });

  test('a null that is the default is left out, as the reference does', async () => {
    for (const result of [[Seen], undefined])
      expect(JSON.parse((await (await deskOf(look(result, [new Seen()]))).call()).text)).toEqual([{}]);
  });
});

describe('results that do not meet their type', () => {
  const dirty = { rowId: 7, note: null, secretColumn: 'x' };

  test('a result fails the call by default, and with mismatch: fail', async () => {
    for (const result of [Row, { type: Row }, { type: Row, mismatch: 'fail' }]) {
      const { call, events } = await deskOf(look(result, dirty));
      expect((await call()).kind).toBe('failed');
      expect(events[0]?.resultIssues).toBeUndefined();
    }
  });

  test('mismatch: warn leaves the value, and says so in log and event', async () => {
    const { call, lines, events, rendered } = await deskOf(look({ type: Row, mismatch: 'warn' }, dirty));
    const { kind, text } = await call();
    expect([kind, JSON.parse(text)]).toEqual(['succeeded', { row_id: 7, note: null }]);
    expect(lines).toEqual([
      'warn Tool look gave a result that is not what it declares: rowId: expected a string, got the number 7 (Row.rowId)',
    ]);
    expect(events[0]?.resultIssues).toMatchObject([{ kind: 'type', path: 'rowId' }]);
    expect(rendered.tool('look')?.metadata.result).toMatchObject({ kind: 'object', shape: { name: 'Row' } });
  });

  test('mismatch: warn says nothing of a result that meets its type', async () => {
    const { call, lines, events } = await deskOf(look({ type: Row, mismatch: 'warn' }, { rowId: 'a', note: null }));
    expect((await call()).text).toBe('{"row_id":"a","note":null}');
    expect([lines, events[0]?.resultIssues]).toEqual([[], undefined]);
  });

  test.each<[string, unknown, unknown, string]>([
    [
      'a list',
      [Row],
      [
        { rowId: 'a', note: null },
        { rowId: 1, note: null },
      ],
      '[{"row_id":"a","note":null},{"row_id":1,"note":null}]',
    ],
    ['a text for an object', Row, 'gone', 'gone'],
    ['a list for an object', Row, [1], '[1]'],
    ['an object for a list', [Row], { a: 1 }, '{"a":1}'],
    ['no option of a union', { oneOf: [Row, Number] }, { other: 1 }, '{"other":1}'],
    ['a schema', z.object({ n: z.number() }), { n: 'x' }, '{"n":"x"}'],
  ])('mismatch: warn leaves a result unchanged: %s', async (_what, type, value, text) => {
    const { call, lines } = await deskOf(look({ type, mismatch: 'warn' }, value));
    expect(await call()).toMatchObject({ kind: 'succeeded', text });
    expect(lines).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['another mismatch', { type: Row, mismatch: 'ignore' }],
    ['another option', { type: Row, missmatch: 'warn' }],
    ['no type', { type: 3 }],
  ])('a declaration is refused with %s', async (_what, result) => {
    await expect(deskOf(look(result, dirty))).rejects.toThrow(/result/);
  });

  test('the handler has the type of the class', () => {
    class Typed {
      @Tool({ description: 'Looks.', result: { type: Row, mismatch: 'warn' } })
      look(): Row {
        return new Row();
      }
      // @ts-expect-error the handler does not return a Row
      @Tool({ description: 'Looks.', result: { type: Row, mismatch: 'warn' } })
      wrong(): number {
        return 1;
      }
    }
    expect(Typed).toBeDefined();
  });
});
