import {
  type ApplicationOptions,
  bind,
  defineTool,
  PromptValidationError,
  type ToolContext,
  ToolRefusal,
  ToolValidationError,
  type Transactional,
} from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { PostgresTransactions, Sql, type SqlPool } from 'toolwright/resources';
import { act, engineOfFile, kitOf, PATIENCE_MS } from '../../packages/programs/spec/kit';
import { deskOf, type Desk } from './desk';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

const SECRET = 'password authentication failed for user "app" at db.internal:5432';
/** An error as drivers throw it. */
class QueryFailedError extends Error {
  readonly code = '28P01';
}
const driverError = (): QueryFailedError => new QueryFailedError(SECRET);

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const failing = (thrown: () => unknown) =>
  act('find', () => {
    throw thrown();
  });

/** The warnings and errors of a desk. */
const lines = ({ logged }: Desk): readonly string[] =>
  logged.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message);

const idIn = (text: string): string => /\(error ([^)]+)\)/.exec(text)?.[1] ?? 'none';

describe('maskErrors', () => {
  test('without maskErrors, the model reads the message of an error, as before', async () => {
    const desk = await deskOf([failing(driverError)]);
    expect((await desk.call('find')).text).toContain(SECRET);
    const off = await deskOf([failing(driverError)], { maskErrors: false });
    expect((await off.call('find')).text).toContain(SECRET);
  });

  test('the model reads an id in place of the message; the log has the id and the error, in one line', async () => {
    const desk = await deskOf([failing(driverError)], { maskErrors: true });
    const outcome = await desk.call('find');
    const id = idIn(outcome.text);
    expect(outcome.text).toMatch(
      /^The call of find failed \(error [\w-]+\)\. The log of the application has the details\.\nIts changes here were undone/,
    );
    expect(outcome.result.message).toBe(outcome.text);
    expect(JSON.stringify([outcome.text, outcome.result])).not.toContain('password');
    expect(lines(desk)).toEqual([`Tool find failed (error ${id}): ${SECRET}`]);
    expect(desk.logged.at(-1)?.fields?.['error']).toBeInstanceOf(QueryFailedError);
    const [event] = desk.events;
    expect(event).toMatchObject({ kind: 'failed', toolMessage: outcome.text });
    expect(event?.error).toBeInstanceOf(QueryFailedError);
  });

  test('every error has an id of its own', async () => {
    const desk = await deskOf([failing(driverError)], { maskErrors: true });
    expect(idIn((await desk.call('find')).text)).not.toBe(idIn((await desk.call('find')).text));
  });

  test.each<[what: string, thrown: () => unknown]>([
    ['a text', () => SECRET],
    ['undefined', () => undefined],
    ['a TypeError', () => new TypeError(SECRET)],
    ['an object that cannot be read', revokedProxy],
  ])('maskErrors masks %s that is thrown', async (_what, thrown) => {
    const desk = await deskOf([failing(thrown)], { maskErrors: true });
    const { text } = await desk.call('find');
    expect(text).toMatch(/^The call of find failed \(error [\w-]+\)\./);
    expect(text).not.toContain('password');
  });

  test('messages for the model stay: refusals, wrong arguments, HTTP exceptions', async () => {
    class HttpException extends Error {
      getStatus(): number {
        return 503;
      }
      getResponse(): unknown {
        return this.message;
      }
    }
    const thrown = [
      new ToolRefusal('There is no such order.', { cause: driverError() }),
      new ToolValidationError('the order is closed'),
      new HttpException('The warehouse is closed.'),
    ];
    const desk = await deskOf([failing(() => thrown.shift())], { maskErrors: true });
    expect((await desk.call('find')).text).toBe('There is no such order.');
    expect((await desk.call('find')).text).toContain('the order is closed');
    expect((await desk.call('find')).text).toContain('The warehouse is closed.');
  });

  test('a function says what the model reads, and undefined takes the text of true', async () => {
    class OutOfStock extends Error {}
    const thrown: Error[] = [new OutOfStock('No tea is left.'), driverError()];
    const desk = await deskOf([failing(() => thrown.shift())], {
      maskErrors: (error) => (error instanceof OutOfStock ? error.message : undefined),
    });
    const declared = await desk.call('find');
    expect(declared.text).toMatch(/^The call of find failed \(error [\w-]+\): No tea is left\.\n/);
    expect(lines(desk)[0]).toBe(`Tool find failed (error ${idIn(declared.text)}): No tea is left.`);
    expect((await desk.call('find')).text).toContain('The log of the application has the details');
  });

  test.each<[what: string, mask: (error: unknown) => string]>([
    [
      'throws',
      () => {
        throw new Error('the mask is broken');
      },
    ],
    ['returns no text', () => 42 as never],
  ])('a function that %s gives way to the text of true, and E414 says so once', async (_what, maskErrors) => {
    const desk = await deskOf([failing(driverError)], { maskErrors });
    for (let time = 0; time < 2; time++) {
      const { text } = await desk.call('find');
      expect(text).toMatch(/^The call of find failed \(error [\w-]+\)\. The log/);
      expect(text).not.toContain('password');
      expect(text).not.toContain('mask is broken');
    }
    expect(lines(desk).filter((line) => line.includes('E414'))).toHaveLength(1);
  });

  test('E312 anything but true, false or a function is refused', async () => {
    await expect(deskOf([], { maskErrors: 'yes' as never })).rejects.toThrow(PromptValidationError);
    await expect(deskOf([], { maskErrors: 'yes' as never })).rejects.toThrow(/E312.*maskErrors: expected true/s);
  });
});

