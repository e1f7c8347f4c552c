import type { Logger } from 'toolwright';
import { InProcessEventBus } from 'toolwright/events';
import { publishTo } from '../../src/event/publishTo.js';

/** A logger that keeps its errors. */
function keepingLogger(): { readonly logger: Logger; readonly errors: unknown[][] } {
  const errors: unknown[][] = [];
  const silent = () => undefined;
  return { errors, logger: { debug: silent, info: silent, warn: silent, error: (...args) => void errors.push(args) } };
}

describe('publishTo', () => {
  test('publishTo delivers to the bus, then to the listener of the run', () => {
    class Cooked {}
    const { logger, errors } = keepingLogger();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    bus.subscribe(Cooked, () => void seen.push('bus'));
    publishTo(new Cooked(), bus, () => void seen.push('listener'), logger);
    expect(seen).toEqual(['bus', 'listener']);
    expect(errors).toEqual([]);
  });

  test('publishTo needs no listener', () => {
    class Cooked {}
    const { logger, errors } = keepingLogger();
    const bus = new InProcessEventBus();
    const seen: object[] = [];
    bus.subscribe(Cooked, (event) => void seen.push(event));
    const event = new Cooked();
    publishTo(event, bus, undefined, logger);
    expect([seen, errors]).toEqual([[event], []]);
  });

  test('errors of subscribers and of the listener are logged with the event, and go no further', () => {
    class Cooked {}
    const { logger, errors } = keepingLogger();
    const bus = new InProcessEventBus();
    const [burnt, spilt] = [new Error('burnt'), new Error('spilt')];
    bus.subscribe(Cooked, () => {
      throw burnt;
    });
    publishTo(
      new Cooked(),
      bus,
      () => {
        throw spilt;
      },
      logger,
    );
    expect(errors).toEqual([
      [expect.stringMatching(/Cooked.*burnt/), { error: burnt }],
      [expect.stringMatching(/Cooked.*spilt/), { error: spilt }],
    ]);
  });

  test('a listener that is asynchronous and rejects is logged, too', async () => {
    class Cooked {}
    const { logger, errors } = keepingLogger();
    const spilt = new Error('spilt');
    const rejected = Promise.reject(spilt);
    rejected.catch(() => undefined);
    publishTo(new Cooked(), new InProcessEventBus(), () => rejected, logger);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([[expect.stringMatching(/Cooked.*spilt/), { error: spilt }]]);
  });
});
