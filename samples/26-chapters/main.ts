// One long prompt becomes chapters with summaries: their cost, their savings, and how to find summaries that mislead.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { type Application, type BoundPrompt, createApplication, type ModelRequest, Prompt, Session } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { AbroadSection, AccountsSection, DeskSection, LaptopsSection, TripPlanned } from './chapters.js';
import { OpeningReport } from './OpeningReport.js';

@Prompt({
  ns: 'samples',
  key: 'help-desk',
  sections: [DeskSection, AccountsSection, LaptopsSection, AbroadSection],
})
class HelpDesk {}

// Scripted answers of the model; each line is one answer.
const open = (reason: string, ...section_keys: readonly string[]): ScriptStep => ({
  toolCalls: [{ name: 'open_sections', arguments: { section_keys, reason } }],
});
const call = (name: string, args: object): ScriptStep => ({ toolCalls: [{ name, arguments: { ...args } }] });
const unlocking = [call('unlock_account', { login: 'm.berg' }), { text: 'You can log in again.' }];

/** Counts the characters that a run sent to its model: messages and tools, once for each request. */
function countSentChars(requests: readonly ModelRequest[]): number {
  const sizes = requests.map(({ messages, toolSchemas }) => JSON.stringify([messages, toolSchemas('openai')]).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function run(
  app: Application,
  prompt: BoundPrompt,
  script: readonly ScriptStep[],
  { everything = false, report = new OpeningReport() } = {},
): Promise<{ readonly characters: number; readonly requests: readonly ModelRequest[] }> {
  const adapter = new ScriptedModel(script);
  const visibilityOverrides = everything
    ? Object.fromEntries(prompt.sections.map(({ path }) => [path, 'full' as const]))
    : {};
  const rendered = await prompt.render({ visibilityOverrides });
  await app.evaluate(rendered, { adapter, session: new Session(), onEvent: report.listener() });
  return { characters: countSentChars(adapter.requests), requests: adapter.requests };
}

/** Compares a run with chapters with the same run with everything open from the start. */
async function compare(
  app: Application,
  prompt: BoundPrompt,
  what: string,
  scriptWhole: readonly ScriptStep[],
  scriptChapters: readonly ScriptStep[],
): Promise<boolean> {
  const whole = await run(app, prompt, scriptWhole, { everything: true });
  const chapters = await run(app, prompt, scriptChapters);
  const [one, other] = [whole, chapters].map(({ characters }) => String(characters).padStart(6)) as [string, string];
  console.log(`${what.padEnd(22)}${one} whole,${other} in chapters`);
  return chapters.characters < whole.characters;
}

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [HelpDesk] });
  const prompt = app.prompt(HelpDesk);

  console.log('--- What the model reads first ---');
  const closed = await prompt.render();
  console.log(closed.text);
  console.log(`tools: ${closed.tools.map(({ name }) => name).join(', ')}`);
  assert.deepEqual(
    { ...closed.visibility },
    { desk: 'full', accounts: 'summary', laptops: 'summary', abroad: 'summary' },
  );
  assert.deepEqual(
    closed.tools.map(({ name }) => name),
    ['open_sections'],
  );

  console.log('\n--- What a run sends in all its requests, in characters ---');
  const accounts = open('Somebody is locked out.', 'accounts');
  const everything = open('To be sure.', 'accounts', 'laptops', 'abroad');
  const many = [...Array.from({ length: 10 }, () => unlocking[0] as ScriptStep), { text: 'All ten can log in again.' }];
  const greeting = [{ text: 'Good morning!' }];
  const greeted = await compare(app, prompt, 'no chapter is needed', greeting, greeting);
  const short = await compare(app, prompt, 'one is, for one call', unlocking, [accounts, ...unlocking]);
  const long = await compare(app, prompt, 'one is, for ten calls', many, [accounts, ...many]);
  const careful = await compare(app, prompt, 'all are opened', unlocking, [everything, ...unlocking]);
  // Opening costs a whole request. It pays where runs are long, chapters are, or many runs need none.
  assert.deepEqual([greeted, short, long, careful], [true, false, true, false]);

  console.log('\n--- What opening a chapter would cost in every later request, in tokens ---');
  const costs = await closed.openingCosts(new Session());
  for (const { path, summary, tools, total } of costs)
    console.log(`${path}: ${String(total)}, ${String(tools)} of them for tools (summary: ${String(summary)})`);
  assert.ok(costs.every(({ summary, content, tools, total }) => total === content + tools && summary < content));

  console.log('\n--- What was sent before stays as it was ---');
  const { requests } = await run(app, prompt, [accounts, ...unlocking]);
  const [first, second] = requests as [ModelRequest, ModelRequest];
  assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
  assert.deepEqual(
    second.toolSchemas('openai').map(({ name }) => name),
    ['unlock_account', 'send_password_link', 'open_sections'],
  );
  console.log(second.messages.at(-1)?.content?.split('\n').at(-1));

  console.log('\n--- Open from the start for whom it concerns ---');
  const session = new Session();
  session.dispatch(new TripPlanned('Japan'));
  const { visibility } = await prompt.render({ session });
  console.log(`abroad: ${String(visibility['abroad'])}`);
  assert.equal(visibility['abroad'], 'full');

  console.log('\n--- What the openings of some runs say about the summaries ---');
  const report = new OpeningReport();
  const lost = [
    open('A laptop is gone.', 'laptops'),
    open('It says to open it at once.', 'laptops.lost'),
    call('lock_device', { device: 'NI-0421' }),
    { text: 'It is locked.' },
  ];
  const misled = [open('A laptop is taken home.', 'abroad'), { text: 'Yes, you may take it home.' }];
  for (const script of [[accounts, ...unlocking], lost, misled, greeting]) await run(app, prompt, script, { report });
  console.log(report.toString());
  assert.deepEqual(report.row('accounts'), { opened: 1, used: 1 });
  assert.deepEqual(report.row('laptops'), { opened: 1, used: 1 });
  assert.deepEqual(report.row('laptops.lost'), { opened: 1, used: 1 });
  assert.deepEqual(report.row('abroad'), { opened: 1, used: 0 });
  await app.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
