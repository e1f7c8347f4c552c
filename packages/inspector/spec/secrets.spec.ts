import { ApprovalInbox, serveInspector } from '@toolwright/inspector';
import { ScriptedModel } from 'toolwright/testing';
import { describeDoors } from '../../../spec/secrets/describeDoors';
import { CALLS, GIVEN, openSecretDesk, textOf } from '../../../spec/secrets/secretDesk';
import { ask, authorization, rowsOf, tell } from './client';

const user = [{ role: 'user', content: 'Sign me in.' }] as const;

/** Reads a stream of the inspector until a text is in it. */
async function inboxOf(inspector: Awaited<ReturnType<typeof serveInspector>>, until: string): Promise<string> {
  const { origin } = new URL(inspector.url);
  const { body } = await fetch(`${origin}/api/approvals`, { headers: authorization(inspector) });
  let text = '';
  for await (const part of body as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(part);
    if (text.includes(until)) break;
  }
  return text;
}

async function inspectors() {
  const approvals = new ApprovalInbox();
  const { app, prompt, newSession } = await openSecretDesk({ approver: approvals, repair: 'on' });
  const inspector = await serveInspector({ app }, { allowCalls: true, approvals, newSession });
  await app.evaluate(prompt, {
    adapter: new ScriptedModel([{ text: 'I do.', toolCalls: CALLS }, { text: 'Done.' }]),
    session: newSession(),
    messages: user,
  });
  const rows = await rowsOf(inspector, 'live');
  const points = await ask(inspector, 'points?source=live');
  const details = [];
  const states = [];
  for (const { seq } of rows) {
    details.push(await ask(inspector, `entry?source=live&seq=${String(seq)}`));
    states.push(await ask(inspector, `state?source=live&seq=${String(seq)}`));
  }
  const bundle = await ask(inspector, 'bundle');
  const asked = { prompt: 'spec/secrets', tool: 'sign_in', params: {}, visibility: {} };
  const tried = await tell(inspector, 'rehearse', { ...asked, arguments: JSON.stringify(GIVEN) });
  const calling = app.callTool(
    await prompt.render(),
    { id: 'c9', name: 'sign_in_asked', arguments: GIVEN },
    { session: newSession() },
  );
  const inbox = await inboxOf(inspector, '"changed"');
  const [waiting] = approvals.waiting;
  await tell(inspector, 'approve', { id: waiting?.id, kind: 'denied', reason: 'no' });
  await calling;
  await inspector.close();
  return {
    'the rows of the inspector': textOf([rows, points]),
    'the entries of the inspector': textOf(details),
    'the state in the inspector': textOf(states),
    'the bundle of the inspector': textOf(bundle),
    'a rehearsal in the inspector': textOf(tried),
    'the inbox of the inspector': inbox,
  };
}

describeDoors(inspectors, [
  'the rows of the inspector',
  'the entries of the inspector',
  'the state in the inspector',
  'the bundle of the inspector',
  'a rehearsal in the inspector',
  'the inbox of the inspector',
]);
