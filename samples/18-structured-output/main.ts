// A final answer as instances of a class: declared by the prompt, or asked for by a run, and corrected once when it is wrong.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Field, type ModelAdapter, OutputParseError, Prompt, Section } from 'toolwright';
import type { CompletionChecker } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { parseOutput } from 'toolwright/schema';

// The answer that the model has to return. The rules are in the schema that the provider is sent, and they are checked.
class Finding {
  @Field({ description: 'Line of the file, from 1 on', integer: true, min: 1 })
  line!: number;

  @Field({ description: 'How bad it is', enum: ['minor', 'major'] })
  severity!: 'minor' | 'major';

  @Field('What is wrong, in one sentence')
  text!: string;

  isBlocking(): boolean {
    return this.severity === 'major';
  }
}

class Review {
  @Field({ description: 'Stars, from 1 to 5', integer: true, min: 1, max: 5 })
  stars!: number;

  @Field({ description: 'Findings, worst first', type: [Finding] })
  findings: readonly Finding[] = [];
}

// Checkers receive the parsed answer.
const namesWhatIsWrong: CompletionChecker = {
  name: 'names_what_is_wrong',
  check: ({ output }) =>
    output instanceof Review && output.stars < 5 && output.findings.length === 0
      ? { complete: false, feedback: 'Fewer than five stars need a finding.' }
      : { complete: true },
};

@Section({ title: 'Review', template: 'Review the change that you are shown.' })
class ReviewSection {}

@Prompt({
  ns: 'samples',
  key: 'reviewer',
  sections: [ReviewSection],
  output: Review,
  completion: [namesWhatIsWrong],
})
class Reviewer {
  // For the type of `response.output`: a decorator cannot add it, but it checks it.
  declare readonly output: Review;
}

@Prompt({ ns: 'samples', key: 'reader', sections: [ReviewSection] })
class Reader {}

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [Reviewer, Reader] });

  console.log('--- Wrong, then right ---');
  const adapter = new ScriptedModel([
    { text: 'I like it! {"stars": 6}' }, // more than the maximum
    { text: '{"stars": 4}' }, // readable, and refused by the checker
    { text: '```json\n{"stars": 4, "findings": [{"line": 7, "severity": "major", "text": "No test."}]}\n```' },
  ]);
  const { output, transcript, turns } = await app.evaluate(app.prompt(Reviewer), { adapter });
  for (const { role, content } of transcript) if (role === 'user') console.log(content);
  console.log(`after ${String(turns)} requests: ${String(output.stars)} stars`);
  assert.ok(output instanceof Review);
  assert.equal(output.findings[0]?.isBlocking(), true); // real instances, nested ones too
  assert.equal(turns, 3);
  // A provider that accepts schemas is sent this one; the prompt's text stays as it is.
  assert.equal(adapter.requests[0]?.outputSchema?.('openai', { strict: true }).strict, true);

  console.log('\n--- A list, which only this run asks for ---');
  const lister = new ScriptedModel([{ text: '{"items": [{"line": 1, "severity": "minor", "text": "Typo."}]}' }]);
  const list = await app.evaluate(app.prompt(Reader), { adapter: lister, output: { array: Finding } });
  console.log(list.output.map(({ line, text }) => `line ${String(line)}: ${text}`).join('\n'));
  assert.equal(list.output[0]?.isBlocking(), false);

  console.log('\n--- An adapter that takes no schemas: the model is told in words ---');
  const script = new ScriptedModel([{ text: '[]' }]);
  const plain: ModelAdapter = { name: 'plain', complete: (request) => script.complete(request) };
  await app.evaluate(app.prompt(Reader), { adapter: plain, output: { array: Finding } });
  const system = script.requests[0]?.messages[0]?.content ?? '';
  console.log(system.slice(0, system.indexOf('{')).trim());
  assert.match(system, /"severity":\{"type":"string","enum":\["minor","major"\]/);

  console.log('\n--- Wrong twice ---');
  const stubborn = new ScriptedModel([{ text: 'Great work!' }, { text: 'Really great!' }]);
  const failed: unknown = await app
    .evaluate(app.prompt(Reviewer), { adapter: stubborn })
    .catch((error: unknown) => error);
  assert.ok(failed instanceof OutputParseError);
  console.log(`${failed.code}: ${JSON.stringify(failed.rawText)}, ${failed.issues[0]?.message.split(';')[0] ?? ''}`);
  assert.equal(failed.rawText, 'Really great!');

  console.log('\n--- Without a run ---');
  const { stars } = parseOutput(Review, 'My verdict: {"stars": 5} for this one.');
  console.log(`${String(stars)} stars`);
  assert.equal(stars, 5);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
