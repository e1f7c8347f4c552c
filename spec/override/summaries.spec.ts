import { Session } from 'toolwright';
import { SetVisibilityOverride } from 'toolwright/conversations';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { openDesk } from './desk';

const summarised = { summary: 'Orders of ${name}.', visibility: 'summary' } as const;

describe('overriding summaries', () => {
  test('another body does not change the summary, and shows when the section is opened', async () => {
    const { prompt } = await openDesk({ orders: summarised });
    const before = (await prompt.render()).text;
    await prompt.overrides.write({ sections: { orders: { body: 'New body for ${name}.' } } });
    expect((await prompt.render()).text).toBe(before);
    const opened = await prompt.render({ visibilityOverrides: { orders: 'full' } });
    expect(opened.text).toContain('New body for Ada.');
    expect(opened.tools.map(({ name }) => name)).toContain('get_order');
  });

  test('another summary does not change the body, and keeps the hint how to open the section', async () => {
    const { prompt } = await openDesk({ orders: summarised });
    const before = (await prompt.render()).text;
    const full = { visibilityOverrides: { orders: 'full' } } as const;
    const opened = (await prompt.render(full)).text;
    await prompt.overrides.write({ sections: { orders: { summary: 'What ${name} has bought.' } } });
    expect((await prompt.render()).text).toBe(before.replace('Orders of Ada.', 'What Ada has bought.'));
    expect((await prompt.render(full)).text).toBe(opened);
  });

  test('a section that is read shows the overriding body', async () => {
    const { app, prompt } = await openDesk({ orders: { ...summarised, tools: [] } }, undefined, { disclosure: 'auto' });
    await prompt.overrides.write({
      sections: { orders: { body: 'New body for ${name}.' }, 'orders.refunds': { body: 'Within 60 days.' } },
    });
    const rendered = await prompt.render();
    const { text } = await app.invoke(rendered, 'read_section', { section_key: 'orders' });
    expect(text).toContain('New body for Ada.');
    expect(text).toContain('Within 60 days.');
  });

  test('a later rendering of the same run keeps the texts that it began with, whatever is written meanwhile', async () => {
    const { prompt } = await openDesk({ orders: summarised });
    await prompt.overrides.write({ sections: { orders: { body: 'Second.', summary: 'Short.' } } }, { tag: 'v2' });
    const session = new Session();
    const rendered = await prompt.render({ session, overridesTag: 'v2' });
    await prompt.overrides.write({ sections: { orders: { body: 'Third.' } } }, { tag: 'v2' });
    expect((await rendered.anew(session)).text).toBe(rendered.text);
    session.dispatch(new SetVisibilityOverride('orders', 'full'));
    expect((await rendered.anew(session)).text).toContain('Second.');
    expect((await prompt.render({ session, overridesTag: 'v2' })).text).toContain('Third.');
  });

  test('body and summary become stale apart', async () => {
    const store = new InMemoryOverridesStore();
    const before = await openDesk({ orders: { ...summarised, visibility: 'full' } }, store);
    await before.prompt.overrides.write({ sections: { orders: { body: 'New body.', summary: 'New summary.' } } });
    const after = await openDesk({ orders: { ...summarised, summary: 'Rewritten.' } }, store);
    expect((await after.prompt.render()).text).toContain('Rewritten.');
    expect((await after.prompt.render({ visibilityOverrides: { orders: 'full' } })).text).toContain('New body.');
    expect(after.warnings).toEqual([expect.stringMatching(/^E521 .* the summary of section "orders" has changed/)]);
  });

  test('a section whose body a hook writes may have another summary, and no other body', async () => {
    const { prompt } = await openDesk({ orders: { ...summarised, template: undefined, renderBody: () => 'Hooked.' } });
    await prompt.overrides.write({ sections: { orders: { summary: 'New.' } } });
    expect((await prompt.render()).text).toContain('New.');
    const writing = prompt.overrides.write({ sections: { orders: { body: 'New.' } } });
    await expect(writing).rejects.toMatchObject({ code: 'E520' });
  });

  test('E523 an unknown placeholder of a summary is a fault at rendering', async () => {
    const { prompt } = await openDesk({ orders: summarised });
    await prompt.overrides.write({ sections: { orders: { summary: '${gone}' } } });
    const refusal = { name: 'PromptRenderError', code: 'E523', sectionPath: 'orders', placeholder: 'gone' };
    await expect(prompt.render()).rejects.toMatchObject(refusal);
  });
});
