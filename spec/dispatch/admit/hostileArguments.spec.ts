import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  type ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { z } from 'zod';
import { silentLogger } from '../../conformance/declare/silentLogger';
import { deskOf, UNTOUCHED, writeBoth } from '../desk';

type Args = Readonly<Record<string, unknown>>;

class Params {
  @Param({ record: Number, optional: true }) counts?: Record<string, number>;
  @Param({ type: 'any', optional: true }) data?: unknown;
  @Param({ type: [String], optional: true }) tags?: string[];
}

const got: Params[] = [];
const take = defineTool({
  name: 'take',
  description: 'Takes.',
  params: Params,
  handler: (params: Params, context: ToolContext) => {
    writeBoth(context, 'taken');
    got.push(params);
    return 'taken';
  },
});

function nested(levels: number): Args {
  let value: Args = {};
  for (let level = 0; level < levels; level++) value = { data: value };
  return value;
}

function circle(): Args {
  const value: Record<string, unknown> = {};
  value['data'] = value;
  return value;
}

function doubling(): Args {
  let value: Args = {};
  for (let level = 0; level < 40; level++) value = { left: value, right: value };
  return { data: value };
}

const throwing = {
  get data(): never {
    throw new Error('no');
  },
};
const revoked = (): Args => {
  const { proxy, revoke } = Proxy.revocable<Args>({}, {});
  revoke();
  return proxy;
};
const trapped = new Proxy<Args>(
  {},
  {
    ownKeys: () => {
      throw new Error('no');
    },
  },
);

const hostile: readonly [string, () => Args, RegExp][] = [
  ['8,000 levels', () => nested(8_000), /at most 64 levels/],
  ['a circle', circle, /at most 64 levels/],
  ['2⁴⁰ shared entries', doubling, /at most 20000 values/],
  ['a BigInt', () => ({ data: { id: 12n } }), /data\.id.*expected JSON, got the bigint 12/],
  ['a getter that throws', () => throwing, /could not be read/],
  ['a revoked proxy', revoked, /could not be read/],
  ['a proxy that throws', () => trapped, /could not be read/],
  ['a Map', () => ({ data: new Map() }), /data.*expected JSON, got an object of the kind Map/],
  ['a function', () => ({ data: () => 1 }), /data.*expected JSON, got a function/],
  ['__proto__', () => JSON.parse('{"counts":{"__proto__":1}}') as Args, /__proto__.*is not a possible key/],
  ['a list of 4,000,000,000', () => ({ tags: new Array<string>(4_000_000_000) }), /at most 20000 values/],
];

