// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { defineSection, md, Param, Section } from 'toolwright';
import type { MarkdownTemplate, TemplateSource } from 'toolwright/types';

class DeskParams {
  @Param('Tool to try first') primaryTool = 'get_order';
  @Param('Limit') limit = 5;
  describe(): string {
    return this.primaryTool;
  }
}

@Section({ title: 'Orders', params: DeskParams, template: md`Prefer ${'primaryTool'}, ${'limit'} times.` })
export class RightPlaceholders {}

@Section({ title: 'Orders', params: () => DeskParams, template: md`Prefer ${'primaryTool'}.` })
export class RightPlaceholdersByThunk {}

@Section({
  title: 'Orders',
  template: md`
Nothing to fill in.
  `,
})
export class NoPlaceholders {}

@Section({ title: 'Orders', params: DeskParams, template: 'Prefer ${primaryTool}, $limit times; $$5, $$none.' })
export class PlainText {}

@Section({
  title: 'Orders',
  params: () => DeskParams,
  template: `
    Prefer \${primaryTool}.
    Try it $limit times$$.
  `,
})
export class PlainTextByThunk {}

// Its parent may have the params that its placeholders need.
@Section({ title: 'Orders', template: 'Prefer ${primaryTool}.' })
export class PlainTextOfChild {}

/** Templates that are known only at run time are checked at run time. */
export function fromFile(text: string, tagged: MarkdownTemplate<DeskParams>, either: TemplateSource<DeskParams>) {
  return [text, tagged, either].map((template) =>
    defineSection({ key: 'orders', title: 'Orders', params: DeskParams, template }),
  );
}

// @ts-expect-error: there is no such property
@Section({ title: 'Orders', params: DeskParams, template: 'Prefer ${primryTool}.' })
export class MisspeltInPlainText {}

// @ts-expect-error: there is no such property
@Section({ title: 'Orders', params: () => DeskParams, template: 'Prefer $primryTool, $limit times.' })
export class MisspeltBareName {}

// @ts-expect-error: the last of them is misspelt
@Section({ title: 'Orders', params: DeskParams, template: '$$5: ${primaryTool}, ${limit}, $primaryTool ${limt}' })
export class OneMisspeltInPlainText {}

// @ts-expect-error: a method is no value to insert
@Section({ title: 'Orders', params: DeskParams, template: '${describe}' })
export class MethodInPlainText {}

// @ts-expect-error: a template is a text
@Section({ title: 'Orders', params: DeskParams, template: 5 })
export class NumberAsTemplate {}

// @ts-expect-error: there is no such property
@Section({ title: 'Orders', params: DeskParams, template: md`Prefer ${'primryTool'}.` })
export class MisspeltPlaceholder {}

// @ts-expect-error: there is no such property
@Section({ title: 'Orders', params: () => DeskParams, template: md`Prefer ${'primryTool'}.` })
export class MisspeltPlaceholderByThunk {}

// @ts-expect-error: one of them is misspelt
@Section({ title: 'Orders', params: DeskParams, template: md`Prefer ${'primaryTool'}, ${'limt'} times.` })
export class OneMisspeltPlaceholder {}

export const sections = [
  defineSection({ key: 'orders', title: 'Orders', params: DeskParams, template: md`Prefer ${'primaryTool'}.` }),
  // @ts-expect-error: there is no such property
  defineSection({ key: 'orders', title: 'Orders', params: DeskParams, template: md`Prefer ${'primryTool'}.` }),
  defineSection({ key: 'orders', title: 'Orders', params: DeskParams, template: 'Prefer ${primaryTool}.' }),
  // @ts-expect-error: there is no such property
  defineSection({ key: 'orders', title: 'Orders', params: DeskParams, template: 'Prefer ${primryTool}.' }),
  defineSection({
    key: 'orders',
    title: 'Orders',
    params: DeskParams,
    template: md`
All.
    `,
    summary: 'Up to ${limit}.',
  }),
  // @ts-expect-error: nor in a summary
  defineSection({ key: 'orders', title: 'Orders', params: DeskParams, template: 'All.', summary: 'Up to ${limt}.' }),
];

// @ts-expect-error: a placeholder is a name, not a value
export const notAName = md`Prefer ${5}.`;
