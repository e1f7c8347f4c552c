// A desk with three hundred tools of other offices: none is listed, and the model finds those that it needs.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, definePrompt, defineSection, defineTool, Param, Section, Session, Tool } from 'toolwright';
import { FoundTools } from 'toolwright/conversations';
import { approximateTokens } from 'toolwright/adapters';
import { ScriptedModel } from 'toolwright/testing';

class Subject {
  @Param('What it is about') subject!: string;
}

@Section({ title: 'Desk', template: 'Help the customer. Other offices have tools: search for them.' })
class DeskSection {
  @Tool('Note something.')
  note({ subject }: Subject): string {
    return `Noted: ${subject}.`;
  }
}

/** Stands for the tools of bridged servers: `mcpSection` takes the same option. */
const remoteTools = ['invoice', 'flight', 'parcel', 'contract', 'badge'].flatMap((noun) =>
  Array.from({ length: 60 }, (_, office) =>
    defineTool({
      name: `office${String(office)}_file_${noun}`,
      description: `Files the ${noun} of a customer with office ${String(office)}.`,
      params: Subject,
      handler: ({ subject }) => `Filed the ${noun} ${subject} with office ${String(office)}.`,
    }),
  ),
);
const offices = defineSection({
  key: 'offices',
  title: 'Offices',
  template: 'Each office files documents of all kinds.',
  searchable: true,
  tools: remoteTools,
});

const Desk = definePrompt({
  ns: 'samples',
  key: 'offices',
  // With fewer tokens of tools than this, they would be listed.
  search: { aboveTokens: 2_000 },
  sections: [DeskSection, offices],
});

const Listed = definePrompt({ ns: 'samples', key: 'listed', search: false, sections: [DeskSection, offices] });

// A meaning by hand: an embedding model returns such vectors for any text.
const meanings = [/invoice|bill/i, /flight|trip/i];
const ByMeaning = definePrompt({
  ns: 'samples',
  key: 'by-meaning',
  search: {
    embed: async (texts) => texts.map((text) => meanings.map((meaning) => Number(meaning.test(text)))),
  },
  sections: [DeskSection, offices],
});

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [Desk, Listed, ByMeaning] });
  for (const [how, prompt] of [
    ['listed', Listed],
    ['searched', Desk],
  ] as const) {
    const tools = (await app.prompt(prompt).render()).toolSchemas('openai');
    const tokens = approximateTokens(JSON.stringify(tools));
    console.log(`${how}: ${String(tools.length)} tools in the first request, about ${String(tokens)} tokens`);
  }

  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'search_tools', arguments: { query: 'file an invoice with office 7', limit: 1 } }] },
    { toolCalls: [{ name: 'office7_file_invoice', arguments: { subject: 'I-7' } }] },
    { text: 'It is filed.' },
  ]);
  const session = new Session();
  const messages = [{ role: 'user', content: 'Send my invoice I-7 to office 7.' }] as const;
  const { text, transcript } = await app.evaluate(app.prompt(Desk), { adapter, session, messages });
  for (const message of transcript) if (message.role === 'tool') console.log(`${message.name}: ${message.content}`);
  console.log(`answer: ${String(text)}`);
  assert.deepEqual(session.slice(FoundTools).latest()?.names, ['office7_file_invoice']);

  const meaning = new ScriptedModel([
    { toolCalls: [{ name: 'search_tools', arguments: { query: 'my bill', limit: 1 } }] },
    { text: 'Found.' },
  ]);
  const found = new Session();
  await app.evaluate(app.prompt(ByMeaning), { adapter: meaning, session: found, messages });
  console.log(`found by meaning: ${String(found.slice(FoundTools).latest()?.names.join(', '))}`);
  await app.close();
}

void main();
