// One prompt, built by tsyringe and by inversify: an adapter is one function, written by the application.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Container, injectable as forInversify, type ServiceIdentifier } from 'inversify';
import {
  type Application,
  type Constructor,
  ContainerError,
  createApplication,
  Param,
  Prompt,
  Section,
  Tool,
} from 'toolwright';
import type { ContainerAdapter } from 'toolwright/adapters';
import {
  container as rootContainer,
  injectable,
  singleton,
  type DependencyContainer,
  type InjectionToken,
} from 'tsyringe';

function fromTsyringe(container: DependencyContainer): ContainerAdapter {
  return { get: <T extends object>(type: Constructor<T>) => container.resolve(type as InjectionToken<T>) };
}

function fromInversify(container: Container): ContainerAdapter {
  return { get: <T extends object>(type: Constructor<T>) => container.getAsync(type as ServiceIdentifier<T>) };
}

// Both decorators are here because both containers build these classes; an application has one of them.
@singleton()
@forInversify()
class ExchangeRates {
  dollarsPerEuro(): number {
    return 1.25;
  }
}

@injectable()
@forInversify()
@Section({ title: 'Prices' })
class PricesSection {
  constructor(private readonly rates: ExchangeRates) {}

  @Tool('Convert a price from euros to dollars.')
  toDollars(@Param('euros', 'Price in euros') euros: number): string {
    return `${euros * this.rates.dollarsPerEuro()} USD`;
  }
}

@Prompt({ ns: 'samples', key: 'shop', sections: [PricesSection] })
class Shop {}

@injectable()
@forInversify()
@Section({ title: 'Stock' })
class StockSection {
  @Tool('How many are left.')
  countItems(): number {
    return 3;
  }
}

@Prompt({ ns: 'samples', key: 'warehouse', sections: [StockSection] })
class Warehouse {}

// These containers cannot build a Mailer: it lacks their decorators, and takes a text.
class Mailer {
  constructor(readonly host: string) {}
}

@injectable()
@forInversify()
@Section({ title: 'Alarms' })
class AlarmsSection {
  constructor(readonly mailer: Mailer) {}
}

@Prompt({ ns: 'samples', key: 'missing', sections: [AlarmsSection] })
class MissingProvider {}

async function main(): Promise<void> {
  const openInversify = () => new Container({ autobind: true, defaultScope: 'Singleton' });

  console.log('--- The same prompt, built by two containers ---');
  const containers = { tsyringe: fromTsyringe(rootContainer), inversify: fromInversify(openInversify()) };
  for (const [name, container] of Object.entries(containers)) {
    const app = await createApplication({ prompts: [Shop], container });
    console.log(`${name}: ${await dollars(app)}`);
    assert.equal(await dollars(app), '10 USD');
  }

  console.log('--- A container for each tenant ---');
  for (const [tenant, rate] of Object.entries({ acme: 2, globex: 3 })) {
    const child = rootContainer.createChildContainer();
    child.registerInstance(ExchangeRates, { dollarsPerEuro: () => rate });
    const app = await createApplication({ prompts: [Shop], container: fromTsyringe(child) });
    console.log(`${tenant}: ${await dollars(app)}`);
    assert.equal(await dollars(app), `${8 * rate} USD`);
  }

  console.log('--- Several prompts, several containers, one application ---');
  const ofWarehouse = new Set<Constructor>([StockSection]);
  const asked: string[] = [];
  const either: ContainerAdapter = {
    get(type) {
      const name = ofWarehouse.has(type) ? 'inversify' : 'tsyringe';
      asked.push(`${type.name} by ${name}`);
      return containers[name].get(type);
    },
  };
  const app = await createApplication({ prompts: [Shop, Warehouse], container: either });
  console.log(asked.join(', '));
  assert.equal(await dollars(app), '10 USD');
  const counted = await app.invoke(await app.prompt(Warehouse).render(), 'count_items', {});
  assert.equal(counted.text, '3');

  console.log('--- A service that nobody provides ---');
  for (const [name, container] of Object.entries(containers)) {
    const error: unknown = await createApplication({ prompts: [MissingProvider], container }).catch(
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ContainerError);
    assert.match(error.message, /Mailer/);
    console.log(`${name}: ${error.code} ${String(error.place)}`);
  }
}

async function dollars(app: Application): Promise<string> {
  const rendered = await app.prompt(Shop).render();
  return (await app.invoke(rendered, 'to_dollars', { euros: 8 })).text;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
