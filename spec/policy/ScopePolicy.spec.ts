import type { RunMetadata } from 'toolwright';
import { ScopePolicy } from 'toolwright/policies';
import { policyDesk } from './desk';

async function callWith(runMetadata: RunMetadata, policy = new ScopePolicy('orders:write', 'orders:read')) {
  const { app, rendered, session } = await policyDesk([policy], ['cancel']);
  return app.callTool(rendered, { id: 'c1', name: 'cancel', arguments: {} }, { session, runMetadata });
}

describe('ScopePolicy', () => {
  test('ScopePolicy allows a run that has all of its scopes, in any order', async () => {
    expect((await callWith({ scopes: 'openid orders:read orders:write' })).kind).toBe('succeeded');
  });

  test.each([
    ['no metadata', {}, 'orders:write and orders:read'],
    ['one of two scopes', { scopes: 'orders:read' }, 'orders:write'],
    ['a longer name', { scopes: 'orders:read orders:write:all' }, 'orders:write'],
    ['another key', { scope: 'orders:read orders:write' }, 'orders:write and orders:read'],
  ])('ScopePolicy denies a run with %s, and names the missing scopes', async (_name, runMetadata, missing) => {
    const outcome = await callWith(runMetadata);
    expect(outcome.kind).toBe('denied');
    expect(outcome.text).toContain(`it needs the scope ${missing}, which the user has not granted`);
  });

  test.each<[string, readonly string[]]>([
    ['no scope', []],
    ['an empty scope', ['']],
    ['two scopes in one text', ['orders:read orders:write']],
    ['a quote', ['orders"']],
    ['a number', [1 as never]],
  ])('E713: ScopePolicy refuses %s', (_name, scopes) => {
    expect(() => new ScopePolicy(...scopes)).toThrow(expect.objectContaining({ code: 'E713' }) as Error);
  });
});
