// Checks of arguments that are already parsed, without the call.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';
import { mistaken, PlaceOrderParams, valid } from '../tasks/placeOrder.js';

const TIMES = 100;

async function prepareParse(value: object, isValid: boolean): Promise<Contender> {
  const tool = defineTool({ name: 'place', description: 'Place.', params: PlaceOrderParams, handler: () => null });
  const prompt = definePrompt({
    ns: 'guard',
    key: 'v',
    sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
  });
  const { tools } = await (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
  const parse = tools[0]?.metadata.parse;
  return () => {
    for (let time = 0; time < TIMES; time++)
      if (parse?.(value).ok !== isValid) throw new TypeError('the check gives the wrong verdict');
  };
}

export const rows: GuardedRows = {
  'valid value': () => prepareParse(valid, true),
  'value with four mistakes': () => prepareParse(mistaken, false),
};
