import { createApplication, definePrompt } from 'toolwright';
import { InMemoryOverridesStore, type PromptOverrides } from 'toolwright/overrides';
import { openDesk } from './desk';

describe('writing overrides', () => {
  test('written overrides have the hashes of the declared texts', async () => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({
      sections: { orders: { body: 'New.' } },
      tools: { get_order: { description: 'Better.' } },
    });
    const [orders] = prompt.descriptor.sections;
    const [tool] = prompt.descriptor.tools;
    expect(await prompt.overrides.read()).toEqual({
      sections: { orders: { body: 'New.', bodyHash: orders?.bodyHash } },
      tools: { get_order: { description: 'Better.', contractHash: tool?.contractHash } },
    });
  });

  test('an override takes the hashes that its author saw', async () => {
    const { prompt } = await openDesk();
    const bodyHash = prompt.descriptor.sections[0]?.bodyHash;
    await prompt.overrides.write({ sections: { orders: { body: 'New.', bodyHash } } });
    expect((await prompt.render()).text).toContain('New.');
  });

  test('an override replaces everything under its tag, and nothing under others', async () => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({ sections: { orders: { body: 'One.' } } }, { tag: 'v1' });
    await prompt.overrides.write({ sections: { orders: { body: 'Two.' } } });
    await prompt.overrides.write({ tools: { get_order: { description: 'Better.' } } });
    expect((await prompt.overrides.read())?.sections).toEqual({});
    expect((await prompt.overrides.read({ tag: 'v1' }))?.sections?.['orders']?.body).toBe('One.');
    await prompt.overrides.delete({ tag: 'v1' });
    expect(await prompt.overrides.read({ tag: 'v1' })).toBeUndefined();
  });

  test.each<[string, string, PromptOverrides, RegExp]>([
    [
      'E520',
      'an unknown path',
      { sections: { ordres: { body: 'x' } } },
      /there is no such section\. Did you mean "orders"\?/,
    ],
    ['E520', 'a nested path by its key', { sections: { refunds: { body: 'x' } } }, /no such section/],
    ['E520', 'a section that accepts none', { sections: { notes: { body: 'x' } } }, /it accepts no overrides/],
    [
      'E520',
      'a summary where none is declared',
      { sections: { orders: { summary: 'x' } } },
      /the summary .* none is declared/,
    ],
    [
      'E520',
      'an unknown tool',
      { tools: { get_ordre: { description: 'x' } } },
      /there is no such tool\. Did you mean "get_order"\?/,
    ],
    ['E520', 'a tool that accepts none', { tools: { close: { description: 'x' } } }, /it accepts no overrides/],
    [
      'E520',
      'a tool of a section that accepts none',
      { tools: { note: { description: 'x' } } },
      /it accepts no overrides/,
    ],
    ['E520', 'a name that every object has', { tools: { constructor: { description: 'x' } } }, /no such tool/],
    [
      'E520',
      'an unknown parameter',
      { tools: { get_order: { params: { orderID: 'x' } } } },
      /no parameter "orderID"\. Did you mean "orderId"\?/,
    ],
    [
      'E520',
      'a parameter called like a member of objects',
      { tools: { get_order: { params: { toString: 'x' } } } },
      /no parameter/,
    ],
    [
      'E521',
      "a stale hash of a section's body",
      { sections: { orders: { body: 'x', bodyHash: 'old' } } },
      /has changed since/,
    ],
    [
      'E521',
      'a stale hash of a tool',
      { tools: { get_order: { description: 'x', contractHash: 'old' } } },
      /has changed since/,
    ],
  ])('%s refuses %s, and writes nothing', async (code, _what, overrides, message) => {
    const { prompt, store } = await openDesk();
    const given = { sections: { 'orders.refunds': { body: 'Fine.' }, ...overrides.sections }, tools: overrides.tools };
    const writing = prompt.overrides.write(given);
    await expect(writing).rejects.toMatchObject({ name: 'PromptOverridesError', code, place: 'shop/desk (latest)' });
    await expect(writing).rejects.toThrow(message);
    expect(await store.read(prompt, 'latest')).toBeUndefined();
  });

  test('a refusal names the section or the tool', async () => {
    const { prompt } = await openDesk();
    await expect(prompt.overrides.write({ sections: { notes: { body: 'x' } } })).rejects.toMatchObject({
      sectionPath: 'notes',
    });
    await expect(prompt.overrides.write({ tools: { close: { description: 'x' } } })).rejects.toMatchObject({
      toolName: 'close',
    });
  });

  test('E522 an override refuses a malformed tag before anything else', async () => {
    const { prompt } = await openDesk();
    const refusal = { name: 'PromptOverridesError', code: 'E522' };
    await expect(prompt.overrides.write({}, { tag: '../x' })).rejects.toMatchObject(refusal);
    await expect(prompt.overrides.read({ tag: '' })).rejects.toMatchObject(refusal);
    await expect(prompt.overrides.delete({ tag: 'A' })).rejects.toMatchObject(refusal);
    await expect(prompt.render({ overridesTag: 'a/b' })).rejects.toMatchObject(refusal);
    await expect(prompt.tools({ overridesTag: 'a/b' })).rejects.toMatchObject(refusal);
    await expect(prompt.render({ overridesTag: null as never })).rejects.toMatchObject(refusal);
  });

  const circle: Record<string, unknown> = {};
  circle['sections'] = circle;
  test.each<[string, unknown, RegExp]>([
    ['a text', 'x', /the stored value is the string "x", not an object/],
    ['a list', [], /not an object/],
    ['an unknown part', { section: {} }, /section is not a member of overrides\. Did you mean "sections"\?/],
    ['a structure', { sections: { orders: { title: 'New' } } }, /sections\["orders"\]\.title is not a member/],
    ["a tool's name", { tools: { get_order: { name: 'x' } } }, /is not a member of overrides/],
    ['a body of another kind', { sections: { orders: { body: 1 } } }, /body is the number 1, not a text/],
    [
      'a description of another kind',
      { tools: { get_order: { description: null } } },
      /description is null, not a text/,
    ],
    ['descriptions of parameters as a list', { tools: { get_order: { params: ['x'] } } }, /params is an array of 1/],
    ['examples that are no list', { tools: { get_order: { examples: {} } } }, /examples is an object, not a list/],
    [
      'an example without its output',
      { tools: { get_order: { examples: [{ description: 'x', input: null }] } } },
      /examples\[0\]\.output is missing/,
    ],
    ['an example that is none', { tools: { get_order: { examples: [null] } } }, /examples\[0\] is null/],
    [
      'more placeholders than a rendering should look up',
      { sections: { orders: { body: '$name '.repeat(10_001) } } },
      /sections hold 10001 dollar signs, and at most 10000 are read/,
    ],
    ['what JSON cannot say', circle, /cannot be written as JSON/],
    ['nothing', undefined, /cannot be written as JSON/],
  ])('E524 an override is not written over %s', async (_what, given, message) => {
    const { prompt } = await openDesk();
    const writing = prompt.overrides.write(given as PromptOverrides);
    await expect(writing).rejects.toMatchObject({ name: 'PromptOverridesError', code: 'E524' });
    await expect(writing).rejects.toThrow(message);
  });

  test('E525 an override says that a store failed, with its cause', async () => {
    const failure = new TypeError('disk full');
    const fail = (): never => {
      throw failure;
    };
    const { prompt } = await openDesk({}, { read: fail, write: fail, delete: fail });
    const refusal = { name: 'PromptOverridesError', code: 'E525', cause: failure };
    await expect(prompt.overrides.write({})).rejects.toMatchObject(refusal);
    await expect(prompt.overrides.read()).rejects.toMatchObject(refusal);
    await expect(prompt.overrides.delete()).rejects.toMatchObject(refusal);
    await expect(prompt.render()).rejects.toMatchObject(refusal);
  });

  test('E526 an override says that the application has no store', async () => {
    const Root = definePrompt({ ns: 'shop', key: 'bare', sections: [] });
    const prompt = (await createApplication({ prompts: [Root] })).prompt(Root);
    const refusal = { name: 'PromptOverridesError', code: 'E526', place: 'shop/bare' };
    await expect(async () => prompt.overrides).rejects.toMatchObject(refusal);
    await expect(prompt.render({ overridesTag: 'v2' })).rejects.toMatchObject(refusal);
    await expect(prompt.render()).resolves.toBeDefined();
  });

  test('later changes of the host are not written', async () => {
    const store = new InMemoryOverridesStore();
    const { prompt } = await openDesk({}, store);
    const section = { body: 'One.' };
    await prompt.overrides.write({ sections: { orders: section } });
    section.body = 'Two.';
    expect((await prompt.overrides.read())?.sections?.['orders']?.body).toBe('One.');
  });
});
