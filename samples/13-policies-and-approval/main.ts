// Two ways to deny a call before it runs: policies, which judge by earlier calls, and a person, who may take a day.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Application,
  ApprovalPendingError,
  bind,
  createApplication,
  Param,
  type PendingCall,
  Prompt,
  type RenderedPrompt,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import {
  allow,
  type Approver,
  deny,
  PolicyRecord,
  RateLimitPolicy,
  ReadBeforeWritePolicy,
  SequentialDependencyPolicy,
  type ToolPolicy,
} from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { WorkspaceSection } from 'toolwright/sections';
import { FakeClock } from 'toolwright/testing';

class ReleaseParams {
  @Param({ description: 'Version to release', pattern: /^\d+\.\d+$/ })
  version!: string;

  @Param({ description: 'Who gets it', enum: ['testers', 'everybody'] })
  audience!: 'testers' | 'everybody';
}

// A custom policy: a name and a check.
const noReleaseOnFridays: ToolPolicy = {
  name: 'no_release_on_fridays',
  appliesTo: ({ name }) => name === 'release',
  check: (_call, context) =>
    new Date(context.now()).getUTCDay() === 5 ? deny('nothing is released on Fridays; do it on Monday') : allow,
};

@Section({
  title: 'Release',
  policies: [new SequentialDependencyPolicy({ release: ['run_tests'] }), noReleaseOnFridays],
})
class ReleaseSection {
  @Tool({ description: 'Run the tests.', policies: [new RateLimitPolicy({ maxCalls: 2, perSeconds: 60 })] })
  runTests(): string {
    return 'All tests pass.';
  }

  // A person approves releases to all users.
  @Tool({
    description: 'Release a version.',
    requiresApproval: ({ audience }: ReleaseParams) => audience === 'everybody',
  })
  release({ version, audience }: ReleaseParams, context: ToolContext): string {
    const { idempotencyKey } = context.call;
    return `Released ${version} to ${audience} under ${idempotencyKey.slice(0, 8)}.`;
  }
}

@Prompt({
  ns: 'samples',
  key: 'release',
  sections: [WorkspaceSection, ReleaseSection],
  policies: [new ReadBeforeWritePolicy()],
})
class ReleaseDesk {}

const clock = new FakeClock('2030-01-03T12:00:00Z'); // a Thursday

/** The person answers later. */
const approver: Approver = { approve: () => ({ kind: 'later' }) };

let made = 0;

async function open(): Promise<{ readonly app: Application; readonly rendered: RenderedPrompt }> {
  const files = new InMemoryFilesystem({ files: { 'CHANGELOG.md': '# 1.0\n' } });
  const app = await createApplication({
    prompts: [ReleaseDesk],
    resources: [bind(Filesystem, { value: files })],
    approver,
    clock,
    ids: () => `id-${String(++made)}`, // for the sample to print the same each time; random ids when left out
  });
  return { app, rendered: await app.prompt(ReleaseDesk).render() };
}

/** The state of policies is part of the session; to be written as JSON, it needs a name. */
const slices = [PolicyRecord];

async function firstProcess(folder: string): Promise<PendingCall> {
  const { app, rendered } = await open();
  const session = new Session({ slices });
  const call = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { kind, text } = await app.invoke(rendered, name, args, { session });
    console.log(wrap(`${kind}: ${text.split('\n', 1).join('')}`));
    return kind;
  };

  console.log('--- A file is read before it is written ---');
  const changelog = { path: 'CHANGELOG.md', content: '# 2.0\n' };
  assert.equal(await call('write_file', changelog), 'denied');
  assert.equal(await call('read_file', { path: 'CHANGELOG.md' }), 'succeeded');
  assert.equal(await call('write_file', changelog), 'succeeded');

  console.log('\n--- One thing after the other, and not too often ---');
  const testers = { version: '2.0', audience: 'testers' };
  assert.equal(await call('release', testers), 'denied');
  assert.equal(await call('run_tests'), 'succeeded');
  assert.equal(await call('release', testers), 'succeeded');
  assert.equal(await call('run_tests'), 'succeeded');
  assert.equal(await call('run_tests'), 'denied');
  clock.advance(60_000);
  assert.equal(await call('run_tests'), 'succeeded');

  console.log('\n--- What a person has to approve, waits as JSON ---');
  const waiting: unknown = await app
    .invoke(rendered, 'release', { version: '2.0', audience: 'everybody' }, { session })
    .catch((error: unknown) => error);
  assert.ok(waiting instanceof ApprovalPendingError);
  const { pending } = waiting;
  console.log(`The call of ${pending.tool} waits for an approval.\n${JSON.stringify(pending.arguments)}`);
  writeFileSync(join(folder, 'pending.json'), JSON.stringify({ pending, session }));
  return pending;
}

async function secondProcess(folder: string, day: string): Promise<void> {
  clock.advance(Date.parse(day) - clock.now());
  const { app, rendered } = await open();
  const kept = JSON.parse(readFileSync(join(folder, 'pending.json'), 'utf8')) as {
    readonly pending: PendingCall;
    readonly session: unknown;
  };
  const session = Session.fromJSON(kept.session, { slices });
  // Policies are asked again, the approver is not: it has answered.
  const { kind, text } = await app.continueCall(rendered, kept.pending, { kind: 'approved' }, { session });
  console.log(`${kind}: ${text.split('\n', 1).join('')}`);
}

async function main(): Promise<void> {
  const [folder, day] = process.argv.slice(2);
  if (folder !== undefined && day !== undefined) return secondProcess(folder, day);

  const shared = mkdtempSync(join(tmpdir(), 'toolwright-sample-'));
  try {
    const { idempotencyKey } = await firstProcess(shared);
    const other = (date: string): string =>
      spawnSync(process.execPath, [__filename, shared, date], { encoding: 'utf8' }).stdout.trim();

    console.log('\n--- Another process has the answer; the policies are asked again ---');
    const onFriday = other('2030-01-04T12:00:00Z');
    const onMonday = other('2030-01-07T12:00:00Z');
    console.log(wrap(`Friday: ${onFriday}\nMonday: ${onMonday}`));
    assert.match(onFriday, /^denied: .*nothing is released on Fridays/);
    // The same call: a service receives the same idempotency key in both processes.
    const key = idempotencyKey.slice(0, 8);
    assert.equal(onMonday, `succeeded: Released 2.0 to everybody under ${key}.`);
  } finally {
    rmSync(shared, { recursive: true, force: true });
  }
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
