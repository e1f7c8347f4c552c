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
import { figureOf } from './harness/Figure.js';
import { Report } from './harness/Report.js';

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

const report = new Report('schemas');

async function main(): Promise<void> {
  schemasOf(500);
  await applicationOf(200);
  const few: number[] = [];
  const many: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 15; round++) {
    few.push(schemasOf(100));
    many.push(schemasOf(1_000));
    whole.push(await applicationOf(1_000));
  }
  report.add('schemas, 1,000 tools', figureOf(many), 'ms a tool', 0.1);
  report.add('schemas, 100 tools', figureOf(few), 'ms a tool');
  const growth = many.map((cost, round) => cost / (few[round] ?? Number.NaN));
  report.add('schemas, 1,000 tools / 100 tools', figureOf(growth), 'x', 1.3);
  report.add('a whole application of 1,000 tools', figureOf(whole), 'ms a tool');
  report.keep();
}

void main();
