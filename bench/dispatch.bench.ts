// Measures the transactional dispatch of a call with eight fields, as a ratio to the least cost of any tool call: JSON.parse, a
// compiled Ajv schema, and the handler. It measures a valid call and a call with four mistakes, whether the costs of a call and of a
// rollback grow with the session, and the costs of a tiny call, of a policy, a refusal and an idempotency key, and of watching the time
// of checks by another library.
import 'reflect-metadata';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type JsonSchema,
  type Logger,
  Session,
  type ToolOutcome,
} from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';
import type { StandardSchema } from 'toolwright/schema';
import { measure, type Contender, type Measured } from './harness/measure.js';
import { measureBytes } from './harness/measureBytes.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';
import { createBareCall, createBareKey, createBarePolicy } from './tasks/bareCall.js';
import { Archive, Count, Orders } from './tasks/orderTools.js';
import { mistaken, mistakes, place, Placed, placedText, PlaceOrderParams, valid } from './tasks/placeOrder.js';

const [text, wrong, tiny] = [JSON.stringify(valid), JSON.stringify(mistaken), JSON.stringify({ i: 21 })];
const SHA256_DIGITS = 64;
const report = new Report('dispatch');

async function main(): Promise<void> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Orders], logger: quiet });
  const rendered = await app.prompt(Orders).render();
  const schemas = new Map(rendered.toolSchemas('json-schema').map(({ name, parameters }) => [name, parameters]));
  const schema = schemas.get('place_order') ?? {};
  const fresh = new Session();
  const dispatch = async (session: Session, name: string, args: string): Promise<ToolOutcome> =>
    app.callTool(rendered, { id: 'c1', name, arguments: args }, { session });

  await compare(schema, async (args) => (await dispatch(fresh, 'place_order', args)).text);
  await compareKinds(schemas, async (name, args) => dispatch(fresh, name, args));
  await compareTimed(schema, async (name) => dispatch(fresh, name, text));
  await compareWatched(schema, quiet);
  await measureGrowth(async (session, name) => dispatch(session, name, text));
  report.keep();
}

/** Compares contenders that take JSON text and return the text that the model reads. */
async function compare(schema: object, toolwright: (args: string) => Promise<string>): Promise<void> {
  const validate = new Ajv2020({ allErrors: true }).compile<PlaceOrderParams>(schema);
  const all: Readonly<Record<string, (args: string) => unknown>> = {
    floor: async (args: string) => floor(validate, args),
    toolwright,
    ...(await peersOf('dispatch', { schema, place })).contenders,
  };
  await assertSame(bindArguments(all, text), placedText);
  const bound = { valid: 2.1, mistaken: 8 };
  let reporting: readonly string[] = [];
  for (const [kind, args] of [
    ['valid', text],
    ['mistaken', wrong],
  ] as const) {
    if (kind === 'mistaken') reporting = await findReportingPeers(bindArguments(all, args));
    const measured = await measure(bindArguments(all, args));
    for (const name of Object.keys(all).filter((each) => each !== 'floor'))
      report.add(
        `${kind} call, ${name} / floor`,
        measured.ratio(name, 'floor'),
        'x',
        name === 'toolwright' ? bound[kind] : undefined,
      );
    if (kind === 'valid') compareWithValidation(measured);
    else compareWithPeers(measured, reporting);
    report.add(`${kind} call, floor`, measured.time('floor'), 'ms');
  }
}

