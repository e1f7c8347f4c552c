import { InProcessEventBus } from 'toolwright/events';

/** Two classes of events, new for each test. */
function kitchen() {
  class Cooked {
    constructor(readonly dish: string) {}
  }
  class Served {
    constructor(readonly dish: string) {}
  }
  return { Cooked, Served };
}

describe('InProcessEventBus', () => {
  test('InProcessEventBus delivers at once, in the order of subscription', () => {
    const { Cooked } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    for (const name of ['first', 'second', 'third'])
      bus.subscribe(Cooked, ({ dish }) => void seen.push(`${name} ${dish}`));
    bus.publish(new Cooked('soup'));
    bus.publish(new Cooked('cake'));
    expect(seen).toEqual(['first soup', 'second soup', 'third soup', 'first cake', 'second cake', 'third cake']);
  });

  test('InProcessEventBus delivers events of exactly the class', () => {
    const { Cooked, Served } = kitchen();
    class Roasted extends Cooked {}
    const bus = new InProcessEventBus();
    const seen: object[] = [];
    bus.subscribe(Cooked, (event) => void seen.push(event));
    const event = new Cooked('soup');
    for (const published of [new Roasted('duck'), new Served('soup'), { dish: 'x' }, event]) bus.publish(published);
    bus.publish(Object.create(null) as object);
    expect(seen).toEqual([event]);
    expect(seen[0]).toBe(event);
  });

  test('an error of a subscriber is reported, and the others still receive the event', () => {
    const { Cooked, Served } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    const [first, third] = [new TypeError('burnt'), 'spilt'];
    bus.subscribe(Cooked, () => {
      throw first;
    });
    bus.subscribe(Cooked, () => void seen.push('second'));
    bus.subscribe(Cooked, () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw third;
    });
    bus.subscribe(Cooked, () => void seen.push('fourth'));
    expect(bus.publish(new Cooked('soup')).errors).toEqual([first, third]);
    expect(seen).toEqual(['second', 'fourth']);
    expect(bus.publish(new Served('soup')).errors).toEqual([]);
  });

  test('a subscription ends when it is cancelled, once, and alone', () => {
    const { Cooked } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    const end = bus.subscribe(Cooked, () => void seen.push('first'));
    bus.subscribe(Cooked, () => void seen.push('second'));
    bus.publish(new Cooked('soup'));
    end();
    end();
    bus.publish(new Cooked('cake'));
    expect(seen).toEqual(['first', 'second', 'second']);
  });

  test('one function that subscribes twice has two subscriptions', () => {
    const { Cooked } = kitchen();
    const bus = new InProcessEventBus();
    let count = 0;
    const subscriber = () => {
      count++;
    };
    const endFirst = bus.subscribe(Cooked, subscriber);
    bus.subscribe(Cooked, subscriber);
    endFirst();
    bus.publish(new Cooked('soup'));
    expect(count).toBe(1);
  });

  test('subscribing and ending while an event is delivered is safe', () => {
    const { Cooked } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    const end = bus.subscribe(Cooked, () => {
      seen.push('first');
      end();
      bus.subscribe(Cooked, () => void seen.push('late'));
    });
    bus.subscribe(Cooked, () => void seen.push('second'));
    bus.publish(new Cooked('soup'));
    expect(seen).toEqual(['first', 'second']);
    bus.publish(new Cooked('cake'));
    expect(seen).toEqual(['first', 'second', 'second', 'late']);
  });

  test('a subscriber may publish: the inner event is delivered first', () => {
    const { Cooked, Served } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    bus.subscribe(Cooked, ({ dish }) => {
      bus.publish(new Served(dish));
      seen.push('cooked');
    });
    bus.subscribe(Served, () => void seen.push('served'));
    bus.publish(new Cooked('soup'));
    expect(seen).toEqual(['served', 'cooked']);
  });

  test('InProcessEventBus.reaches is true if there is a listener', () => {
    const { Cooked, Served } = kitchen();
    const bus = new InProcessEventBus();
    expect(bus.reaches(Cooked)).toBe(false);
    const end = bus.subscribe(Cooked, () => undefined);
    expect([bus.reaches(Cooked), bus.reaches(Served)]).toEqual([true, false]);
    end();
    expect(bus.reaches(Cooked)).toBe(false);
  });
});

describe('InProcessEventBus: asynchronous subscribers', () => {
  test('publish does not wait for them, flush does', async () => {
    const { Cooked } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    bus.subscribe(Cooked, async ({ dish }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(dish);
    });
    bus.publish(new Cooked('soup'));
    bus.publish(new Cooked('cake'));
    expect(seen).toEqual([]);
    expect((await bus.flush()).errors).toEqual([]);
    expect(seen).toEqual(['soup', 'cake']);
  });

  test('rejections are reported by flush, once, and nowhere else', async () => {
    const { Cooked } = kitchen();
    const bus = new InProcessEventBus();
    const burnt = new Error('burnt');
    bus.subscribe(Cooked, async () => {
      await Promise.resolve();
      throw burnt;
    });
    bus.subscribe(Cooked, async () => undefined);
    expect(bus.publish(new Cooked('soup')).errors).toEqual([]);
    expect((await bus.flush()).errors).toEqual([burnt]);
    expect((await bus.flush()).errors).toEqual([]);
  });

  test('flush also waits for what subscribers publish meanwhile', async () => {
    const { Cooked, Served } = kitchen();
    const bus = new InProcessEventBus();
    const seen: string[] = [];
    bus.subscribe(Cooked, async ({ dish }) => {
      await Promise.resolve();
      bus.publish(new Served(dish));
    });
    bus.subscribe(Served, async ({ dish }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(dish);
    });
    bus.publish(new Cooked('soup'));
    await bus.flush();
    expect(seen).toEqual(['soup']);
  });

  test('flush of a quiet bus has nothing to say', async () => {
    expect(await new InProcessEventBus().flush()).toEqual({ errors: [] });
  });
});

test('rejections of asynchronous subscribers are logged as they happen, and kept only in part', async () => {
  class Ping {}
  const told: unknown[] = [];
  const bus = new InProcessEventBus((error) => told.push(error));
  bus.subscribe(Ping, async () => Promise.reject(new Error('late')));
  for (let index = 0; index < 1_100; index++) bus.publish(new Ping());
  const { errors } = await bus.flush();
  expect(told).toHaveLength(1_100);
  expect(errors).toHaveLength(1_000);
});
