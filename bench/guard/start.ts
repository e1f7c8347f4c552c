// From new declarations to the schemas of their tools, and to an application.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, Param, type Constructor } from 'toolwright';
import { schemaOf } from 'toolwright/schema';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';

const TOOLS = 10;

/** Creates a new class each time, because the schema of a class is created once. */
function createParamsClass(): Constructor {
  class Params {
    id!: string;
    amount = 1;
    note?: string;
  }
  Param({ description: 'Id', type: String, pattern: /^#\d+$/ })(Params.prototype, 'id');
  Param({ description: 'Amount', min: 1 })(Params.prototype, 'amount');
  Param({ description: 'Note', type: String, optional: true })(Params.prototype, 'note');
  return Params;
}

function createSchemas(): void {
  for (let tool = 0; tool < TOOLS; tool++)
    if (schemaOf(createParamsClass(), { target: 'openai', strict: true }).properties === undefined)
      throw new TypeError('a schema has no properties');
}

async function createWholeApplication(): Promise<void> {
  const tools = Array.from({ length: TOOLS }, (_, index) =>
    defineTool({ name: `tool_${index}`, description: 'Act.', params: createParamsClass(), handler: () => null }),
  );
  const prompt = definePrompt({ ns: 'guard', key: 's', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const rendered = await (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
  if (rendered.toolSchemas('openai', { strict: true }).length !== TOOLS) throw new TypeError('a tool is missing');
}

export const rows: GuardedRows = {
  'schemas of 10 tools': (): Contender => createSchemas,
  'application of 10 tools': (): Contender => createWholeApplication,
};
