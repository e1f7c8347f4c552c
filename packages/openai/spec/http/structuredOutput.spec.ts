import { Max, Min } from 'class-validator';
import { createApplication, Field, OutputParseError, Prompt, Section, Session } from 'toolwright';
import { OpenAIChatAdapter } from '@toolwright/openai';
import type { OutputReference } from 'toolwright/types';
import { answer, type Turn } from '../support/ProviderDouble';
import { provider, stopAll } from '../support/overHttp';
import { silent } from '../../../../spec/support/silent';
import { rejectionOf } from '../support/thrownBy';

afterEach(stopAll);

class Finding {
  @Field('Line') line!: number;
  @Field('Text') text = '';
}
class Review {
  @Field('1 to 5') @Min(1) @Max(5) stars!: number;
  @Field({ description: 'Findings', type: [Finding] }) findings!: Finding[];
}

/** An application whose prompt declares an output, and a provider that plays the script. */
async function reviewer(output: OutputReference, ...script: readonly Turn[]) {
  @Section({ title: 'Desk', template: 'Judge it.' })
  class Desk {}
  @Prompt({ ns: 'a', key: 'reviewer', sections: [Desk], output })
  class Reviewer {}
  const app = await createApplication({ prompts: [Reviewer], logger: silent });
  const { double, client, adapter } = await provider(...script);
  const run = (by = adapter) => app.evaluate(app.prompt(Reviewer), { adapter: by, session: new Session() });
  const formats = () => double.requests.map(({ body }) => body['response_format']);
  return { run, double, client, formats };
}

const says = (content: string): Turn => answer({ content });
const GOOD = '{"stars":4,"findings":[{"line":3,"text":null}]}';
const BAD = '{"stars":9,"findings":[]}';

describe('structured output, over HTTP', () => {
  test('the provider is sent the form in strict mode; what it left out as null is absent', async () => {
    const { run, double, formats } = await reviewer(Review, says(GOOD));
    const { output } = await run();
    expect(output).toBeInstanceOf(Review);
    expect((output as Review).findings[0]).toBeInstanceOf(Finding);
    expect(output).toEqual({ stars: 4, findings: [{ line: 3, text: '' }] });
    expect(formats()).toMatchObject([
      {
        type: 'json_schema',
        json_schema: {
          name: 'Review',
          strict: true,
          schema: { type: 'object', required: ['stars', 'findings'], additionalProperties: false },
        },
      },
    ]);
    expect(double.requests[0]?.problems).toEqual([]);
    expect(double.requests[0]?.body.messages).toHaveLength(1);
  });

  test('a list goes as the property of an object', async () => {
    const { run, formats } = await reviewer({ array: Review }, says(`{"items":[${GOOD}]}`));
    expect((await run()).output).toHaveLength(1);
    expect(formats()).toMatchObject([{ json_schema: { name: 'Review', schema: { required: ['items'] } } }]);
  });

  test('a type that strict mode cannot express is sent without it', async () => {
    class Counts {
      @Field({ description: 'Counts', record: Number }) counts!: Record<string, number>;
    }
    const { run, formats } = await reviewer(Counts, says('{"counts":{"a":1}}'));
    expect((await run()).output).toEqual({ counts: { a: 1 } });
    expect(formats()).toMatchObject([{ json_schema: { strict: false } }]);
  });

  test('a wrong answer is reported, and the right one that follows is accepted', async () => {
    const { run, double, formats } = await reviewer(Review, says(BAD), says(GOOD));
    expect(await run()).toMatchObject({ output: { stars: 4 }, turns: 2 });
    expect(formats()).toHaveLength(2);
    expect(double.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['system', 'assistant', 'user']);
    expect(double.requests[1]?.body.messages[2]?.['content']).toContain('- stars: ');
  });

  test('a second wrong one ends the run', async () => {
    const { run, double } = await reviewer(Review, says(BAD), says('Sorry.'), says(GOOD));
    const error = await rejectionOf(run());
    expect(error instanceof OutputParseError).toBe(true);
    expect(error).toMatchObject({ code: 'E530', rawText: 'Sorry.' });
    expect(double.requests).toHaveLength(2);
  });

  test('ADPT-06: a refusal is no output, and is not argued with', async () => {
    const refusal = 'I cannot judge that.';
    const message = { role: 'assistant', content: null, refusal };
    const refuses = answer({ content: '' }, (said) => ({
      ...said,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }));
    const { run, double } = await reviewer(Review, refuses, says(GOOD));
    expect(await rejectionOf(run())).toMatchObject({ name: 'OutputParseError', code: 'E531', rawText: refusal });
    expect(double.requests).toHaveLength(1);
  });

  test('ADPT-06: an answer that was cut short is not parsed', async () => {
    const cut = answer({ content: '{"stars":4,"findings":[', finishReason: 'length' });
    const { run, double } = await reviewer(Review, cut, says(GOOD));
    expect(await rejectionOf(run())).toMatchObject({ name: 'OutputParseError', code: 'E531' });
    expect(double.requests).toHaveLength(1);
  });

  test('a server without output schemas gets them described in the system message', async () => {
    const { run, double, client, formats } = await reviewer(Review, says(`\`\`\`json\n${GOOD}\n\`\`\``));
    const adapter = new OpenAIChatAdapter({ client, model: 'local', outputSchema: false });
    expect(await run(adapter)).toMatchObject({ output: { stars: 4 } });
    expect(formats()).toEqual([undefined]);
    expect(double.requests[0]?.body.messages[0]?.['content']).toContain('It must fit this JSON Schema:');
  });
});
