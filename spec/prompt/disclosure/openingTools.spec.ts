import { createApplication, definePrompt, defineSection, type SectionOptions } from 'toolwright';

const closed = (key: string, options: Partial<SectionOptions> = {}) =>
  defineSection({ title: key, summary: 'Short.', visibility: 'summary', ...options, key });
const textOf = async (options: Partial<SectionOptions>, disclosure: 'open' | 'auto' = 'open'): Promise<string> => {
  const outer = defineSection({ key: 'a', title: 'A', children: [closed('b', options)] });
  const type = definePrompt({ ns: 'n', key: 'k', heading: 'plain', disclosure, sections: [outer] });
  return (await (await createApplication({ prompts: [type] })).prompt(type).render()).text;
};

describe('the suffix of a summary', () => {
  test('the suffix of a summary names the tool and the dotted key', async () => {
    expect(await textOf({})).toBe(
      '## A\n\n### b\n\nShort.\n\n---\n[This section is summarized. To view full content, call `open_sections` with key "a.b".]',
    );
  });

  test('the suffix of a summary names the enabled children directly below, in the order of declaration', async () => {
    const children = [
      closed('z', { children: [closed('below')] }),
      closed('off', { enabled: false }),
      closed('later', { enabled: async () => true }),
      closed('a'),
    ];
    expect(await textOf({ children })).toContain(
      'Short.\n\n---\n[This section is summarized. Call `open_sections` with key "a.b" to view full content including subsections: z, later, a.]',
    );
  });

  test('the suffix of a summary says nothing of children when all of them are disabled', async () => {
    expect(await textOf({ children: [closed('off', { enabled: false })] })).toContain('To view full content, call');
  });

  test('the suffix of a summary names read_section where the prompt may be read and nothing below is a tool', async () => {
    expect(await textOf({}, 'auto')).toContain('To view full content, call `read_section` with key "a.b".]');
  });

  test('the suffix is alone below the heading when the summary is empty', async () => {
    expect(await textOf({ summary: '' })).toContain('### b\n\n---\n[This section');
  });
});
