// Approvals over plain HTTP, in any process that opens the runs: start a run, list what waits, answer it once.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { ToolwrightError } from 'toolwright';
import type { Runs } from '@toolwright/durable';

/** Finds the user by a token or a cookie. Never take the tenant from the path or the body. */
type Authenticate = (request: IncomingMessage) => { readonly tenant: string; readonly user: string } | undefined;
type Answer = readonly [status: number, body: unknown];
const MAX_BODY_BYTES = 10_000;
const STATUSES: Readonly<Record<string, number>> = { E412: 400, E735: 400, E709: 404, E738: 404, E739: 409 };

async function answer(allRuns: Runs, authenticate: Authenticate, request: IncomingMessage): Promise<Answer> {
  const caller = authenticate(request);
  if (caller === undefined) return [401, 'Send the token of a user.'];
  const runs = allRuns.forTenant(caller.tenant);
  const [, list, run = '', , question = ''] = (request.url ?? '').split('/').map(decodeURIComponent);
  if (request.method === 'GET' && list === 'questions') return [200, await runs.questions()];
  if (request.method !== 'POST' || list !== 'runs') return [404, 'There is no such path.'];
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES)) return [413, 'The body is too long.'];
  const given = Object(await json(request)) as Record<string, string>;
  const { id = '', message: content = '', kind, reason = 'A person denied it.' } = given;
  if (run === '') return [202, await (await runs.start({ id, messages: [{ role: 'user', content }] })).record()];
  if (kind !== 'approved' && kind !== 'denied') return [400, 'Expected kind as approved or denied.'];
  const by = caller.user;
  const taken = await runs.reply(run, question, kind === 'approved' ? { kind, by } : { kind, by, reason });
  return taken === 'taken' ? [200, kind] : [409, 'The question was answered before, or its run has ended.'];
}

export function serveApprovals(runs: Runs, authenticate: Authenticate): Server {
  return createServer(async (request, response) => {
    const [status, body] = await answer(runs, authenticate, request).catch((error: unknown): Answer => {
      const isMalformed = error instanceof SyntaxError || error instanceof URIError;
      const known = error instanceof ToolwrightError ? STATUSES[error.code] : isMalformed ? 400 : undefined;
      return known === undefined ? [500, 'The request failed.'] : [known, String(error)];
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

// ---
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { type OpenQuestion, openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';

const refunds: number[] = [];

@Section({ title: 'Refunds', template: 'Refund what the customer paid.' })
class Refunds {
  @Tool({ description: 'Refund an amount.', requiresApproval: true })
  refund(@Param('amount', 'In euro') amount: number): string {
    refunds.push(amount);
    return `Refunded ${String(amount)} euro.`;
  }
}

@Prompt({ ns: 'recipes', key: 'refunds', sections: [Refunds] })
class Desk {}

/** Opens the runs. Each process has the same keys, because an approval is signed. */
async function openDesk(path: string, work: boolean): Promise<Runs> {
  const approver = { approve: () => ({ kind: 'later' }) as const };
  const app = await createApplication({ prompts: [Desk], approver, keys: ['a key of at least 32 characters: ...'] });
  const script = [{ toolCalls: [{ name: 'refund', arguments: { amount: 40 } }] }, { text: 'Done.' }];
  const prepare = () => ({ prompt: Desk, adapter: new ScriptedModel(script, { by: 'position' }) });
  return openRuns(app, { store: new SqliteRuns(path), work, pollMs: 20, prepare });
}

/** The process of the back office, which executes no runs. Users are known by their tokens. */
async function serve(path: string): Promise<void> {
  process.once('disconnect', () => process.exit());
  const users = new Map([
    ['Bearer ada', { tenant: 'acme', user: 'ada' }],
    ['Bearer eve', { tenant: 'other', user: 'eve' }],
  ]);
  const server = serveApprovals(await openDesk(path, false), ({ headers }) => users.get(headers.authorization ?? ''));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'approvals-'));
  const path = join(folder, 'runs.sqlite');
  const runs = await openDesk(path, true);
  const office = fork(process.argv[1] ?? '', [path]);
  const [port] = (await once(office, 'message')) as [number];
  const send = async (token: string, place: string, body?: object): Promise<{ status: number; said: unknown }> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${place}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, said: await response.json() };
  };
  try {
    assert.equal((await send('guessed', '/questions')).status, 401);
    assert.equal((await send('ada', '/runs', { id: 'r-1', message: 'Refund 40 euro.' })).status, 202);
    let open: OpenQuestion[] = [];
    while (open.length === 0) open = (await send('ada', '/questions')).said as OpenQuestion[];
    assert.deepEqual(
      open.map(({ run, name, arguments: given }) => [run, name, given]),
      [['r-1', 'refund', { amount: 40 }]],
    );
    const place = `/runs/r-1/questions/${encodeURIComponent(open[0]?.id ?? '')}`;
    // Neither the list nor the question exists for the user of another tenant.
    assert.deepEqual((await send('eve', '/questions')).said, []);
    assert.equal((await send('eve', place, { kind: 'approved' })).status, 404);
    assert.equal((await send('ada', '/runs/r-1/questions/guessed', { kind: 'approved' })).status, 404);
    assert.equal((await send('ada', place, { kind: 'x'.repeat(20_000) })).status, 413);
    assert.equal((await send('ada', place, { kind: 'lifted' })).status, 400);
    assert.deepEqual(await send('ada', place, { kind: 'approved' }), { status: 200, said: 'approved' });
    assert.equal((await send('ada', place, { kind: 'denied' })).status, 409);
    const run = await runs.forTenant('acme').run('r-1');
    assert.equal((await run.result()).text, 'Done.');
    assert.deepEqual(refunds, [40]);
  } finally {
    office.kill();
    await runs.drain(1_000);
    rmSync(folder, { recursive: true, force: true });
  }
  console.log('The question was answered once, from another process.');
}

const [path] = process.argv.slice(2);
await (path === undefined ? main() : serve(path));
