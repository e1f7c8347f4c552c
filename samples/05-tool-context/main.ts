// A handler receives more than its arguments: state, resources, time, the signal, other tools, and a log. It may return more than
// text: an image.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  createApplication,
  Ctx,
  Deadline,
  type Logger,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolResult,
  TransactionClosedError,
} from 'toolwright';
import type { CallContext } from 'toolwright/policies';
import { FakeClock, ScriptedModel } from 'toolwright/testing';

class ParcelSent {
  constructor(
    readonly id: string,
    readonly town: string,
    readonly at: string,
  ) {}
}

/** A resource of the whole application: there is one instance. */
class Tariff {
  centsTo(town: string): number {
    return town === 'Ulm' ? 200 : 700;
  }
}

/** A resource of one call: created when it is first requested, and again in the next call. */
class Scale {
  weighed = 0;
}

// A handler that outlives its call must not change anything any more; this one is kept to show it.
let kept: ToolContext | undefined;

@Section({ title: 'Parcels' })
class ParcelsSection {
  @Tool('Send a parcel.')
  async sendParcel(@Param('town', 'Where to') town: string, context: ToolContext): Promise<ToolResult> {
    // Another tool, called as a model calls it: arguments are checked, and its failure is an outcome.
    const price = await context.callTool({ id: context.newId(), name: 'price', arguments: { town } });
    if (!price.result.success) return ToolResult.error(`Not sent. ${price.text}`);
    const id = context.newId(); // ids and the time come from the application, so that a test can set them
    context.session.dispatch(new ParcelSent(id, town, new Date(context.now()).toISOString()));
    context.logger.info(`${context.call.name}, call ${context.call.id}: ${town}`);
    kept = context;
    return ToolResult.ok(null, `Sent ${id} for ${price.text}.`);
  }

  @Tool({ description: 'Say what a parcel costs.', hints: { readOnly: true } })
  price(@Param('town', 'Where to') town: string, context: ToolContext): string {
    if (town === '') throw new RangeError('there is no town without a name');
    const scale = context.resources.get(Scale);
    scale.weighed++;
    assert.equal(scale.weighed, 1); // never the scale of another call
    return `${context.resources.get(Tariff).centsTo(town)} cents`;
  }

  // @Ctx marks the context where its type is not emitted: here it is an interface.
  @Tool({ description: 'List what was sent.', hints: { readOnly: true } })
  listParcels(@Ctx() context: CallContext): string {
    return context.session
      .slice(ParcelSent)
      .all()
      .map(({ id, town, at }) => `${id} to ${town} at ${at}`)
      .join('\n');
  }

  // The deadline belongs to the run. It shows the remaining time; the signal says when to stop.
  @Tool('Wait for the van.')
  async awaitVan(context: ToolContext): Promise<string> {
    const left = context.deadline?.remaining ?? Infinity;
    if (left < 60_000) return 'The van takes a minute, and there is less left. Ask again in another run.';
    await sleep(60_000, undefined, { signal: context.signal });
    return 'It is here.';
  }

  // Parts follow the text of a result. Events and transcripts describe them, without the bytes.
  @Tool({ description: 'Draw the label of a parcel.', hints: { readOnly: true } })
  drawLabel(@Param('id', 'Which parcel') id: string): ToolResult {
    const data = Buffer.from(`the picture of ${id}`).toString('base64');
    return ToolResult.ok(null, `The label of ${id}.`, { parts: [{ kind: 'image', mediaType: 'image/png', data }] });
  }

  @Tool({ description: 'Look around.', hints: { readOnly: true } })
  lookAround(context: ToolContext): string {
    const tools = context.renderedPrompt?.tools.map(({ name }) => name).join(', ') ?? 'none';
    return `${context.prompt.key}: ${context.prompt.sections.map(({ path }) => path).join(', ')}; tools: ${tools}`;
  }
}

@Prompt({ ns: 'samples', key: 'parcels', sections: [ParcelsSection] })
class Parcels {}

async function main(): Promise<void> {
  const log: string[] = [];
  const note = (message: string): void => void log.push(message);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  let number = 0;
  const app = await createApplication({
    prompts: [Parcels],
    resources: [bind(Tariff, { value: new Tariff() }), bind(Scale, { scope: 'toolCall', provide: () => new Scale() })],
    logger,
    clock: new FakeClock(Date.UTC(2030, 4, 1, 12)),
    ids: () => `id-${++number}`,
  });
  const session = new Session();
  const rendered = await app.prompt(Parcels).render({ session });
  const call = async (name: string, args: Record<string, unknown> = {}, deadline?: Deadline): Promise<string> => {
    const outcome = await app.invoke(rendered, name, args, { session, deadline });
    console.log(`--- ${name} -> ${outcome.kind} ---\n${wrap(outcome.text)}\n`);
    return outcome.text;
  };

  assert.equal(await call('send_parcel', { town: 'Ulm' }), 'Sent id-3 for 200 cents.');
  assert.equal(await call('send_parcel', { town: 'Rome' }), 'Sent id-6 for 700 cents.');
  assert.match(await call('send_parcel', { town: '' }), /^Not sent\. .*there is no town without a name/s);
  assert.equal(
    await call('list_parcels'),
    'id-3 to Ulm at 2030-05-01T12:00:00.000Z\nid-6 to Rome at 2030-05-01T12:00:00.000Z',
  );
  assert.match(await call('look_around'), /^parcels: parcels; tools: send_parcel, price,/);
  assert.match(await call('await_van', {}, Deadline.in(5_000)), /there is less left/);

  console.log('--- A file for the model, and an image from a tool ---');
  const letter = { kind: 'file', mediaType: 'application/pdf', name: 'letter.pdf', data: 'JVBERi0=' } as const;
  const adapter = new ScriptedModel([
    { toolCalls: [{ id: 'c-1', name: 'draw_label', arguments: { id: 'id-3' } }] },
    ({ messages }) => ({
      text: messages.map((message) => ('parts' in message ? message.parts?.[0]?.kind : '')).join(''),
    }),
  ]);
  const question = { role: 'user', content: 'Is this what the label says?', parts: [letter] } as const;
  const { text, transcript } = await app.evaluate(rendered, { adapter, session, messages: [question] });
  const [described] = transcript.flatMap((message) => (message.role === 'tool' ? (message.parts ?? []) : []));
  console.log(
    `the model got: ${text ?? ''}\nthe transcript has: ${described?.kind === 'text' ? described.text : ''}\n`,
  );
  assert.equal(text, 'fileimage');

  console.log('--- The caller gives up: the signal ends the waiting ---');
  const controller = new AbortController();
  const waiting = app.invoke(rendered, 'await_van', {}, { session, signal: controller.signal });
  setTimeout(() => controller.abort(new Error('the user left')), 20);
  const reason: unknown = await waiting.catch((error: unknown) => error);
  console.log(`${String(reason)}\n`);
  assert.equal(String(reason), 'Error: the user left');

  console.log('--- A context is over with its call ---');
  assert.throws(
    () => kept?.session.dispatch(new ParcelSent('id-9', 'Oslo', 'too late')),
    (error: unknown) => {
      assert.ok(error instanceof TransactionClosedError);
      console.log(`${wrap(error.message)}\n`);
      return true;
    },
  );

  console.log('--- The log ---');
  console.log(log.join('\n'));
  assert.equal(log[0], 'send_parcel, call id-1: Ulm');
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
