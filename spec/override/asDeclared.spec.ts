import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type BoundPrompt,
  type Constructor,
  type RenderedPrompt,
} from 'toolwright';
import {
  FileOverridesStore,
  InMemoryOverridesStore,
  type OverridesStore,
  type PromptOverrides,
} from 'toolwright/overrides';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ToolTexts {
  readonly description: string;
  readonly query: string;
  readonly example: string;
}

interface SectionTexts {
  readonly body: string;
  readonly summary: string;
  readonly isSummarised: boolean;
  readonly tools: readonly ToolTexts[];
  readonly children: readonly SectionTexts[];
}

const words = fc.stringMatching(/^[a-z]{1,12}$/);
const tool: fc.Arbitrary<ToolTexts> = fc.record({ description: words, query: words, example: words });
const sectionOver = (children: fc.Arbitrary<readonly SectionTexts[]>): fc.Arbitrary<SectionTexts> =>
  fc.record({
    body: fc.tuple(words, fc.constantFrom('', ' $who', ' $$', ' ${who}')).map(([word, rest]) => word + rest),
    summary: words,
    isSummarised: fc.nat(4).map((chance) => chance === 0),
    tools: fc.array(tool, { maxLength: 2 }),
    children,
  });
const leaf = sectionOver(fc.constant([]));
const section = sectionOver(fc.array(leaf, { maxLength: 2 }));
const prompt = fc.array(section, { minLength: 1, maxLength: 3 });

class Who {
  @Param('Who asks') who = 'Ada';
}

/** The prompt of these texts; keys and names follow from places alone. */
function declared(texts: readonly SectionTexts[]): Constructor {
  let count = 0;
  const toolOf = ({ description, query, example }: ToolTexts) => {
    class Query {
      word!: string;
      other = 1;
    }
    Param({ type: String, description: query })(Query.prototype, 'word');
    Param({ type: Number })(Query.prototype, 'other');
    const examples = [{ description: example, input: { word: example }, output: null }];
    return defineTool({
      name: `tool${String(count++)}`,
      description,
      params: Query,
      examples,
      handler: () => undefined,
    });
  };
  const sectionOf = ({ body, summary, isSummarised, tools, children }: SectionTexts, index: number): Constructor =>
    defineSection({
      key: `s${String(index)}`,
      title: 'Section',
      params: Who,
      template: body,
      summary,
      visibility: isSummarised ? 'summary' : 'full',
      tools: tools.map(toolOf),
      children: children.map(sectionOf),
    } as object as Parameters<typeof defineSection>[0]);
  return definePrompt({ ns: 'n', key: 'k', sections: texts.map(sectionOf) });
}

async function opened(texts: readonly SectionTexts[], store?: OverridesStore): Promise<BoundPrompt> {
  const type = declared(texts);
  return (await createApplication({ prompts: [type], overrides: store })).prompt(type);
}

/** New texts for some of the declared ones, and the overrides with them. */
function rewritten(
  texts: readonly SectionTexts[],
  choose: (text: string) => string | undefined,
): { readonly texts: readonly SectionTexts[]; readonly overrides: PromptOverrides } {
  const sections: Record<string, object> = {};
  const tools: Record<string, object> = {};
  let count = 0;
  const toolOf = (old: ToolTexts): ToolTexts => {
    const [description, query, example] = [choose(old.description), choose(old.query), choose(old.example)];
    tools[`tool${String(count++)}`] = {
      ...(description === undefined ? {} : { description }),
      ...(query === undefined ? {} : { params: { word: query } }),
      ...(example === undefined
        ? {}
        : { examples: [{ description: example, input: { word: example }, output: null }] }),
    };
    return {
      description: description ?? old.description,
      query: query ?? old.query,
      example: example ?? old.example,
    };
  };
  const sectionOf = (old: SectionTexts, path: string): SectionTexts => {
    const [body, summary] = [choose(old.body), choose(old.summary)];
    sections[path] = { ...(body === undefined ? {} : { body }), ...(summary === undefined ? {} : { summary }) };
    return {
      ...old,
      body: body ?? old.body,
      summary: summary ?? old.summary,
      tools: old.tools.map(toolOf),
      children: old.children.map((child, index) => sectionOf(child, `${path}.s${String(index)}`)),
    };
  };
  const changed = texts.map((section, index) => sectionOf(section, `s${String(index)}`));
  return { texts: changed, overrides: { sections, tools } };
}

const shown = (rendered: RenderedPrompt): unknown => [
  rendered.text,
  rendered.sections,
  rendered.toolParamDescriptions,
  rendered.toolSchemas('json-schema'),
  rendered.toolSchemas('openai', { strict: true }),
  rendered.tools.map(({ name, description, examples }) => [name, description, examples]),
  rendered.fingerprint,
];

describe('overrides of any prompt', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-overrides-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('overrides of any prompt show what the same texts would show had they been declared, from either store, each time', async () => {
    let overridden = 0;
    await fc.assert(
      fc.asyncProperty(prompt, fc.func(fc.option(words, { nil: undefined })), fc.nat(), async (texts, choose, run) => {
        const { texts: changed, overrides } = rewritten(texts, choose);
        const expected = shown(await (await opened(changed)).render());
        for (const store of [new InMemoryOverridesStore(), new FileOverridesStore(join(folder, String(run)))]) {
          const subject = await opened(texts, store);
          await subject.overrides.write(overrides);
          expect(shown(await subject.render())).toEqual(expected);
          expect(shown(await subject.render())).toEqual(expected);
          await subject.overrides.delete();
          expect(shown(await subject.render())).toEqual(shown(await (await opened(texts)).render()));
        }
        if (JSON.stringify(changed) !== JSON.stringify(texts)) overridden++;
      }),
      { numRuns: 30 },
    );
    expect(overridden).toBeGreaterThan(5);
  }, 120_000);
});