describe('maskErrors, elsewhere than in a handler', () => {
  test('an interceptor that throws', async () => {
    const interceptor: Interceptor = {
      aroundTool: async () => {
        throw driverError();
      },
    };
    const desk = await deskOf([act('find', () => 'found')], { maskErrors: true, interceptors: [interceptor] });
    expect((await desk.call('find')).text).not.toContain('password');
  });

  /** A resource of which one step fails. */
  const broken = (step: 'begin' | 'commit' | 'rollback') => {
    class Rows implements Transactional<object> {
      begin(): object {
        if (step === 'begin') throw driverError();
        return {};
      }
      commit(): void {
        if (step === 'commit') throw driverError();
      }
      async rollback(): Promise<void> {
        if (step === 'rollback') throw driverError();
      }
    }
    return Rows;
  };

  test.each(['begin', 'commit', 'rollback'] as const)('a resource whose %s fails', async (step) => {
    const Rows = broken(step);
    const use = act('use', ({ resources }: ToolContext) => {
      resources.get(Rows);
      if (step === 'rollback') throw driverError();
      return 'used';
    });
    const desk = await deskOf([use], { maskErrors: true, resources: [bind(Rows, { value: new Rows() })] });
    const outcome = await desk.call('use');
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toMatch(/error [\w-]{8}/);
    expect(JSON.stringify([outcome.text, outcome.result])).not.toContain('password');
    const id = /error ([\w-]{8,})/.exec(outcome.text)?.[1] ?? 'none';
    expect(lines(desk).filter((line) => line.includes(id)).length).toBeGreaterThan(0);
  });

  test('a resource that is kept only in part', async () => {
    const First = broken('rollback');
    const Second = broken('commit');
    const use = act('use', ({ resources }: ToolContext) => {
      resources.get(First);
      resources.get(Second);
      return 'used';
    });
    const resources = [bind(First, { value: new First() }), bind(Second, { value: new Second() })];
    const desk = await deskOf([use], { maskErrors: true, resources });
    const outcome = await desk.call('use');
    expect(outcome.text).toMatch(/kept only in part: error [\w-]+, which the log of the application explains/);
    expect(outcome.text).not.toContain('password');
    expect(lines(desk)).toHaveLength(1);
    expect(lines(desk)[0]).toContain(/error ([\w-]+),/.exec(outcome.text)?.[1] ?? 'none');
  });

  test('a commit that PostgreSQL refuses', async () => {
    const client = {
      query: async (text: string) => {
        if (text === 'COMMIT') throw Object.assign(driverError(), { code: '23505' });
        return { rows: [] };
      },
      release: () => undefined,
      on: () => undefined,
      off: () => undefined,
    };
    const pool = { connect: async () => client, query: client.query } as unknown as SqlPool;
    const insert = act('insert', async ({ resources }) => {
      await (await resources.resolve(Sql)).query('INSERT INTO users VALUES (1)');
      return 'inserted';
    });
    const resources = [bind(Sql, { value: new PostgresTransactions(pool) })];
    const shown = await (await deskOf([insert], { resources })).call('insert');
    expect(shown).toMatchObject({ kind: 'failed', text: SECRET });
    const desk = await deskOf([insert], { resources, maskErrors: true });
    const { kind, text } = await desk.call('insert');
    expect(kind).toBe('failed');
    expect(text).toMatch(/^The call of insert failed \(error [\w-]+\)\./);
    expect(lines(desk)).toEqual([`Tool insert failed (error ${idIn(text)}): ${SECRET}`]);
  });

  test('a handler that calls the tool, and a program that does, read the mask', async () => {
    const ask = act('ask', async (context) => {
      const { text, result } = await context.callTool({ id: 'inner', name: 'find', arguments: {} });
      return `${text} ${result.message}`;
    });
    const { desk, kit } = await kitOf([failing(driverError), ask], { sandbox, desk: { maskErrors: true } });
    const { text } = await desk.call('ask');
    expect(text).toMatch(/The call of find failed \(error [\w-]+\)/);
    expect(text).not.toContain('password');
    const result = await kit.execute('return await find().catch(({ message }) => message);');
    expect(result.returnValue).toMatch(/^The call of find failed \(error [\w-]+\)/);
    expect(JSON.stringify(result)).not.toContain('password');
    const escaped = await kit.execute('await find();');
    expect(JSON.stringify(escaped)).not.toContain('password');
  });

  test('a rehearsal reads the same each time', async () => {
    const { rehearse } = await import('toolwright/own-loop');
    const find = defineTool({
      name: 'find',
      description: 'Finds.',
      hints: { readOnly: true },
      handler: () => {
        throw driverError();
      },
    });
    const options: Partial<ApplicationOptions> = { maskErrors: true };
    const { app, rendered } = await deskOf([find], options);
    const once = async (): Promise<string> =>
      (await rehearse(app, rendered, { id: '1', name: 'find', arguments: {} })).outcome.text;
    const text = await once();
    expect(text).not.toContain('password');
    expect(await once()).toBe(text);
  });
});
