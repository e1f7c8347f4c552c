// A refund waits for a person in Slack. Forged, replayed and doubled presses change nothing.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { SlackApprovals } from './SlackApprovals.js';
import { SlackDouble } from './SlackDouble.js';

const refunds: number[] = [];

class RefundParams {
  @Param({ description: 'In euro', integer: true, min: 1 })
  amount!: number;
}

@Section({ title: 'Refunds', template: 'Refund what the customer paid.' })
class Refunds {
  @Tool({ description: 'Refund an amount.', requiresApproval: true })
  refund({ amount }: RefundParams): string {
    refunds.push(amount);
    return `Refunded ${String(amount)} euro.`;
  }
}

@Prompt({ ns: 'samples', key: 'slack', sections: [Refunds] })
class Desk {}

const secret = 'signing-secret';
const failures: string[] = [];

async function main(): Promise<void> {
  const script = [{ toolCalls: [{ name: 'refund', arguments: { amount: 40 } }] }, { text: 'Done.' }];
  const app = await createApplication({ prompts: [Desk], approver: { approve: () => ({ kind: 'later' }) } });
  const runs = await openRuns(app, {
    store: new MemoryRuns(),
    prepare: () => ({ prompt: Desk, adapter: new ScriptedModel(script, { by: 'position' }) }),
  });
  const slack = await SlackDouble.start();
  const approvals = new SlackApprovals(runs, {
    api: slack.url,
    token: 'xoxb-test',
    channel: 'C1',
    signingSecret: secret,
    mayDecide: (user) => user === 'U-ADA',
    onError: (error) => failures.push(String(error)),
  });

  const run = await runs.start({ id: 'r-1', messages: [{ role: 'user', content: 'Refund 40 euro.' }] });
  // The stream ends with the questions that the run waits for.
  for await (const event of run.stream()) if (event.kind === 'question') break;
  await approvals.post('r-1');
  const { text, blocks } = await slack.waitForMessage(1);
  console.log(text);
  const value = blocks?.[1]?.elements?.[0]?.value ?? '';

  const approve = { user: 'U-ADA', action: 'approve', value, secret } as const;
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  const send = async (request: Request): Promise<number> => (await approvals.handle(request)).status;
  console.log(`forged: ${String(await send(slack.press({ ...approve, secret: 'guessed' })))}`);
  console.log(`an hour old: ${String(await send(slack.press({ ...approve, timestamp: hourAgo })))}`);
  for (const malformed of ['no JSON', 'null', '{"run":1}'])
    assert.equal(await send(slack.press({ ...approve, value: malformed })), 400);
  console.log('a malformed button: 400');

  await send(slack.press({ ...approve, user: 'U-EVE' }));
  // The second message is the first answer, so none of the requests above was answered in the channel.
  console.log(`another person: ${(await slack.waitForMessage(2)).text}`);
  assert.equal((await runs.questions()).length, 1);

  // The message in the payload says 4 euro: it is not read, so the call of the record runs. Slack refuses the message about the
  // decision, which is stored nevertheless.
  slack.status = 500;
  const pressed = slack.press({ ...approve, text: 'May refund run with {"amount":4}?' });
  const replayed = pressed.clone();
  console.log(`approved during an outage: ${String(await send(pressed))}`);
  console.log((await slack.waitForMessage(3)).text);
  console.log((await run.result()).text);
  slack.status = 200;
  await send(replayed);
  console.log(`replayed: ${(await slack.waitForMessage(4)).text}`);
  await send(slack.press({ ...approve, action: 'deny' }));
  console.log(`pressed again: ${(await slack.waitForMessage(5)).text}`);
  assert.deepEqual(refunds, [40]);
  assert.deepEqual(failures, ['Error: Slack refused the message about a decision: status 500.']);

  await runs.drain(1_000);
  await slack.stop();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
