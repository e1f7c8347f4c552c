import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { InMemoryOverridesStore, type PromptOverrides } from 'toolwright/overrides';
import { z } from 'zod';
import { openDesk } from './desk';

describe('rendering with overrides', () => {
  test('an overriding body takes the place of the declared one, with its placeholders', async () => {
    const { prompt } = await openDesk();
    const before = (await prompt.render()).text;
    await prompt.overrides.write({
      sections: { orders: { body: '\n    ${objective} for $name:\n      $$5 at most.\n  ' } },
    });
    const { text } = await prompt.render();
    expect(text).toBe(before.replace('Help Ada with a refund.', 'a refund for Ada:\n  $5 at most.'));
  });

  test('a nested section is overridden by its path', async () => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({ sections: { 'orders.refunds': { body: 'Within 60 days.' } } });
    const { text } = await prompt.render();
    expect(text).toContain('(orders.refunds)\n\nWithin 60 days.');
    expect(text).toContain('Help Ada with a refund.');
  });

  test('an empty body leaves the heading alone', async () => {
    const { prompt } = await openDesk({ orders: { tools: [], children: [] } });
    await prompt.overrides.write({ sections: { orders: { body: '  ' } } });
    expect((await prompt.render()).text).toBe('## 1. Orders (orders)\n\n## 2. Notes (notes)\n\nBe brief.');
  });

  test("a tool's texts reach the tools, their schemas in every dialect, and the descriptions of parameters", async () => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({
      tools: {
        get_order: {
          description: ' Look up one order. ',
          params: { orderId: 'Id with its #', limit: 'At most so many' },
        },
      },
    });
    const declared = (await openDesk()).prompt;
    const [rendered, plain] = [await prompt.render(), await declared.render()];
    expect(rendered.tools.map(({ description }) => description)).toEqual(['Look up one order.', 'Close.', 'Note.']);
    expect((await prompt.tools()).map(({ description }) => description)).toEqual([
      'Look up one order.',
      'Close.',
      'Note.',
    ]);
    expect(rendered.toolParamDescriptions['get_order']).toEqual({
      orderId: { description: 'Id with its #', type: 'string' },
      limit: { description: 'At most so many', type: 'integer', default: 10 },
    });
    for (const target of ['json-schema', 'openai', 'anthropic', 'mcp', 'gemini'] as const) {
      for (const strict of [false, true]) {
        const expected = JSON.stringify(plain.toolSchemas(target, { strict }))
          .replace('Get one order.', 'Look up one order.')
          .replace('Order id', 'Id with its #')
          .replaceAll('How many', 'At most so many');
        expect(JSON.stringify(rendered.toolSchemas(target, { strict }))).toBe(
          expected.includes('"description":"At most')
            ? expected
            : expected.replace(/("default":10)/, '"description":"At most so many",$1'),
        );
      }
    }
  });

  test('a new description appears where a declared one would', async () => {
    const tool = (described: string | undefined) =>
      defineTool({
        name: 'find',
        description: 'Find.',
        params: z.object({ q: described === undefined ? z.string() : z.string().describe(described) }),
        handler: null,
      });
    const open = async (described: string | undefined) => {
      const Root = definePrompt({
        ns: 'n',
        key: 'k',
        sections: [defineSection({ key: 'a', title: 'A', tools: [tool(described)] })],
      });
      return (await createApplication({ prompts: [Root], overrides: new InMemoryOverridesStore() })).prompt(Root);
    };
    const [bare, described] = [await open(undefined), await open('What to find')];
    await bare.overrides.write({ tools: { find: { params: { q: 'What to find' } } } });
    const [one, other] = [await bare.render(), await described.render()];
    expect(one.tools[0]?.schema['properties']).toEqual(other.tools[0]?.schema['properties']);
    expect(one.toolParamDescriptions).toEqual(other.toolParamDescriptions);
  });

  test('examples are replaced in the text, and may be taken away', async () => {
    const { prompt } = await openDesk();
    const before = (await prompt.render()).text;
    expect(before).toContain('Examples:\n- The first: `get_order({"orderId":"#1"})` gives `"open"`');
    const examples = [{ description: 'A late one', input: { orderId: '#9', limit: 2 }, output: 'late' }];
    await prompt.overrides.write({ tools: { get_order: { examples } } });
    const rendered = await prompt.render();
    expect(rendered.text).toContain('Examples:\n- A late one: `get_order({"orderId":"#9","limit":2})` gives `"late"`');
    expect(rendered.text).not.toContain('The first');
    expect(rendered.tool('get_order')?.examples).toEqual(examples);
    await prompt.overrides.write({ tools: { get_order: { examples: [] } } });
    expect((await prompt.render()).text).not.toContain('Examples');
  });

  test('an overridden tool is called as before: same parser, same handler, same names', async () => {
    const { app, prompt } = await openDesk();
    await prompt.overrides.write({ tools: { get_order: { description: 'Better.', params: { orderId: 'Better' } } } });
    const rendered = await prompt.render();
    expect((await app.invoke(rendered, 'get_order', { orderId: '#1' })).text).toBe('#1 of 10');
    const refused = await app.invoke(rendered, 'get_order', { orderId: 1 });
    expect(refused.kind).toBe('rejected');
  });

  test('the fingerprint changes with what the model is shown, the descriptor does not', async () => {
    const { prompt } = await openDesk();
    const before = await prompt.render();
    const changes: readonly PromptOverrides[] = [
      { sections: { orders: { body: 'x' } } },
      { tools: { get_order: { description: 'x' } } },
      { tools: { get_order: { params: { orderId: 'x' } } } },
      { tools: { get_order: { examples: [] } } },
    ];
    const seen = new Set([before.fingerprint]);
    for (const change of changes) {
      await prompt.overrides.write(change);
      const rendered = await prompt.render();
      seen.add(rendered.fingerprint);
      expect(rendered.descriptor).toBe(before.descriptor);
    }
    expect(seen.size).toBe(changes.length + 1);
    await prompt.overrides.delete();
    expect((await prompt.render()).fingerprint).toBe(before.fingerprint);
  });

  test('a tag of its own is rendered on demand, with bound params, resources and in runs', async () => {
    const { app, prompt } = await openDesk();
    await prompt.overrides.write({ sections: { orders: { body: 'Latest.' } } });
    await prompt.overrides.write({ sections: { orders: { body: 'Second.' } } }, { tag: 'v2' });
    expect((await prompt.withResources([]).bind().render({ overridesTag: 'v2' })).text).toContain('Second.');
    expect((await prompt.render({ overridesTag: 'none' })).text).toContain('Help Ada');
    const model = new ScriptedModel([{ text: 'Done.' }, { text: 'Done.' }]);
    await app.evaluate(prompt, { adapter: model, session: new Session() });
    await app.evaluate(await prompt.render({ overridesTag: 'v2' }), { adapter: model, session: new Session() });
    expect(model.requests.map(({ messages }) => JSON.stringify(messages[0]).includes('Second.'))).toEqual([
      false,
      true,
    ]);
    expect(JSON.stringify(model.requests[0]?.messages[0])).toContain('Latest.');
  });

  test('a rendering keeps its texts when the store changes', async () => {
    const { prompt } = await openDesk();
    const rendered = await prompt.render();
    const { text, fingerprint } = rendered;
    await prompt.overrides.write({ sections: { orders: { body: 'x' } }, tools: { get_order: { description: 'x' } } });
    expect([rendered.text, rendered.fingerprint]).toEqual([text, fingerprint]);
  });
});

