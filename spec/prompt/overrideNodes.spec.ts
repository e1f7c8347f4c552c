import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { overrideNodes } from '../../src/prompt/overrideNodes';

async function nodes() {
  const tool = (name: string) => defineTool({ name, description: 'Does.', handler: () => undefined });
  const child = defineSection({ key: 'child', title: 'Child', template: 'Child.', tools: [tool('one'), tool('two')] });
  const first = defineSection({ key: 'first', title: 'First', template: 'First.', children: [child] });
  const second = defineSection({ key: 'second', title: 'Second', template: 'Second.' });
  const Root = definePrompt({ ns: 'n', key: 'k', sections: [first, second] });
  return (await createApplication({ prompts: [Root] })).prompt(Root).roots;
}

const none = { sections: new Map(), tools: new Map(), misfits: [] };

describe('a tree with other texts', () => {
  test('a tree of which nothing is overridden is the same tree', async () => {
    const roots = await nodes();
    expect(overrideNodes(roots, none)).toBe(roots);
  });

  test('a tree with other texts shares every node and tool that is not overridden', async () => {
    const roots = await nodes();
    const tools = new Map([['two', { description: 'Does more.' }]]);
    const [first, second] = overrideNodes(roots, { ...none, tools });
    expect(second).toBe(roots[1]);
    expect(first).not.toBe(roots[0]);
    expect(first?.metadata).toBe(roots[0]?.metadata);
    expect(first?.children[0]?.tools[0]).toBe(roots[0]?.children[0]?.tools[0]);
    expect(first?.children[0]?.tools[1]?.description).toBe('Does more.');
    expect(first?.children[0]?.tools[1]?.owner).toBe(roots[0]?.children[0]?.tools[1]?.owner);
    expect(roots[0]?.children[0]?.tools[1]?.description).toBe('Does.');
  });

  test('a tree with other texts is frozen, and does not change the declared one', async () => {
    const roots = await nodes();
    const sections = new Map([['first.child', { body: 'Other.' }]]);
    const changed = overrideNodes(roots, { ...none, sections });
    const child = changed[0]?.children[0];
    expect([changed, changed[0], child, child?.metadata].every((part) => Object.isFrozen(part))).toBe(true);
    expect(child?.metadata.template?.parts).toEqual([{ text: 'Other.' }]);
    expect(roots[0]?.children[0]?.metadata.template?.parts).toEqual([{ text: 'Child.' }]);
  });
});
