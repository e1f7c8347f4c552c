import { createApplication, definePrompt, defineSection } from 'toolwright';
import { HELD_MS, leastPause } from '../support/hostPause';
import { measureAround } from '../support/attacks/around';
import { silent } from '../support/silent';

measureAround();

describe('keys of sections that a model opens', () => {
  test.each([70, 5])(
    'HOST-05o thousands of unknown ones, each with %d characters more than those that are near: explained at once',
    async (more) => {
      const sections = Array.from({ length: 300 }, (_none, index) =>
        defineSection({
          key: `chapter-${String(index)}`,
          title: 'C',
          template: 'text',
          summary: 'sum',
          visibility: 'summary',
        }),
      );
      const Book = definePrompt({ ns: 'n', key: 'k', sections });
      const app = await createApplication({ prompts: [Book], logger: silent });
      const rendered = await app.prompt(Book).render();
      const keys = Array.from({ length: 11_000 }, (_none, index) => `chaptor-${String(index)}${'x'.repeat(more)}`);
      const open = () => app.invoke(rendered, 'open_sections', { section_keys: keys, reason: 'all' });
      expect(await leastPause(open, 5)).toBeLessThanOrEqual(HELD_MS);
      const { kind, text } = await open();
      expect(kind).toBe('failed');
      expect(text).toContain('section_keys[0]: There is no section');
      expect(text).not.toContain('section_keys[5]');
    },
  );
});
