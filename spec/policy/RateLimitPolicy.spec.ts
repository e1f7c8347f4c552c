import { PolicyRecord, RateLimitPolicy, type RateLimitOptions } from 'toolwright/policies';
import { policyDesk } from './desk';

const NAMES = ['read_web', 'search', 'note'];
const kindOf = async (call: Promise<{ readonly kind: string }>): Promise<string> => (await call).kind;

describe('RateLimitPolicy', () => {
  test('RateLimitPolicy denies beyond so many calls in so many seconds, and says how long to wait', async () => {
    const desk = await policyDesk([new RateLimitPolicy({ maxCalls: 2, perSeconds: 60 })], NAMES);
    await desk.call('search');
    desk.clock.advance(20_000);
    await desk.call('search');
    const denied = await desk.call('search');
    expect(denied.kind).toBe('denied');
    expect(denied.text).toContain('at most 2 calls are allowed in 60 seconds. Call it again in 40 seconds');
    desk.clock.advance(39_999);
    expect(await kindOf(desk.call('search'))).toBe('denied');
    desk.clock.advance(1);
    expect(await kindOf(desk.call('search'))).toBe('succeeded');
    expect(await kindOf(desk.call('search'))).toBe('denied');
  });

  test('a failed or denied call counts as not done', async () => {
    const desk = await policyDesk([new RateLimitPolicy({ maxCalls: 1, perSeconds: 60 })], NAMES);
    await desk.call('search', { fails: true });
    expect(await kindOf(desk.call('search'))).toBe('succeeded');
    expect(await kindOf(desk.call('search'))).toBe('denied');
    desk.clock.advance(60_000);
    expect(await kindOf(desk.call('search'))).toBe('succeeded');
  });

  test('RateLimitPolicy counts all tools of its place together, or those that it names', async () => {
    const all = await policyDesk([new RateLimitPolicy({ maxCalls: 1, perSeconds: 60 })], NAMES);
    await all.call('note');
    expect(await kindOf(all.call('search'))).toBe('denied');
    const some = await policyDesk(
      [new RateLimitPolicy({ maxCalls: 2, perSeconds: 60, tools: ['search', 'read_web'] })],
      NAMES,
    );
    await some.call('note');
    await some.call('search');
    await some.call('read_web');
    expect((await some.call('search')).text).toContain('of search, read_web together');
    expect(await kindOf(some.call('note'))).toBe('succeeded');
  });

  test('two limits count apart', async () => {
    const desk = await policyDesk(
      [new RateLimitPolicy({ maxCalls: 1, perSeconds: 1 }), new RateLimitPolicy({ maxCalls: 3, perSeconds: 60 })],
      NAMES,
    );
    const kinds: string[] = [];
    for (let index = 0; index < 5; index++) {
      kinds.push(await kindOf(desk.call('search')));
      desk.clock.advance(1_000);
    }
    expect(kinds).toEqual(['succeeded', 'succeeded', 'succeeded', 'denied', 'denied']);
  });

  test('RateLimitPolicy holds exactly when a model calls a read-only tool many times in one turn', async () => {
    const desk = await policyDesk([new RateLimitPolicy({ maxCalls: 3, perSeconds: 60 })], NAMES);
    const calls = [1, 2, 3, 4, 5].map((id) => ({ id: String(id), name: 'read_web', arguments: {} }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded', 'succeeded', 'denied', 'denied']);
  });

  test('RateLimitPolicy holds exactly when two requests share the session', async () => {
    const desk = await policyDesk([new RateLimitPolicy({ maxCalls: 1, perSeconds: 60 })], NAMES);
    const kinds = await Promise.all([kindOf(desk.call('read_web')), kindOf(desk.call('read_web'))]);
    expect(kinds.filter((kind) => kind === 'succeeded')).toHaveLength(1);
  });

  test('RateLimitPolicy keeps no record that counts no more', async () => {
    const desk = await policyDesk([new RateLimitPolicy({ maxCalls: 5, perSeconds: 10 })], NAMES);
    desk.session.dispatch(new PolicyRecord('other', 'search', null, 0));
    for (let index = 0; index < 50; index++) {
      await desk.call('search');
      desk.clock.advance(4_000);
    }
    expect(desk.session.slice(PolicyRecord).all()).toHaveLength(4);
    expect(desk.session.slice(PolicyRecord).all()[0]?.policy).toBe('other');
  });

  test.each<[string, RateLimitOptions]>([
    ['no call', { maxCalls: 0, perSeconds: 1 }],
    ['half a call', { maxCalls: 1.5, perSeconds: 1 }],
    ['calls as text', { maxCalls: '1' as never, perSeconds: 1 }],
    ['no time', { maxCalls: 1, perSeconds: 0 }],
    ['endless time', { maxCalls: 1, perSeconds: Infinity }],
    ['time that is none', { maxCalls: 1, perSeconds: NaN }],
    ['no tools', { maxCalls: 1, perSeconds: 1, tools: [] }],
  ])('E713: RateLimitPolicy refuses %s', (_name, options) => {
    expect(() => new RateLimitPolicy(options)).toThrow(expect.objectContaining({ code: 'E713' }) as Error);
  });
});
