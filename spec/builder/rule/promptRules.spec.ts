import { createApplication, definePrompt, Prompt, Section } from 'toolwright';

describe('promptUniqueness', () => {
  test('E313: two prompts with one namespace and key are refused, and both are named', async () => {
    @Prompt({ ns: 'support', key: 'desk', sections: [] })
    class SupportDesk {}
    @Prompt({ ns: ' support', key: 'desk ', name: 'Night desk', sections: [] })
    class NightDesk {}
    @Prompt({ ns: 'support', key: 'other', sections: [] })
    class OtherDesk {}
    await expect(createApplication({ prompts: [SupportDesk, OtherDesk, NightDesk] })).rejects.toMatchObject({
      name: 'PromptValidationError',
      code: 'E313',
      place: 'NightDesk',
      placeholder: 'desk',
      remedy: expect.stringContaining('another key') as unknown,
      findings: [{ className: 'NightDesk', problem: 'ns "support" and key "desk" already belong to SupportDesk' }],
    });
  });

  test('E313: a third one is another finding, beside those of the sections', async () => {
    @Section({ title: '' })
    class OrdersSection {}
    const prompts = ['First', 'Second', 'Third'].map((name) => {
      const type = { [name]: class {} }[name]!;
      Prompt({ ns: 'support', key: 'desk', sections: [] })(type);
      return type;
    });
    const last = definePrompt({ ns: 'a', key: 'b', sections: [OrdersSection] });
    await expect(createApplication({ prompts: [...prompts, last] })).rejects.toMatchObject({
      findings: [
        { code: 'E311' },
        { code: 'E313', place: 'Second', problem: expect.stringContaining('belong to First') as unknown },
        { code: 'E313', place: 'Third', problem: expect.stringContaining('belong to First') as unknown },
      ],
    });
  });

  test('E313: one class listed twice is said to be', async () => {
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [] });
    await expect(createApplication({ prompts: [desk, desk] })).rejects.toMatchObject({
      findings: [{ code: 'E313', problem: 'it is listed twice in prompts' }],
    });
  });

  test('namespaces keep equal keys apart, and keys equal namespaces; what joined texts would confuse is no matter', async () => {
    const prompts = [
      { ns: 'a', key: 'b' },
      { ns: 'a', key: 'c' },
      { ns: 'b', key: 'b' },
      { ns: 'a b', key: 'c' },
      { ns: 'a', key: 'b c' },
    ].map((names) => definePrompt({ ...names, sections: [] }));
    const app = await createApplication({ prompts });
    expect(prompts.map((type) => app.prompt(type).key)).toEqual(['b', 'c', 'b', 'c', 'b c']);
  });

  test('missing names are reported as missing, not as equal', async () => {
    const prompts = [1, 2].map(() => definePrompt({ ns: '', key: '', sections: [] }));
    const refusal: unknown = await createApplication({ prompts }).catch((error: unknown) => error);
    const { findings } = refusal as { readonly findings: readonly { readonly code: string }[] };
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['E306']));
  });
});