/** Compares kinds of calls with a plain one, and plain ones with the floor and the least work that keeps the same promises. */
async function compareKinds(
  schemas: ReadonlyMap<string, object>,
  run: (name: string, args: string) => Promise<ToolOutcome>,
): Promise<void> {
  const compile = <T>(name: string): ValidateFunction<T> =>
    new Ajv2020({ allErrors: true }).compile<T>(schemas.get(name) ?? {});
  const [validate, validateTiny] = [compile<PlaceOrderParams>('place_order'), compile<Count>('double')];
  const bare = createBareCall('place_order', { type: PlaceOrderParams, validate, handler: place });
  const double = ({ i }: Count): number => 2 * i;
  const bareTiny = createBareCall('double', { type: Count, validate: validateTiny, handler: double });
  const askPolicy = createBarePolicy('place_order', () => ({ allowed: true }));
  const plain = succeeding(() => run('place_order', text));
  const contenders = {
    floor: async () => floor(validate, text),
    bare: () => bare(text),
    plain,
    policy: succeeding(() => run('place_allowed', text)),
    policyBound: async () => {
      await plain();
      await askPolicy(text, valid);
    },
    denied: succeeding(() => run('place_denied', text), 'denied'),
    refused: succeeding(() => run('place_refused', text), 'failed'),
    key: succeeding(() => run('place_once', text)),
    keyBound: async () => {
      await plain();
      if (createBareKey('run', 'place_order', text).length !== SHA256_DIGITS) throw new TypeError('no key');
    },
    tinyFloor: async () => {
      const value: unknown = JSON.parse(tiny);
      return validateTiny(value) ? JSON.stringify(double(value)) : '';
    },
    tinyBare: () => bareTiny(tiny),
    tiny: succeeding(() => run('double', tiny)),
  };
  const { tinyFloor, tinyBare } = contenders;
  await assertSame({ tinyFloor, tinyBare, tiny: async () => (await run('double', tiny)).text }, '42');
  const measured = await measure(contenders);
  for (const [what, of, to, bound] of [
    ['tiny call, toolwright / floor', 'tiny', 'tinyFloor', 8],
    ['tiny call, least work with the same promises / floor', 'tinyBare', 'tinyFloor', undefined],
    ['valid call, least work with the same promises / floor', 'bare', 'floor', undefined],
    ['call with a policy / plain call', 'policy', 'plain', 1.9],
    ['bound: a plain call and the least work of a policy / plain call', 'policyBound', 'plain', undefined],
    ['call that a policy denies / plain call', 'denied', 'plain', 1.6],
    ['call that the handler refuses / plain call', 'refused', 'plain', 1.2],
    ['call with an idempotency key / plain call', 'key', 'plain', 2.9],
    ['bound: a plain call and the least work of a key / plain call', 'keyBound', 'plain', undefined],
  ] as const)
    report.add(what, measured.ratio(of, to), 'x', bound);
  const { tiny: tinyCall, bare: bareCall, policy, refused, key } = contenders;
  const bytes = await measureBytes({ tiny: tinyCall, plain, bare: bareCall, policy, refused, key });
  report.add('tiny call, allocated', bytes.bytes('tiny'), 'B', 3_000);
  report.add('valid call, allocated', bytes.bytes('plain'), 'B', 3_800);
  report.add('valid call, least work with the same promises, allocated', bytes.bytes('bare'), 'B');
  report.add('call with a policy, allocated', bytes.bytes('policy'), 'B', 9_000);
  report.add('call that the handler refuses, allocated', bytes.bytes('refused'), 'B', 4_800);
  report.add('call with an idempotency key, allocated', bytes.bytes('key'), 'B', 12_000);
}

/** Compares the whole transaction with a peer that only checks the arguments. */
function compareWithValidation(measured: Measured<string>): void {
  const peer = 'AI SDK 7, validation only';
  if (measured.has(peer)) report.add(`valid call, toolwright / ${peer}`, measured.ratio('toolwright', peer), 'x', 0.7);
}

/** Compares with the peers that name the wrong fields; the others do less work. */
function compareWithPeers(measured: Measured<string>, reporting: readonly string[]): void {
  for (const name of reporting)
    report.add(`mistaken call, toolwright / ${name}`, measured.ratio('toolwright', name), 'x', 1);
}

