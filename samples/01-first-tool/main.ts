// A class with a tool, three ways to use it: read the prompt, run one call by hand, let a model run it.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Field, md, Param, Prompt, Section, Session, Tool, ToolResult } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';

class LookupParams {
  @Param('Global identifier to fetch')
  entityId!: string;

  @Param('Also fetch the entities it refers to')
  includeRelated = false; // the initialiser is the default
}

class LookupResult {
  @Field('Identifier of the entity')
  entityId!: string;

  @Field('Where its document is')
  documentUrl!: string;
}

// One section with a tool. The tool is named after its method: lookup_entity.
@Section({ title: 'Lookup', template: 'Look an entity up before you answer questions about it.' })
class LookupSection {
  @Tool({ description: 'Fetch an entity by its global identifier.', result: LookupResult })
  lookupEntity({ entityId, includeRelated }: LookupParams) {
    const documentUrl = `https://example.com/${entityId}${includeRelated ? '?related=true' : ''}`;
    return ToolResult.ok({ entityId, documentUrl }, `Fetched entity ${entityId}.`);
  }
}

@Prompt({ ns: 'examples/tooling', key: 'lookup', sections: [LookupSection] })
class Lookup {}

// The same tool in a section below another one; both texts take their value from one params class.
class GuidanceParams {
  @Param('Tool to prefer for critical lookups')
  primaryTool!: string;
}

@Section({
  title: 'Available Tools',
  params: GuidanceParams,
  template: md`Call ${'primaryTool'} whenever an identifier comes up.`,
})
class AvailableToolsSection extends LookupSection {} // inherits its tools, not its text

@Section({
  title: 'Guidance',
  params: GuidanceParams,
  template: md`
    Use tools when you need up-to-date context.
    Prefer ${'primaryTool'} for critical lookups.
  `,
  children: [AvailableToolsSection],
})
class GuidanceSection {}

@Prompt({ ns: 'examples/tooling', key: 'tools_overview', sections: [GuidanceSection] })
class ToolsOverview {}

async function main(): Promise<void> {
  // `fieldNames` derives the names for the model: entityId becomes entity_id.
  const app = await createApplication({ prompts: [Lookup, ToolsOverview], fieldNames: 'snake_case' });

  console.log('--- The prompt that a model reads ---');
  const rendered = await app.prompt(Lookup).render();
  console.log(rendered.text);
  assert.equal(rendered.text, '## 1. Lookup (lookup)\n\nLook an entity up before you answer questions about it.');

  console.log('\n--- The tools that it is offered ---');
  for (const { name, description, parameters } of rendered.toolSchemas('json-schema')) {
    console.log(`${name}: ${description}\nparameters: ${Object.keys(parameters['properties'] as object).join(', ')}`);
  }
  assert.deepEqual(
    rendered.tools.map((tool) => tool.name),
    ['lookup_entity'],
  );

  console.log('\n--- One call by hand: what the model would read ---');
  const outcome = await app.callTool(rendered, { id: 'c1', name: 'lookup_entity', arguments: '{"entity_id":"e-7"}' });
  console.log(outcome.text);
  assert.equal(outcome.kind, 'succeeded');
  assert.deepEqual(outcome.result.value, { entityId: 'e-7', documentUrl: 'https://example.com/e-7' });
  assert.equal(outcome.text, 'Fetched entity e-7.\n\n{"entity_id":"e-7","document_url":"https://example.com/e-7"}');

  console.log('\n--- Two sections, bound to a value ---');
  const prompt = app.prompt(ToolsOverview).bind(GuidanceParams, { primaryTool: 'lookup_entity' });
  const overview = await prompt.render();
  console.log(overview.text);
  assert.match(overview.text, /^## 1\. Guidance \(guidance\)$/m);
  assert.match(overview.text, /^### 1\.1\. Available Tools \(guidance\.available-tools\)$/m);
  assert.equal(overview.text.split('lookup_entity').length - 1, 2);
  assert.equal(overview.tools[0]?.name, 'lookup_entity');
  assert.ok(!overview.text.includes('by its global identifier'), 'tools travel beside the text, not in it');

  console.log('\n--- A conversation ---');
  // Not a model: it plays this script. Use `new OpenAIChatAdapter(...)` from '@toolwright/openai' in its place.
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'lookup_entity', arguments: { entity_id: 'e-7', include_related: true } }] },
    { text: 'You can read it at https://example.com/e-7?related=true.' },
  ]);
  const response = await app.evaluate(prompt, {
    adapter,
    session: new Session(),
    messages: [{ role: 'user', content: 'Where can I read about e-7 and its relations?' }],
  });
  for (const message of response.transcript.slice(1)) {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    console.log(`${message.role}: ${message.content ?? calls.map((call) => `calls ${call.name}`).join()}`);
  }
  assert.equal(response.turns, 2);
  assert.equal(response.text, 'You can read it at https://example.com/e-7?related=true.');
  const answer = response.transcript.find((message) => message.role === 'tool');
  assert.match(answer?.content ?? '', /^Fetched entity e-7\.\n\n.*related=true/);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
