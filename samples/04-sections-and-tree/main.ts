// A prompt is a tree of sections: nested, enabled by state, bound to values, and located by offsets.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import {
  createApplication,
  md,
  Param,
  Prompt,
  PromptRenderError,
  Section,
  Session,
  Tool,
  type HookInput,
  type RenderedPrompt,
} from 'toolwright';

class VisitorParams {
  @Param('Name of the visitor')
  name!: string;

  @Param('Days that a loan lasts')
  days = 21;
}

// State of the session. Without a reducer, a dispatched event is appended to the slice of its own class.
class CardShown {
  constructor(
    readonly card: string,
    readonly fees: number,
  ) {}
}

const shownCard = ({ session }: HookInput): CardShown | undefined => session.slice(CardShown).latest();

// `params` is inherited: children use the values that their parent is bound to.
@Section({ key: 'late-fees', title: 'Fees', template: md`${'name'} pays before borrowing anything else.` })
class FeesSection {
  // Hooks are methods or options, synchronous or not. A disabled section removes its tools and its subtree.
  enabled(input: HookInput<VisitorParams>): boolean {
    return (shownCard(input)?.fees ?? 0) > 0;
  }

  @Tool('Pay the fees of the visitor.')
  payFees(): string {
    return 'Paid.';
  }
}

@Section({
  title: 'Loans',
  template: md`A loan lasts ${'days'} days.`,
  enabled: (input) => shownCard(input) !== undefined,
  children: [FeesSection],
})
class LoansSection {
  @Tool('Renew a loan.')
  renewLoan(@Param('title', 'Title of the book') title: string): string {
    return `Renewed: ${title}.`;
  }
}

// The key is derived from the class name: opening-hours. The body is written by code.
@Section({ title: 'Opening hours' })
class OpeningHoursSection {
  private readonly hours = new Map([
    ['Tuesday', '10-18'],
    ['Saturday', '10-14'],
  ]);

  renderBody({ params }: HookInput<VisitorParams>): string {
    return [...this.hours].map(([day, hours]) => `- ${day} ${hours}, for ${params.name} as well`).join('\n');
  }
}

@Section({
  title: 'Library',
  params: VisitorParams,
  template: md`You talk to ${'name'}.`,
  children: [LoansSection, OpeningHoursSection],
})
class LibrarySection {
  @Tool('Search the catalogue.')
  search(@Param('words', 'Words of the title') words: string): string {
    return `Nothing about ${words}.`;
  }
}

@Prompt({ ns: 'samples', key: 'library', sections: [LibrarySection] })
class Library {}

@Prompt({ ns: 'samples', key: 'plain', sections: [LibrarySection], heading: 'plain' })
class PlainLibrary {}

@Prompt({
  ns: 'samples',
  key: 'xml',
  sections: [LibrarySection],
  heading: ({ path, depth }) => `${'  '.repeat(depth)}<!-- ${path} -->`,
})
class OwnHeadings {}

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [Library, PlainLibrary, OwnHeadings] });
  const library = app.prompt(Library);

  console.log('--- Nobody is bound: it does not render ---');
  const unbound: unknown = await library.render().catch((error: unknown) => error);
  assert.ok(unbound instanceof PromptRenderError);
  console.log(`${unbound.code} at ${unbound.sectionPath}\n`);
  assert.equal(unbound.code, 'E501');

  // A prompt never changes: `bind` returns a new one. `render(instance)` binds for one rendering.
  const forAda = library.bind(VisitorParams, { name: 'Ada' });
  console.log('--- Without a card: 1.1 is off, and 1.2 keeps its number ---');
  const empty = await forAda.render();
  console.log(`${empty.text}\n\n[tools: ${names(empty)}]\n`);
  assert.match(empty.text, /^### 1\.2\. Opening hours \(library\.opening-hours\)$/m);
  assert.ok(!empty.text.includes('1.1'));
  assert.equal(names(empty), 'search');

  console.log('--- A card with fees: everything is on ---');
  const session = new Session();
  session.dispatch(new CardShown('M7', 3));
  const full = await forAda.render({ session });
  console.log(`${full.text}\n\n[tools: ${names(full)}]\n`);
  assert.match(full.text, /^#### 1\.1\.1\. Fees \(library\.loans\.late-fees\)$/m);
  assert.equal(names(full), 'search, renew_loan, pay_fees');

  console.log('--- Bound for one rendering only ---');
  const grace = Object.assign(new VisitorParams(), { name: 'Grace', days: 7 });
  const other = await forAda.render(grace, { session });
  console.log(`${other.text.split('\n').slice(2, 7).join('\n')}\n`);
  assert.match(other.text, /^You talk to Grace\.$/m);
  assert.match(other.text, /^A loan lasts 7 days\.$/m);
  assert.match((await forAda.render()).text, /^You talk to Ada\.$/m);

  console.log('--- The tools alone, without any text ---');
  for (const tool of await forAda.tools({ session })) console.log(`${tool.sectionPath}: ${tool.name}`);
  const paths = (await forAda.tools({ session })).map((tool) => tool.sectionPath);
  assert.deepEqual(paths, ['library', 'library.loans', 'library.loans.late-fees']);

  console.log('\n--- Other headings ---');
  for (const type of [PlainLibrary, OwnHeadings]) {
    const { text, sections } = await app.prompt(type).render(grace, { session });
    const headings = sections.map(({ start }) => text.slice(start).split('\n')[0]);
    console.log(headings.join('\n'));
    assert.equal(headings.length, 4);
    assert.equal(headings[2], type === PlainLibrary ? '#### Fees' : '    <!-- library.loans.late-fees -->');
  }

  console.log('\n--- Where a section stands in the text ---');
  for (const { path, start, end } of full.sections) {
    const own = full.text.slice(start, end);
    console.log(`${path}: ${start}-${end}, ${own.split('\n').length} lines`);
    assert.match(own, /^#+ 1\./);
  }
  const [root] = full.sections;
  assert.equal(full.text.slice(root?.start, root?.end), '## 1. Library (library)\n\nYou talk to Ada.');
}

function names(rendered: RenderedPrompt): string {
  return rendered.tools.map((tool) => tool.name).join(', ');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
