// Prompts of many sections, with new values in all sections, in one or in none.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, Param } from 'toolwright';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';

class Names {
  @Param('Who') who = 'Ada';
  @Param('What') what = 'orders';
}

/** The separate values of the first section. */
class FirstNames extends Names {}

async function prepareRendering(count: number, changes: 'all' | 'one' | 'none'): Promise<Contender> {
  const sections = Array.from({ length: count }, (_, index) =>
    defineSection({
      key: `s${index}`,
      title: `Section ${index}`,
      params: index === 0 ? FirstNames : Names,
      template: `Help \${who} with \${what}, chapter ${index}.\nAsk before you change anything.`,
    }),
  );
  const desk = definePrompt({ ns: 'guard', key: 'r', sections });
  const prompt = (await createApplication({ prompts: [desk] })).prompt(desk);
  let times = 0;
  return async () => {
    const who = `Ada ${++times}`;
    const names = Object.assign(new Names(), changes === 'all' ? { who } : {});
    const first = Object.assign(new FirstNames(), changes === 'none' ? {} : { who });
    const { text } = await prompt.bind(names, first).render();
    if (!text.includes(`Help ${first.who} with orders, chapter 0.`)) throw new TypeError('the text has old values');
  };
}

export const rows: GuardedRows = {
  '50 sections': () => prepareRendering(50, 'all'),
  '50 sections, one changed': () => prepareRendering(50, 'one'),
  '50 sections, nothing changed': () => prepareRendering(50, 'none'),
  '1,000 sections': () => prepareRendering(1_000, 'all'),
};
