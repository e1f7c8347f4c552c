// A program with calls that a person has to approve: asked for each call, with its real arguments.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { defineTool, Param, Session, type ToolContext } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { type ExecutionResult, Toolkit } from '@toolwright/programs';

/** A file that is gone. */
class Deleted {
  constructor(readonly path: string) {}
}

class PathParams {
  @Param('Path of the file') path!: string;
}

const listFiles = defineTool({
  name: 'list_files',
  description: 'Paths of all files.',
  hints: { readOnly: true },
  result: { array: String },
  handler: (_params: unknown, { session }: ToolContext) => {
    const gone = session.slice(Deleted).all();
    return ['/tmp/a.log', '/tmp/b.log', '/etc/hosts'].filter((path) => gone.every((deleted) => deleted.path !== path));
  },
});

const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete a file.',
  params: PathParams,
  requiresApproval: true,
  handler: ({ path }, { session }) => {
    session.dispatch(new Deleted(path));
    return `Deleted ${path}.`;
  },
});

// An alias hides nothing: approval is asked for the call.
const code = `const remove = delete_file;
const kept: string[] = [];
for (const path of await list_files()) {
  try { await remove({ path }); } catch (error) { kept.push(path); console.log(error.message); }
}
return kept;`;

const onlyLogs: Approver['approve'] = ({ params }) =>
  (params as PathParams).path.endsWith('.log')
    ? { kind: 'approved' }
    : { kind: 'denied', reason: 'Only logs may be deleted.' };

async function main(): Promise<void> {
  const session = new Session();
  await using kit = await Toolkit.from([listFiles, deleteFile], { session });
  const gone = (): readonly string[] =>
    session
      .slice(Deleted)
      .all()
      .map(({ path }) => path);

  // There is no approver: the program is rolled back, and the pending call is in the log.
  const paused = await kit.execute(code);
  console.log(`--- ${paused.status} ---\n${paused.toModelText()}`);
  assert.equal(paused.status, 'paused');
  assert.deepEqual(gone(), []);

  // Hours later, perhaps in another process, a person decides. The program starts again, and its earlier reads return the same results.
  const kept = JSON.parse(JSON.stringify(paused)) as ExecutionResult;
  const events: string[] = [];
  const done = await kit.execute(code, {
    resume: kept,
    approve: onlyLogs,
    onEvent: (event) => {
      if (event.kind === 'approval') events.push(`asked: ${event.call.name} ${JSON.stringify(event.call.args)}`);
    },
  });
  console.log(`\n--- ${done.status} ---\n${events.join('\n')}\n\n${done.toModelText()}`);
  assert.deepEqual(done.returnValue, ['/etc/hosts']);
  assert.deepEqual(gone(), ['/tmp/a.log', '/tmp/b.log']);
  assert.deepEqual(
    done.toolCalls.map(({ status }) => status),
    ['ok', 'ok', 'ok', 'denied'],
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
