import { createApplication, definePrompt, defineSection } from 'toolwright';
import type { HeadingStyle } from 'toolwright/types';

/** The headings of a tree of three levels. */
async function headings(heading?: HeadingStyle): Promise<readonly string[]> {
  const leaf = defineSection({ key: 'leaf', title: ' Leaf ' });
  const middle = defineSection({ key: 'middle', title: 'Middle', children: [leaf] });
  const first = defineSection({ key: 'first', title: 'First' });
  const second = defineSection({ key: 'second', title: 'Second', children: [middle] });
  const type = definePrompt({ ns: 'n', key: 'k', sections: [first, second], heading });
  return (await (await createApplication({ prompts: [type] })).prompt(type).render()).text.split('\n\n');
}

describe('headings', () => {
  test('headings have number, title and path unless the prompt sets another form', async () => {
    const expected = [
      '## 1. First (first)',
      '## 2. Second (second)',
      '### 2.1. Middle (second.middle)',
      '#### 2.1.1. Leaf (second.middle.leaf)',
    ];
    expect(await headings()).toEqual(expected);
    expect(await headings('numbered-path')).toEqual(expected);
  });

  test('headings may be numbered only', async () => {
    expect(await headings('numbered')).toEqual(['## 1 First', '## 2 Second', '### 2.1 Middle', '#### 2.1.1 Leaf']);
  });

  test('headings may be plain', async () => {
    expect(await headings('plain')).toEqual(['## First', '## Second', '### Middle', '#### Leaf']);
  });

  test('headings may be returned by a function', async () => {
    const lines = await headings(({ number, title, path, depth }) => `<h${depth} n="${number}">${title}|${path}`);
    expect(lines[0]).toBe('<h0 n="1">First|first');
    expect(lines[3]).toBe('<h2 n="2.1.1">Leaf|second.middle.leaf');
  });
});
