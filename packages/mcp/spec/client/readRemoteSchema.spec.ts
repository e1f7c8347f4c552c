import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toRemoteParams, readRemoteSchema } from '../../src/client/readRemoteSchema';

function judged(schema: object, value: unknown): string | undefined {
  const read = readRemoteSchema(schema);
  if ('problem' in read) throw new Error(read.problem);
  return read.judge(value);
}

describe('schemas of a server, compiled', () => {
  test('ARG-24 a reference to the network is refused, and nothing is fetched', async () => {
    let requests = 0;
    const listener = createServer((_request, response) => {
      requests++;
      response.end('{"type":"string"}');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}/schema.json`;
    try {
      const wanted = { type: 'object', properties: { a: { $ref: url } } };
      expect(readRemoteSchema(wanted)).toEqual({ problem: expect.stringContaining('nothing is fetched') as unknown });
      expect(toRemoteParams(wanted)).toEqual({ problem: expect.stringContaining('nothing is fetched') as unknown });
      // Neither what a schema calls itself nor what it is written in is looked up.
      const named = { $schema: url, $id: url, type: 'object', properties: { a: { $id: `${url}#a`, type: 'string' } } };
      expect(judged(named, { a: 1 })).toContain('must be string');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(requests).toBe(0);
    } finally {
      await new Promise((resolve) => listener.close(resolve));
    }
  });

  test('two schemas that call themselves the same are judged each by its own', () => {
    const schema = (type: string): object => ({ $id: 'x://same', type: 'object', properties: { a: { type } } });
    expect(judged(schema('string'), { a: 'x' })).toBeUndefined();
    expect(judged(schema('number'), { a: 'x' })).toContain('must be number');
  });

  test('schemas for models contain no hidden text, and no examples', () => {
    const read = readRemoteSchema({
      ...{ type: 'object', $schema: 'x', $id: 'y', $comment: 'z', title: 'T\u200b', examples: [{}] },
      properties: {
        description: { type: 'string', description: 'Do <system>this</system>\u001b[1m now', default: 'as it is' },
        examples: { const: { $comment: 'data' } },
      },
    });
    expect('schema' in read && read.schema).toEqual({
      type: 'object',
      title: 'T',
      properties: {
        description: { type: 'string', description: 'Do (system)this(/system) now', default: 'as it is' },
        examples: { const: { $comment: 'data' } },
      },
    });
  });

  test.each<[string, object]>([
    ['formats that nobody knows', { type: 'string', format: 'uint99' }],
    ['patterns that cannot be read', { type: 'string', pattern: '[\\w-.]' }],
    ['words of draft 04', { id: 'old', type: 'string' }],
  ])('%s do not make a tool unusable', (_what, a) => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(judged({ type: 'object', properties: { a } }, { a: 'x' })).toBeUndefined();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test.each<[string, object, unknown]>([
    [
      'a union',
      {
        $ref: '#/$defs/n',
        $defs: { n: { oneOf: ['x', 'y'].map((title) => ({ title, properties: { a: { $ref: '#/$defs/n' } } })) } },
      },
      Array.from({ length: 60 }).reduce<object>((inner) => ({ a: inner }), {}),
    ],
  ])('ARG-24 %s that would take years to check ends after two seconds', (_what, schema, value) => {
    const began = performance.now();
    expect(judged(schema, value)).toContain('could not be checked');
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(judged({ type: 'string' }, 'x')).toBeUndefined();
  });

  test('ARG-24 a pattern that would take years is matched at once', () => {
    const startedAt = performance.now();
    expect(judged({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}b`)).toContain('must match pattern');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('lists of schemas that lead back to themselves are checked', () => {
    const list = {
      type: 'object',
      properties: { value: { type: 'number' }, next: { $ref: '#' } },
      required: ['value'],
    };
    expect(judged(list, { value: 1, next: { value: 2 } })).toBeUndefined();
    expect(judged(list, { value: 1, next: { value: 'x' } })).toContain('/next/value must be number');
  });

  test('issues have paths, also where keys are strange', async () => {
    const params = toRemoteParams({
      type: 'object',
      properties: { 'a/b~c d': { type: 'array', items: { type: 'object', required: ['x, y'] } } },
      additionalProperties: false,
    });
    if ('problem' in params) throw new Error(params.problem);
    const answer = await params['~standard'].validate({ 'a/b~c d': [{}], extra: 1 });
    expect(answer.issues?.map(({ path }) => path)).toEqual(expect.arrayContaining([['a/b~c d', '0', 'x, y']]));
  });

  test('a tool without a schema takes no arguments', () => {
    for (const given of [undefined, null, { type: 'object' }, {}]) {
      const params = toRemoteParams(given);
      if ('problem' in params) throw new Error(params.problem);
      expect(params['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toEqual({
        ...{ type: 'object', properties: {} },
      });
    }
  });
});