describe('TRACE-09 arguments that are objects', () => {
  test.each(hostile)('TRACE-09 %s from the host: an outcome', async (_name, make, message) => {
    const desk = await deskOf([take]);
    const outcome = await desk.call('take', make());
    expect(outcome).toMatchObject({ kind: 'rejected' });
    expect(outcome.text).toMatch(message);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toMatchObject([{ kind: 'rejected' }]);
    expect(await desk.call('no_such_tool', make())).toMatchObject({ kind: 'unknown' });
    const turn = await desk.app.callTools(desk.rendered, [{ id: '1', name: 'take', arguments: make() }]);
    expect(turn).toMatchObject([{ kind: 'rejected' }]);
    expect(turn[0].text).toMatch(message);
  });

  test.each(hostile)(
    'TRACE-09 %s from an adapter: the model reads it, and the run goes on',
    async (_name, make, message) => {
      const Desk = definePrompt({
        ns: 'a',
        key: 'b',
        sections: [defineSection({ key: 's', title: 'S', tools: [take] })],
      });
      const app = await createApplication({ prompts: [Desk], logger: silentLogger });
      const adapter = new ScriptedModel([
        () => ({ toolCalls: [{ name: 'take', arguments: make() }] }),
        { text: 'Done.' },
      ]);
      const conversation = new Conversation();
      const response = await app.evaluate(app.prompt(Desk), { adapter, conversation });
      expect(response.text).toBe('Done.');
      const told = adapter.requests[1]?.messages.at(-1);
      expect(told).toMatchObject({ role: 'tool', failed: true });
      // The model reads the same text as of a call from the host.
      const desk = await deskOf([take]);
      expect(told?.content).toBe((await desk.call('take', make())).text);
      expect(told?.content).toMatch(message);
      expect(() => JSON.stringify(conversation)).not.toThrow();
    },
  );

  test('TRACE-09 arguments that a handler passes are checked as well', async () => {
    const outer = defineTool({
      name: 'outer',
      description: 'Calls.',
      handler: async (_params: unknown, context: ToolContext) =>
        (await context.callTool({ id: '1', name: 'take', arguments: nested(8_000) })).kind,
    });
    expect((await (await deskOf([take, outer])).call('outer')).text).toBe('rejected');
  });

  test('TRACE-09 changes that a handler makes to its params never reach the caller', async () => {
    const change = defineTool({
      name: 'change',
      description: 'Changes.',
      params: Params,
      handler: (params: Params) => {
        (params.data as { items: unknown[] }).items.push('more');
        return 'changed';
      },
    });
    const given = { data: { items: ['one'] } };
    const desk = await deskOf([change]);
    expect((await desk.call('change', given)).kind).toBe('succeeded');
    expect(given).toEqual({ data: { items: ['one'] } });
    expect(desk.events[0]?.params).toEqual(given);
    const Desk = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [change] })],
    });
    const app = await createApplication({ prompts: [Desk], logger: silentLogger });
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'change', arguments: given }] }, { text: 'Done.' }]);
    await app.evaluate(app.prompt(Desk), { adapter, session: new Session() });
    const said = adapter.requests[1]?.messages.find(({ role }) => role === 'assistant');
    expect(said).toMatchObject({ toolCalls: [{ arguments: { data: { items: ['one'] } } }] });
    expect(JSON.stringify(said)).not.toContain('more');
  });

  test('TRACE-09 instances and dates are taken as what they hold', async () => {
    class When {
      @Param('When') at!: Date;
    }
    const tool = defineTool({
      name: 'tell',
      description: 'Tells.',
      params: When,
      handler: ({ at }: When) => at.toISOString(),
    });
    const desk = await deskOf([tool]);
    const outcome = await desk.call('tell', { at: new Date(0) });
    expect(outcome.text).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('TRACE-09 keys that would change a prototype', () => {
  const free = defineTool({
    name: 'take',
    description: 'Takes.',
    params: z.object({ counts: z.record(z.string(), z.number()) }),
    handler: () => 'taken',
  });

  test.each(['__proto__', 'constructor', 'prototype'])('TRACE-09 %s is no key of a map', async (key) => {
    for (const text of [`{"counts":{"${key}":1}}`, `{"data":[{"a":{"${key}":1}}]}`]) {
      const desk = await deskOf([take]);
      for (const args of [text, JSON.parse(text) as Args]) {
        const outcome = await desk.call('take', args);
        expect(outcome.kind).toBe('rejected');
        expect(outcome.text).toMatch(new RegExp(`${key}.*is not a possible key`));
      }
    }
  });

  test('TRACE-09 for a schema of another library, __proto__ is refused as well', async () => {
    const desk = await deskOf([free]);
    const outcome = await desk.call('take', '{"counts":{"__proto__":1}}');
    expect(outcome.kind).toBe('rejected');
    expect(outcome.text).toContain('__proto__');
  });

  test('TRACE-09 a declared property may have such a name', async () => {
    class Race {
      @Param({ name: 'constructor', description: 'Team' }) team!: string;
    }
    const tool = defineTool({ name: 'race', description: 'R.', params: Race, handler: ({ team }: Race) => team });
    expect((await (await deskOf([tool])).call('race', { constructor: 'Ferrari' })).text).toBe('Ferrari');
  });
});