function floor(validate: ValidateFunction<PlaceOrderParams>, args: string): string {
  const value: unknown = JSON.parse(args);
  if (validate(value)) return JSON.stringify(place(value));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`).join('\n');
}

function bindArguments(
  all: Readonly<Record<string, (args: string) => unknown>>,
  args: string,
): Record<string, Contender> {
  return Object.fromEntries(Object.entries(all).map(([name, run]) => [name, () => run(args)]));
}

/** Finds the peers that name every wrong field, and prints the others. */
async function findReportingPeers(contenders: Readonly<Record<string, Contender>>): Promise<readonly string[]> {
  const naming: string[] = [];
  for (const [name, run] of Object.entries(contenders)) {
    const said = String(await run());
    if (said === placedText) throw new TypeError(`${name} takes a call with mistakes`);
    const missing = mistakes.filter((field) => !said.includes(field));
    if (missing.length > 0) console.log(`(${name} does not name ${missing.join(', ')})`);
    else if (name !== 'floor' && name !== 'toolwright') naming.push(name);
  }
  return naming;
}

async function compareTimed(schema: object, run: (name: string) => Promise<ToolOutcome>): Promise<void> {
  const validate = new Ajv2020().compile<PlaceOrderParams>(schema);
  const measured = await measure({
    floor: async () => floor(validate, text),
    timed: succeeding(() => run('place_in_time')),
  });
  report.add('valid call with timeoutMs / floor', measured.ratio('timed', 'floor'), 'x', 4);
}

/** Compares a schema of `jsonSchema()` with the same schema from another library, the checks of which are watched. */
async function compareWatched(schema: object, logger: Logger): Promise<void> {
  // With a pattern, the schema of jsonSchema() is watched as well.
  const withoutPatterns = JSON.stringify(schema, (key, value: unknown) => (key === 'pattern' ? undefined : value));
  const own = jsonSchema<PlaceOrderParams>(JSON.parse(withoutPatterns) as JsonSchema);
  const foreign: StandardSchema<unknown, PlaceOrderParams> = { '~standard': { ...own['~standard'], vendor: 'bench' } };
  const toolOf = (name: string, params: StandardSchema<unknown, PlaceOrderParams>) =>
    defineTool({ name, description: 'Place an order.', params, handler: place });
  const tools = [toolOf('own', own), toolOf('foreign', foreign)];
  const prompt = definePrompt({
    ns: 'bench',
    key: 'watched',
    sections: [defineSection({ key: 'w', title: 'W', tools })],
  });
  const app = await createApplication({ prompts: [prompt], logger });
  const rendered = await app.prompt(prompt).render();
  const session = new Session();
  const call = (name: string): Contender =>
    succeeding(() => app.callTool(rendered, { id: 'c1', name, arguments: text }, { session }));
  const measured = await measure({ own: call('own'), foreign: call('foreign') });
  report.add('valid call, jsonSchema(), not watched', measured.time('own'), 'ms');
  report.add('valid call, the same schema, watched', measured.time('foreign'), 'ms');
}

async function measureGrowth(dispatch: (session: Session, name: string) => Promise<ToolOutcome>): Promise<void> {
  const note = (session: Session): Contender => succeeding(() => dispatch(session, 'note_order'));
  const refuse = (session: Session): Contender => succeeding(() => dispatch(session, 'refuse_order'), 'failed');
  const sessions = [1, 100, 1_000, 10_000].map(() => sessionWith(0));
  for (const [index, calls] of [1, 100, 1_000, 10_000].entries())
    for (let call = 0; call < calls; call++) await note(sessions[index]!)();
  const [young, hundred, thousand, old] = sessions as [Session, Session, Session, Session];
  const [small, middle, large] = [sessionWith(1_000), sessionWith(100_000), sessionWith(10_000_000)];
  const measured = await measure({
    young: keptAt(young, 1, note(young)),
    hundred: keptAt(hundred, 100, note(hundred)),
    thousand: keptAt(thousand, 1_000, note(thousand)),
    old: note(old),
    small: keptAt(small, 1, note(small)),
    middle: keptAt(middle, 1, note(middle)),
    large: keptAt(large, 1, note(large)),
    smallRollback: refuse(small),
    largeRollback: refuse(large),
  });
  for (const [what, of, to] of [
    ['after 100 calls in the session / after none', 'hundred', 'young'],
    ['after 1,000 calls / after none', 'thousand', 'young'],
    ['after 10,000 calls / after none', 'old', 'young'],
    ['with 100 kB of state / 1 kB', 'middle', 'small'],
    ['with 10 MB of state / 1 kB', 'large', 'small'],
    ['rollback with 10 MB of state / 1 kB', 'largeRollback', 'smallRollback'],
  ] as const)
    report.add(`call with an event, ${what}`, measured.ratio(of, to), 'x', 1.2);
}

function succeeding(run: () => Promise<ToolOutcome>, kind = 'succeeded'): Contender {
  return async () => {
    const outcome = await run();
    if (outcome.kind !== kind) throw new TypeError(outcome.text);
  };
}

/** Creates a session that records orders, and holds an archive of a given size. */
function sessionWith(bytes: number): Session {
  const session = new Session();
  session.slice(Placed).register(Placed, (_view, event) => ({ kind: 'append', value: event }));
  session.install(Archive);
  if (bytes > 0)
    session.slice(Archive).seed(new Archive(Array.from({ length: bytes / 1_000 }, () => 'x'.repeat(1_000))));
  return session;
}

/** Resets the slice to its size every hundred calls, because the measurement itself makes it grow. */
function keptAt(session: Session, size: number, run: Contender): Contender {
  const kept = Array.from({ length: size }, () => new Placed('c_1', 1));
  let calls = 0;
  return () => {
    if (++calls % 100 === 0) session.slice(Placed).seed(kept);
    return run();
  };
}

void main();
