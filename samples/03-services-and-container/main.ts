// Sections get their services through the constructor, from typedi or from the plain container.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { ContainerError, createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { Container, Inject, Service } from 'typedi';

@Service()
class ExchangeRates {
  dollarsPerEuro(): number {
    return 1.25;
  }
}

@Service()
class PriceList {
  constructor(private readonly rates: ExchangeRates) {}

  inDollars(euros: number): number {
    return euros * this.rates.dollarsPerEuro();
  }
}

// A section needs no @Service(): @Section is enough for both containers.
@Section({ title: 'Prices' })
class PricesSection {
  constructor(private readonly prices: PriceList) {}

  @Tool('Convert a price from euros to dollars.')
  toDollars(@Param('euros', 'Price in euros') euros: number): string {
    return `${this.prices.inDollars(euros)} USD`;
  }
}

@Prompt({ ns: 'samples', key: 'shop', sections: [PricesSection] })
class Shop {}

// Nothing says how to make a Mailer: under typedi, a service is a class with @Service().
class Mailer {}

@Service()
class Alarm {
  constructor(readonly mailer: Mailer) {}
}

@Section({ title: 'Alarms' })
class AlarmsSection {
  constructor(readonly alarm: Alarm) {}
}

@Prompt({ ns: 'samples', key: 'missing', sections: [AlarmsSection] })
class MissingProvider {}

// A circular dependency: neither service can be built first.
interface Shelf {
  free(): number;
}

@Service()
class Orders {
  constructor(@Inject(() => Stock) readonly shelf: Shelf) {}
}

@Service()
class Stock implements Shelf {
  constructor(readonly orders: Orders) {}

  free(): number {
    return 3;
  }
}

@Section({ title: 'Stock' })
class StockSection {
  constructor(readonly stock: Stock) {}
}

@Prompt({ ns: 'samples', key: 'circle', sections: [StockSection] })
class Circle {}

async function main(): Promise<void> {
  console.log('--- The same section, built by two containers ---');
  const plain = await createApplication({ prompts: [Shop] }); // `new`, once per class
  const typedi = await createApplication({ prompts: [Shop], container: fromTypedi(Container) });
  for (const [name, app] of Object.entries({ plain, typedi })) {
    const outcome = await app.invoke(await app.prompt(Shop).render(), 'to_dollars', { euros: 8 });
    console.log(`${name}: ${outcome.text}`);
    assert.equal(outcome.text, '10 USD');
  }

  console.log('\n--- Another service in its place ---');
  Container.of('test').set(ExchangeRates, { dollarsPerEuro: () => 2 });
  const tested = await createApplication({ prompts: [Shop], container: fromTypedi(Container, { id: 'test' }) });
  const outcome = await tested.invoke(await tested.prompt(Shop).render(), 'to_dollars', { euros: 8 });
  console.log(`test: ${outcome.text}`);
  assert.equal(outcome.text, '16 USD');

  console.log('\n--- A service that nobody provides ---');
  const missing = await refusal(MissingProvider);
  assert.equal(missing.code, 'E401');
  assert.match(missing.message, /AlarmsSection → Alarm → Mailer/);

  console.log('\n--- Services that need each other ---');
  const circle = await refusal(Circle);
  assert.equal(circle.code, 'E402');
  assert.match(circle.message, /Stock → Orders → Stock/);
}

/** Returns the error with which the application does not start. */
async function refusal(prompt: typeof Shop): Promise<ContainerError> {
  const error: unknown = await createApplication({ prompts: [prompt], container: fromTypedi(Container) }).catch(
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ContainerError);
  console.log(error.message.replace(/(?=.{76})(.{1,75}) /g, '$1\n    '));
  return error;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
