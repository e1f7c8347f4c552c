// Schemas of many tools with classes of their own: milliseconds a tool, and whether that stays the same.
import 'reflect-metadata';
import { IsOptional, Matches } from 'class-validator';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  schemaOf,
  type Constructor,
} from 'toolwright';
import { median } from './measure.js';

/** A class of its own each time: what is known of one helps no other. */
function paramsClass(): Constructor {
  class Inner {
    street!: string;
    zip!: string;
  }
  Param('Street')(Inner.prototype, 'street');
  Param({ description: 'Zip', type: String, pattern: /^\d{5}$/ })(Inner.prototype, 'zip');
  Reflect.defineMetadata('design:type', String, Inner.prototype, 'street');
  class Params {
    id!: string;
    amount = 1;
    note?: string;
    inner!: Inner;
  }
  Param({ description: 'Id', type: String })(Params.prototype, 'id');
  Matches(/^#\d+$/)(Params.prototype, 'id');
  Param({ description: 'Amount', min: 1 })(Params.prototype, 'amount');
  Param({ description: 'Note', type: String })(Params.prototype, 'note');
  IsOptional()(Params.prototype, 'note');
  Param({ description: 'Inner', type: Inner })(Params.prototype, 'inner');
  return Params;
}

/** Reading the classes and writing their schemas for a provider. */
function schemasOf(count: number): number {
  const classes = Array.from({ length: count }, paramsClass);
  const start = performance.now();
  for (const type of classes) schemaOf(type, { target: 'openai', strict: true });
  return (performance.now() - start) / count;
}

/** The same with everything else that an application needs: checks of declarations, parsers, the tree. */
async function applicationOf(count: number): Promise<number> {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({ name: `tool_${String(index)}`, description: 'Does it.', params: paramsClass(), handler: () => null }),
  );
  const prompt = definePrompt({ ns: 'bench', key: 's', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const start = performance.now();
  const rendered = await (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
  const schemas = rendered.toolSchemas('openai', { strict: true });
  if (schemas.length !== count) throw new TypeError('tools are missing');
  return (performance.now() - start) / count;
}

async function main(): Promise<void> {
  schemasOf(500);
  await applicationOf(200);
  const few: number[] = [];
  const many: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 7; round++) {
    few.push(schemasOf(100));
    many.push(schemasOf(1_000));
    whole.push(await applicationOf(1_000));
  }
  const cost = median(many);
  const growth = cost / median(few);
  console.log(`schemas: ${cost.toFixed(3)} ms a tool with 1,000 tools${cost <= 0.1 ? ' (at most 0.1)' : ' ABOVE 0.1'}`);
  console.log(`schemas: growth from 100 to 1,000 tools: ${growth.toFixed(2)} x${growth <= 1.3 ? '' : ' ABOVE 1.3'}`);
  console.log(`schemas: ${median(whole).toFixed(3)} ms a tool for a whole application of 1,000 tools`);
  if (cost > 0.1 || growth > 1.3) process.exitCode = 1;
}

void main();