describe('a stale override', () => {
  test('a stale override is skipped and logged once, and those beside it are applied', async () => {
    const store = new InMemoryOverridesStore();
    const before = await openDesk({}, store);
    await before.prompt.overrides.write({
      sections: { orders: { body: 'For the old text.' }, 'orders.refunds': { body: 'Within 60 days.' } },
      tools: { get_order: { description: 'For the old tool.' } },
    });
    const { prompt, warnings } = await openDesk(
      { orders: { template: 'Help ${name} at once.' }, tool: { description: 'Fetch one order.' } },
      store,
    );
    const { text, tools } = await prompt.render();
    await prompt.render();
    expect(text).toContain('Help Ada at once.');
    expect(text).toContain('Within 60 days.');
    expect(tools[0]?.description).toBe('Fetch one order.');
    expect(warnings).toEqual([
      'E521 shop/desk (latest): an override was skipped: the body of section "orders" has changed since it was overridden',
      'E521 shop/desk (latest): an override was skipped: tool "get_order" has changed since it was overridden',
    ]);
    expect((await prompt.overrides.read())?.sections?.['orders']?.body).toBe('For the old text.');
  });

  test('an override is stale if its section or tool is gone, closed, or elsewhere', async () => {
    const store = new InMemoryOverridesStore();
    const stored: PromptOverrides = {
      sections: { gone: { body: 'x', bodyHash: 'h' }, notes: { body: 'x', bodyHash: 'h' }, orders: { body: 'x' } },
      tools: {
        gone: { description: 'x', contractHash: 'h' },
        close: { description: 'x', contractHash: 'h' },
        ['__proto__']: {},
      },
    };
    store.write({ ns: 'shop', key: 'desk' }, 'latest', stored);
    const { prompt, warnings } = await openDesk({}, store);
    expect((await prompt.render()).text).toBe((await (await openDesk()).prompt.render()).text);
    expect(warnings.map((warning) => warning.slice(0, 4))).toEqual(['E520', 'E520', 'E521', 'E520', 'E520', 'E520']);
  });

  test('a stale override of a parameter is skipped alone', async () => {
    const store = new InMemoryOverridesStore();
    const { prompt, warnings } = await openDesk({}, store);
    const contractHash = prompt.descriptor.tools[0]?.contractHash;
    const tools = { get_order: { params: { orderId: 'Better', gone: 'x' }, contractHash } };
    store.write(prompt, 'latest', { tools });
    const { toolParamDescriptions } = await prompt.render();
    expect(toolParamDescriptions['get_order']?.['orderId']?.description).toBe('Better');
    expect(toolParamDescriptions['get_order']?.['gone']).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});

describe('a fault in an override is found at rendering', () => {
  test.each<[string, string, object]>([
    [
      'an unknown placeholder, the first by the alphabet',
      'x ${zebra} ${apple} ${objective}',
      { placeholder: 'apple', message: expect.stringContaining('DeskParams has no such property') as string },
    ],
    ['an unknown placeholder without braces', '$nobody', { placeholder: 'nobody' }],
    ['a stray dollar sign', 'costs $5', { placeholder: undefined, message: expect.stringContaining('$5') as string }],
    ['a name that every object has', '${constructor}', { placeholder: 'constructor' }],
  ])('E523 rendering finds %s in an override', async (_what, body, details) => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({ sections: { orders: { body } } });
    const refusal = { name: 'PromptRenderError', code: 'E523', sectionPath: 'orders', ...details };
    await expect(prompt.render()).rejects.toMatchObject(refusal);
    await expect(prompt.tools()).rejects.toMatchObject(refusal);
    await prompt.overrides.delete();
    await expect(prompt.render()).resolves.toBeDefined();
  });

  test('E523 a placeholder in a section without params is found at rendering', async () => {
    const { prompt } = await openDesk({ orders: { params: undefined, template: 'Plain.', children: [] } });
    await prompt.overrides.write({ sections: { orders: { body: '${name}' } } });
    await expect(prompt.render()).rejects.toThrow(/the section has no params class/);
  });

  const example = { description: 'One', input: { orderId: '#1' }, output: 'open' };
  test.each<[string, object, RegExp]>([
    ['an empty description', { description: ' ' }, /the description is empty/],
    ['a long description', { description: 'x'.repeat(201) }, /201 characters; at most 200/],
    ['a description that is not ASCII', { description: 'Größe' }, /which is not ASCII/],
    [
      'an empty description of a parameter',
      { params: { orderId: '' } },
      /the description of the parameter "orderId" is empty/,
    ],
    [
      'an example without words',
      { examples: [{ ...example, description: '' }] },
      /example 1: the description is empty/,
    ],
    [
      'an example that would be refused',
      { examples: [example, { ...example, input: { orderId: 1 } }] },
      /example 2: its input would be refused/,
    ],
    [
      'an example with an unknown key',
      { examples: [{ ...example, input: { orderId: '#1', gone: 1 } }] },
      /example 1: its input would be refused: gone/,
    ],
    [
      'an example of another result',
      { examples: [{ ...example, output: 5 }] },
      /example 1: its output is not a declared result/,
    ],
    ['an example without input', { examples: [{ ...example, input: null }] }, /its input must be a GetParams/],
  ])('E527 rendering finds %s in an override', async (_what, override, message) => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({ tools: { get_order: override } });
    const rendering = prompt.render();
    await expect(rendering).rejects.toMatchObject({
      name: 'PromptValidationError',
      code: 'E527',
      toolName: 'get_order',
      sectionPath: 'orders',
    });
    await expect(rendering).rejects.toThrow(message);
  });

  test('E527 several faults are reported together', async () => {
    const { prompt } = await openDesk();
    await prompt.overrides.write({ tools: { get_order: { description: '', params: { orderId: '' } } } });
    await expect(prompt.render()).rejects.toMatchObject({ findings: { length: 2 } });
  });

  test('E524 a store that returns something else is reported', async () => {
    const store = new InMemoryOverridesStore();
    store.write({ ns: 'shop', key: 'desk' }, 'latest', { sections: { orders: { title: 'x' } as object } });
    const { prompt } = await openDesk({}, store);
    await expect(prompt.render()).rejects.toMatchObject({ name: 'PromptOverridesError', code: 'E524' });
  });
});
