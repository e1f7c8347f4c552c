// Checked by the compiler only (`npm run typecheck`): what stands under @ts-expect-error must not compile, the rest must.
import { defineSection, md, Param, Section } from 'toolwright';

class DeskParams {
  @Param('Tool to try first') primaryTool = 'get_order';
  @Param('Limit') limit = 5;
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

@Section({ title: 'Orders', params: DeskParams, template: 'Prefer ${primaryTool}.' })
export class PlainText {}

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
];

// @ts-expect-error: a placeholder is a name, not a value
export const notAName = md`Prefer ${5}.`;
