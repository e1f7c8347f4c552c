import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, Param } from 'toolwright';
import type { Approver, ToolPolicy } from 'toolwright/policies';
import { UNTOUCHED } from '../../../spec/dispatch/desk';
import { act, engineOfFile, kitOf, PATIENCE_MS, writer } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

class PathParams {
  @Param('Path') path!: string;
}

const removed: string[] = [];
const remove = defineTool({
  name: 'remove',
  description: 'Removes a file.',
  params: PathParams,
  requiresApproval: true,
  handler: ({ path }) => {
    removed.push(path);
    return `removed ${path}`;
  },
});

beforeEach(() => {
  removed.length = 0;
});

const onlyTemporary: Approver['approve'] = ({ params }) =>
  (params as PathParams).path.startsWith('/tmp/')
    ? { kind: 'approved' }
    : { kind: 'denied', reason: 'Only below /tmp.' };

describe('an approval within a program', () => {
  test('the approver is asked for each call within a program, with its own arguments', async () => {
    const asked: unknown[] = [];
    const { kit } = await kitOf([remove], { sandbox });
    const result = await kit.execute(
      `await remove({ path: '/tmp/a' });
      const alias = remove;
      for (const path of ['/tmp/b', '/etc/c']) {
        try { await alias(path) } catch (error) { console.log(error.name, error.message) }
      }
      await parallel([remove, { path: '/etc/d' }]).catch((error) => console.log(error.message));`,
      {
        approve: (call, context) => {
          asked.push((call.params as PathParams).path);
          return onlyTemporary(call, context);
        },
      },
    );
    expect(asked).toEqual(['/tmp/a', '/tmp/b', '/etc/c', '/etc/d']);
    expect(removed).toEqual(['/tmp/a', '/tmp/b']);
    expect(result).toMatchObject({ success: true, output: 'ToolError Only below /tmp.\nOnly below /tmp.\n' });
    expect(result.toolCalls.map(({ status }) => status)).toEqual(['ok', 'ok', 'denied', 'denied']);
  });

  test('an approval that is denied and not caught fails the program', async () => {
    const { desk, kit } = await kitOf([remove, writer('one')], { sandbox, approver: { approve: onlyTemporary } });
    const result = await kit.execute("await one();\nawait remove({ path: '/etc/passwd' });");
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'denied', message: 'Only below /tmp.', line: 2 } });
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('the approver is asked for retried code as well', async () => {
    const { kit } = await kitOf([remove], { sandbox, approver: { approve: onlyTemporary } });
    const result = await kit.execute("throw new Error('x')", {
      retry: { max: 1, handler: () => "await remove({ path: '/etc/passwd' })" },
    });
    expect(result).toMatchObject({ attempts: 2, error: { kind: 'denied' } });
    expect(removed).toEqual([]);
  });

  test('waiting for an approval does not count as the time of the program', async () => {
    const { kit } = await kitOf([remove], { sandbox, timeoutMs: 400 });
    const events: string[] = [];
    const result = await kit.execute("await remove({ path: '/tmp/a' });\nreturn 'done';", {
      approve: async () => {
        await sleep(900);
        return { kind: 'approved' };
      },
      onEvent: ({ kind }) => void events.push(kind),
    });
    expect(result).toMatchObject({ success: true, returnValue: 'done' });
    expect(events).toEqual(['tool_start', 'approval', 'tool_end', 'done']);
  });

  test('the approver is asked, and waited for, in calls of handlers as well', async () => {
    const tidy = act('tidy', async (context) => {
      const call = { id: 'inner', name: 'remove', arguments: { path: '/tmp/a' } };
      return (await context.callTool(call)).text;
    });
    const { desk, kit } = await kitOf([remove, tidy], { sandbox });
    expect(await kit.execute('await tidy()', { approve: onlyTemporary })).toMatchObject({
      returnValue: 'removed /tmp/a',
    });
    expect(await kit.execute('await tidy().catch(() => 0)')).toMatchObject({
      ...{ status: 'paused', toolCalls: [{ name: 'tidy', status: 'pending' }] },
    });
    expect(removed).toEqual(['/tmp/a']);
    expect(desk.events.slice(3)).toMatchObject([
      { name: 'tidy', kind: 'denied', result: null },
      { name: 'execute_program', kind: 'failed' },
    ]);
  });

  test('an approval within a program comes after the policies, whose reason the program gets', async () => {
    const closed: ToolPolicy = { name: 'closed', check: () => ({ allowed: false, reason: 'Closed until Monday.' }) };
    const { kit } = await kitOf([writer('one', { policies: [closed] })], { sandbox });
    const result = await kit.execute('await one()');
    expect(result).toMatchObject({ error: { kind: 'denied', message: 'Closed until Monday.' } });
  });
});

