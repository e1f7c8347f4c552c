// Limits from outside that end a run or a call: time, a budget, the caller, a busy provider, the end of the process.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Application,
  Budget,
  BudgetExceededError,
  createApplication,
  Deadline,
  type Logger,
  type ModelRequest,
  type ModelResponse,
  Param,
  Prompt,
  PromptEvaluationError,
  Section,
  Session,
  ThrottleError,
  Tool,
  ToolContext,
  TransactionClosedError,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { FakeClock, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { SqliteRuns } from '@toolwright/durable/sqlite';

class PageRead {
  constructor(readonly page: number) {}
}

// A clock that is advanced by hand, so that the sample does not wait.
const clock = new FakeClock();

// The world outside: no rollback undoes what handlers do here.
const world = { reads: 0, lateWrite: Promise.resolve() };

@Section({ title: 'Archive' })
class ArchiveSection {
  @Tool('Read a page of the archive.')
  readPage(@Param('page', 'Number of the page') page: number, context: ToolContext): string {
    world.reads++;
    clock.advance(10_000); // it is a slow archive
    context.session.dispatch(new PageRead(page));
    return `Page ${String(page)} is about boats.`;
  }

  @Tool({ description: 'Search the archive.', timeoutMs: 20 })
  async search(context: ToolContext): Promise<string> {
    const { session } = context;
    // It does not listen to context.signal, and so outlives its call.
    world.lateWrite = sleep(60).then(() => session.dispatch(new PageRead(99)));
    await world.lateWrite;
    return 'nobody hears this';
  }

  @Tool('Wait until a page is delivered.')
  async awaitDelivery(context: ToolContext): Promise<string> {
    context.session.dispatch(new PageRead(7));
    await sleep(60_000, undefined, { signal: context.signal });
    return 'delivered';
  }
}

@Prompt({ ns: 'samples', key: 'archive', sections: [ArchiveSection] })
class Archive {}

const read = (page: number): ScriptStep => ({ toolCalls: [{ name: 'read_page', arguments: { page } }] });
const pagesOf = (session: Session): string =>
  session
    .slice(PageRead)
    .all()
    .map(({ page }) => page)
    .join(', ') || 'none';

async function main(): Promise<void> {
  const log: string[] = [];
  const note = (message: string): void => void log.push(message);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const create = (): Promise<Application> =>
    createApplication({ prompts: [Archive], clock, logger, random: () => 0.5 });
  const app = await create();
  const prompt = app.prompt(Archive);

  console.log('--- A deadline: the call that would start after it does not ---');
  let session = new Session({ slices: [PageRead] });
  const late = await failureOf(
    app.evaluate(prompt, {
      adapter: new ScriptedModel([
        { toolCalls: [1, 2, 3].map((page) => ({ name: 'read_page', arguments: { page } })) },
      ]),
      session,
      deadline: Deadline.in(15_000, clock),
    }),
  );
  console.log(`phase "${late.phase}": ${late.message}\npages: ${pagesOf(session)}\n`);
  assert.equal(late.phase, 'tool');
  assert.equal(pagesOf(session), '1, 2'); // the second ended late, but it had begun in time

  console.log('--- A budget: before it ends, the model is told ---');
  const budget = new Budget({ maxToolCalls: 5 });
  const readOn = (request: ModelRequest, page: number) => {
    const last = request.messages.at(-1);
    if (last?.role !== 'user') return { toolCalls: [{ name: 'read_page', arguments: { page } }] };
    console.log(wrap(last.content));
    return { text: `I have read ${String(page - 1)} pages; the rest remains to be done.` };
  };
  const pages = [1, 2, 3, 4, 5, 6];
  const attentive = new ScriptedModel(pages.map((page) => (request) => readOn(request, page)));
  const answer = await app.evaluate(prompt, { adapter: attentive, budget });
  console.log(`${String(answer.text)}\n`);
  assert.equal(answer.text, 'I have read 4 pages; the rest remains to be done.');

  console.log('--- A model that does not listen is stopped ---');
  const stubborn = new ScriptedModel(pages.map((page) => read(page)));
  const spent = await failureOf(app.evaluate(prompt, { adapter: stubborn, budget }));
  console.log(`phase "${spent.phase}": ${spent.message}\n`);
  assert.equal(spent.phase, 'budget');
  assert.ok(spent.cause instanceof BudgetExceededError);
  assert.equal(spent.cause.dimension, 'tool_calls');

  console.log("--- A tool's timeout: the late write is refused ---");
  session = new Session({ slices: [PageRead] });
  const rendered = await prompt.render({ session });
  const slow = await app.invoke(rendered, 'search', {}, { session });
  console.log(wrap(`${slow.kind}: ${slow.text}`));
  const refused: unknown = await world.lateWrite.catch((error: unknown) => error);
  console.log(`${wrap(`later, in the handler: ${String(refused)}`)}\npages: ${pagesOf(session)}\n`);
  assert.equal(slow.kind, 'timed_out');
  assert.ok(refused instanceof TransactionClosedError);
  assert.equal(pagesOf(session), 'none');

  console.log('--- The caller gives up ---');
  const controller = new AbortController();
  setTimeout(() => controller.abort('the user left'), 20);
  const reason: unknown = await app
    .evaluate(prompt, {
      adapter: new ScriptedModel([{ toolCalls: [{ name: 'await_delivery', arguments: {} }] }]),
      session,
      signal: controller.signal,
    })
    .catch((thrown: unknown) => thrown);
  console.log(`rejected with: ${String(reason)}\npages: ${pagesOf(session)}\n`);
  assert.equal(reason, 'the user left');
  assert.equal(pagesOf(session), 'none');

  console.log('--- A provider that is busy is asked again ---');
  const busy =
    (retryAfter?: number): ScriptStep =>
    () => {
      throw new ThrottleError('too many requests', { kind: 'rate_limit', retryAfter });
    };
  const served = await app.evaluate(prompt, { adapter: new ScriptedModel([busy(), busy(3), { text: 'Here I am.' }]) });
  console.log(
    `waited ${clock.slept.map((milliseconds) => `${String(milliseconds)} ms`).join(', ')}: ${String(served.text)}\n`,
  );
  assert.equal(served.text, 'Here I am.');
  assert.deepEqual(clock.slept, [250, 3_000]); // half of 500 ms, by our random; then what the provider asked for

  console.log('--- A process ends in the middle of a run, and another one goes on ---');
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-sample-'));
  const path = join(folder, 'runs.db');
  try {
    world.reads = 0;
    await using before = new SqliteRuns(path);
    const conversation = await Conversation.open(before, 'c-1');
    const first = new ScriptedModel([read(1)]);
    await new Promise<void>((ended) => {
      // A process that ends does not get the answer to its last request.
      const complete = (request: ModelRequest): Promise<ModelResponse> => {
        if (first.requests.length === 0) return first.complete(request);
        ended();
        return new Promise(() => undefined);
      };
      void app.evaluate(prompt, {
        adapter: { name: first.name, complete },
        session: new Session({ slices: [PageRead] }),
        conversation,
        messages: [{ role: 'user', content: 'What are the first two pages about?' }],
      });
    });
    assert.equal(world.reads, 1);

    // Only the file remains: another store, application, session and model.
    await using after = new SqliteRuns(path);
    const next = await create();
    session = new Session({ slices: [PageRead] });
    const rest = new ScriptedModel([read(2), { text: 'Both pages are about boats.' }]);
    const whole = await next.evaluate(next.prompt(Archive), {
      adapter: rest,
      session,
      conversation: await Conversation.open(after, 'c-1'),
    });
    console.log(
      `${String(whole.text)}\npages: ${pagesOf(session)}; read ${String(world.reads)} times, ` +
        `in ${String(whole.turns)} requests, of which ${String(rest.requests.length)} were made now`,
    );
    assert.equal(pagesOf(session), '1, 2');
    assert.equal(world.reads, 2); // page 1 was not read again
    assert.equal(whole.turns, 3);
    assert.equal(rest.requests.length, 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function failureOf(run: Promise<unknown>): Promise<PromptEvaluationError> {
  const error: unknown = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PromptEvaluationError);
  return error;
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
