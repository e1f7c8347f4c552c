import type { OverridesStore, PromptOverrides } from 'toolwright/overrides';

const desk = { ns: 'shop', key: 'desk' };
const bodies = (body: string): PromptOverrides => ({ sections: { orders: { body, bodyHash: 'h' } } });

/** The contract of every store of overrides. */
export function overridesStoreContract(newStore: () => OverridesStore): void {
  test('returns nothing before anything was written', async () => {
    expect(await newStore().read(desk, 'latest')).toBeUndefined();
  });

  test('returns the whole of what was written last', async () => {
    const store = newStore();
    await store.write(desk, 'latest', {
      ...bodies('One'),
      tools: { get: { description: 'Gets.', contractHash: 'h' } },
    });
    await store.write(desk, 'latest', bodies('Two'));
    expect(await store.read(desk, 'latest')).toEqual(bodies('Two'));
  });

  test('keeps prompts and tags apart, whatever their names', async () => {
    const store = newStore();
    const names = ['a', 'A.b', 'a/b', 'a%2Fb', '..', '.', '../a', 'b', 'ü', 'a b', 'a\\b', '\u0000', 'constructor'];
    const places = names.flatMap((ns) => names.map((key) => ({ ns, key })));
    for (const place of places) await store.write(place, 'latest', bodies(JSON.stringify(place)));
    await store.write(desk, 'v2', bodies('v2'));
    for (const place of places) expect(await store.read(place, 'latest')).toEqual(bodies(JSON.stringify(place)));
    expect(await store.read(desk, 'v2')).toEqual(bodies('v2'));
    expect(await store.read(desk, 'latest')).toBeUndefined();
  });

  test('forgets what was deleted, and nothing else', async () => {
    const store = newStore();
    await store.write(desk, 'latest', bodies('One'));
    await store.write(desk, 'v2', bodies('Two'));
    await store.delete(desk, 'latest');
    await store.delete(desk, 'latest');
    expect(await store.read(desk, 'latest')).toBeUndefined();
    expect(await store.read(desk, 'v2')).toEqual(bodies('Two'));
  });

  test('keeps what it was given, not what the host makes of it later', async () => {
    const store = newStore();
    const section = { body: 'One', bodyHash: 'h' };
    await store.write(desk, 'latest', { sections: { orders: section } });
    section.body = 'Two';
    expect(await store.read(desk, 'latest')).toEqual(bodies('One'));
  });

  test.each(['', 'Latest', '-a', '.', '..', 'a/b', '../a', 'a\\b', 'a b', 'a\u0000', 'a\n', 'ä', 'a'.repeat(65)])(
    'refuses the tag %j for reading, writing and deleting',
    async (tag) => {
      const store = newStore();
      const refusal = { name: 'PromptOverridesError', code: 'E522' };
      await expect(async () => store.read(desk, tag)).rejects.toMatchObject(refusal);
      await expect(async () => store.write(desk, tag, bodies('One'))).rejects.toMatchObject(refusal);
      await expect(async () => store.delete(desk, tag)).rejects.toMatchObject(refusal);
    },
  );

  test.each(['a', '0', 'v2', 'a.b-c_d', 'a'.repeat(64)])('takes the tag %j', async (tag) => {
    const store = newStore();
    await store.write(desk, tag, bodies('One'));
    expect(await store.read(desk, tag)).toEqual(bodies('One'));
  });
}
