import { createApplication, Prompt, PromptValidationError, Section } from 'toolwright';

describe('promptNames', () => {
  test.each([
    ['ns', { ns: '', key: 'desk' }],
    ['ns', { ns: ' \n', key: 'desk' }],
    ['key', { ns: 'support', key: '' }],
    ['key', { ns: 'support', key: '\t ' }],
  ])('an empty %s of a prompt is refused: %j', async (name, names) => {
    @Section({ title: 'Orders' })
    class OrdersSection {}
    @Prompt({ ...names, sections: [OrdersSection] })
    class SupportDesk {}
    const refusal: unknown = await createApplication({ prompts: [SupportDesk] }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PromptValidationError);
    expect(refusal).toMatchObject({
      code: 'E306',
      place: 'SupportDesk',
      placeholder: name,
      sectionPath: undefined,
      findings: [{ className: 'SupportDesk', problem: `${name} is empty`, remedy: 'Set @Prompt({ ns, key }).' }],
    });
  });

  test('faults of ns and key are reported at once, before the faults of the sections', async () => {
    @Section({ title: '' })
    class OrdersSection {}
    @Prompt({ ns: '', key: '', sections: [OrdersSection] })
    class SupportDesk {}
    await expect(createApplication({ prompts: [SupportDesk] })).rejects.toMatchObject({
      findings: [
        { code: 'E306', placeholder: 'ns' },
        { code: 'E306', placeholder: 'key' },
        { code: 'E311', className: 'OrdersSection' },
      ],
    });
  });

  test('names with white space around them are accepted, and trimmed', async () => {
    @Prompt({ ns: ' support ', key: '\tdesk\n', sections: [] })
    class SupportDesk {}
    const app = await createApplication({ prompts: [SupportDesk] });
    expect(app.prompt(SupportDesk)).toMatchObject({ ns: 'support', key: 'desk', name: 'desk' });
  });

  test('a name of its own is kept', async () => {
    @Prompt({ ns: 'support', key: 'desk', name: 'Support desk', sections: [] })
    class SupportDesk {}
    const app = await createApplication({ prompts: [SupportDesk] });
    expect(app.prompt(SupportDesk).name).toBe('Support desk');
  });
});
