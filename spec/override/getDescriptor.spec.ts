import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import type { PromptDescriptor } from 'toolwright/overrides';

class Get {
  @Param('Order id') orderId!: string;
}
class GetDescribed {
  @Param('Order id, with its leading #') orderId!: string;
}

const tool = (options: object = {}) =>
  defineTool({ name: 'get', description: 'Fetches.', params: Get, handler: null, ...options });

async function descriptorWith(
  section: object,
  tools: readonly ReturnType<typeof tool>[] = [tool()],
): Promise<PromptDescriptor> {
  const Orders = defineSection({ key: 'orders', title: 'Orders', template: 'Look first.', tools, ...section });
  const Desk = definePrompt({ ns: 'shop', key: 'desk', sections: [Orders] });
  const prompt = (await createApplication({ prompts: [Desk] })).prompt(Desk);
  const rendered = await prompt.render();
  expect(rendered.descriptor).toBe(prompt.descriptor);
  return prompt.descriptor;
}

describe('the descriptor of a prompt', () => {
  test('the descriptor of a prompt names every body and tool that may be overridden, frozen', async () => {
    const descriptor = await descriptorWith({});
    expect(descriptor).toEqual({
      ns: 'shop',
      key: 'desk',
      sections: [{ path: 'orders', number: '1', bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      tools: [{ name: 'get', sectionPath: 'orders', contractHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
    });
    expect([descriptor, descriptor.sections, descriptor.tools[0]].every((part) => Object.isFrozen(part))).toBe(true);
  });

  test('the descriptor of a prompt is the same for the same declarations', async () => {
    expect(await descriptorWith({})).toEqual(await descriptorWith({}));
  });

  test.each([
    ['the template', { template: 'Look twice.' }, [tool()]],
    ['the summary', { summary: 'Orders.' }, [tool()]],
    ["a tool's description", {}, [tool({ description: 'Loads.' })]],
    ["a parameter's description", {}, [tool({ params: GetDescribed })]],
    ['an example', {}, [tool({ examples: [{ description: 'One', input: { orderId: '1' }, output: null }] })]],
  ])('the descriptor has another hash when %s changes', async (_what, section, tools) => {
    expect(await descriptorWith(section, tools)).not.toEqual(await descriptorWith({}));
  });

  test('a descriptor hashes body and summary apart, so that one can change without the other', async () => {
    const [before] = (await descriptorWith({ summary: 'Orders.' })).sections;
    const [after] = (await descriptorWith({ summary: 'All orders.' })).sections;
    expect(after?.bodyHash).toBe(before?.bodyHash);
    expect(after?.summaryHash).not.toBe(before?.summaryHash);
  });

  test('the descriptor of a prompt takes an example whose values JSON has no form for', async () => {
    const examples = [{ description: 'One', input: { orderId: '1' }, output: 10n }];
    const declared = await descriptorWith({}, [tool({ examples, returnSchema: {} })]);
    expect(declared.tools).toHaveLength(1);
  });

  test('the descriptor of a prompt lists a section for its summary alone', async () => {
    const [section] = (await descriptorWith({ summary: 'Orders.', template: undefined, renderBody: () => 'Now.' }))
      .sections;
    expect(section?.bodyHash).toBeUndefined();
    expect(section?.summaryHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['a section that takes none, with its tools', { acceptsOverrides: false }, [tool()], [], []],
    ['a tool that takes none', {}, [tool({ acceptsOverrides: false })], ['orders'], []],
    ['a section without a template', { template: undefined }, [tool()], [], ['get']],
    ['a section whose body a hook writes', { template: undefined, renderBody: () => 'Now.' }, [tool()], [], ['get']],
  ] as const)('the descriptor of a prompt leaves out %s', async (_what, section, declared, sections, tools) => {
    const descriptor = await descriptorWith(section, declared);
    expect(descriptor.sections.map(({ path }) => path)).toEqual(sections);
    expect(descriptor.tools.map(({ name }) => name)).toEqual(tools);
  });
});