describe('a program without an approver', () => {
  test('a program without an approver pauses: everything is rolled back, and the log has the waiting call', async () => {
    const { desk, kit } = await kitOf([remove, writer('one')], { sandbox });
    const result = await kit.execute(
      "console.log('a');\nawait one();\nawait remove({ path: '/x' });\nconsole.log('b');",
    );
    expect(result).toMatchObject({
      success: false,
      status: 'paused',
      error: null,
      output: 'a\n',
      returnValue: undefined,
    });
    expect(result.toolCalls).toMatchObject([
      { name: 'one', status: 'ok', rolledBack: true },
      { name: 'remove', status: 'pending', args: { path: '/x' } },
    ]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(result.toModelText()).toContain('remove({"path":"/x"}) waits for an approval');
  });

  test('a program without an approver comes to the same call again when it is resumed, on what it had read', async () => {
    let reads = 0;
    const look = act('look', () => `/tmp/${String(++reads)}`, { hints: { readOnly: true } });
    const { desk, kit } = await kitOf([remove, look, writer('one')], { sandbox });
    const code = 'const path = await look();\nawait one();\nreturn await remove({ path });';
    const paused = await kit.execute(code, { approve: () => ({ kind: 'later' }) });
    expect(paused).toMatchObject({ status: 'paused', toolCalls: [{}, {}, { args: { path: '/tmp/1' } }] });
    const kept = JSON.parse(JSON.stringify(paused)) as typeof paused;
    const done = await kit.execute(code, { approve: onlyTemporary, resume: kept });
    expect(done).toMatchObject({ success: true, returnValue: 'removed /tmp/1' });
    expect(reads).toBe(1);
    expect(desk.state().notes).toEqual(['first', 'one']);
    expect(done.toolCalls.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  });

  test.each<[string, object]>([
    ...[null, {}, { toolCalls: null }, { toolCalls: 'x' }, { toolCalls: [null] }, { toolCalls: [{}] }].map(
      (resume): [string, object] => [`resume: ${JSON.stringify(resume)}`, { resume }],
    ),
    ['the calls of something else', { resume: { toolCalls: [{ name: 'one', arguments: {}, status: 'succeeded' }] } }],
    ['a result that is not JSON', { resume: { toolCalls: [{ name: 'one', args: {}, status: 'ok', result: 1n }] } }],
    ['an approver that is none', { approve: 'yes' }],
    ['a session that is none', { session: null }],
  ])('a program without an approver refuses what it cannot use, and runs nothing: %s', async (_what, options) => {
    const { kit } = await kitOf([remove], { sandbox });
    const given = options as Parameters<typeof kit.execute>[1];
    const code = "await remove({ path: '/tmp/a' })";
    const [name] = Object.keys(options);
    await expect(kit.execute(code, given)).rejects.toThrow(new RegExp(`E413.*${String(name)}`, 's'));
    await expect(kit.stream(code, given).next()).rejects.toThrow(/E413/);
    expect(removed).toEqual([]);
  });

  test('an approver that throws denies', async () => {
    const { kit } = await kitOf([remove], { sandbox });
    const result = await kit.execute("await remove({ path: '/tmp/a' })", {
      approve: () => {
        throw new Error('the queue is down');
      },
    });
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'denied' } });
    expect(removed).toEqual([]);
  });
});
