import { defineSection, defineTool, type SectionVisibility } from 'toolwright';
import { refusalOf } from '../refusalOf.js';

const tool = (name: string) => defineTool({ name, description: 'Does it.', handler: () => 'done' });

describe('sectionSummary', () => {
  test('E510: a section that is always summarised needs a summary', async () => {
    const orders = defineSection({ key: 'orders', title: 'Orders', template: 'All.', visibility: 'summary' });
    const refusal = await refusalOf(orders);
    expect(refusal).toMatchObject({ code: 'E510', sectionPath: 'orders' });
    expect(refusal.findings).toHaveLength(1);
    expect(refusal.remedy).toContain('summary');
  });

  test('E304, E305: its placeholders and dollar signs are looked at as those of the template', async () => {
    const orders = defineSection({ key: 'orders', title: 'Orders', summary: 'For ${nobody} at $ 5.' });
    const refusal = await refusalOf(orders);
    expect(refusal.findings.map(({ code }) => code)).toEqual(['E305', 'E304']);
    expect(refusal.findings[1]).toMatchObject({ sectionPath: 'orders', placeholder: 'nobody' });
    expect(refusal.findings[1]?.problem).toContain('in its summary');
  });

  test('E312: another visibility, and a summary that is not a string, are refused', async () => {
    const wrong = { visibility: 'hidden', summary: 5 } as unknown as { readonly visibility: SectionVisibility };
    const refusal = await refusalOf(defineSection({ key: 'orders', title: 'Orders', ...wrong }));
    expect(refusal.findings.map(({ placeholder }) => placeholder)).toEqual(['summary', 'visibility']);
  });
});

describe('reservedToolNames', () => {
  test.each(['open_sections', 'read_section'])('E104: %s is taken where a section has a summary', async (name) => {
    const orders = defineSection({ key: 'orders', title: 'Orders', summary: 'Short.', children: [] });
    const own = defineSection({ key: 'own', title: 'Own', tools: [tool(name)] });
    expect(await refusalOf(orders, own)).toMatchObject({ code: 'E104', toolName: name, sectionPath: 'own' });
  });
});
