import { join } from 'node:path';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, ModuleRef } from '@nestjs/core';
import type { ModelAdapter } from 'toolwright';
import { Plan, PlanningSection } from 'toolwright/sections';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { Toolwright, ToolwrightModule, type ToolwrightModuleOptions } from '@toolwright/nestjs';
import { quietLogger, retailResources } from '../../20-retail-desk/application.js';
import { CatalogueSection } from '../../20-retail-desk/sections/CatalogueSection.js';
import { CustomersSection } from '../../20-retail-desk/sections/CustomersSection.js';
import { DeliveredOrdersSection } from '../../20-retail-desk/sections/DeliveredOrdersSection.js';
import { DeskParams } from '../../20-retail-desk/sections/DeskParams.js';
import { DeskRulesSection } from '../../20-retail-desk/sections/DeskRulesSection.js';
import { OrdersSection } from '../../20-retail-desk/sections/OrdersSection.js';
import { PendingOrdersSection } from '../../20-retail-desk/sections/PendingOrdersSection.js';
import { StoreFactsSection } from '../../20-retail-desk/sections/StoreFactsSection.js';
import { CalculatorService } from '../../20-retail-desk/services/CalculatorService.js';
import { CourierService } from '../../20-retail-desk/services/CourierService.js';
import { MoneyService } from '../../20-retail-desk/services/MoneyService.js';
import { PaymentService } from '../../20-retail-desk/services/PaymentService.js';
import { ReplacementService } from '../../20-retail-desk/services/ReplacementService.js';
import { ChatController } from './chat.controller.js';
import { DoneOnce, OwnData } from './guards.js';
import { findPerson, shopData } from './people.js';
import { ANSWERED_BY, PeopleController } from './people.controller.js';
import { Shop } from './Shop.js';
import { CustomerParams, SignedInSection, WebDesk } from './WebDesk.js';

/** Where a desk keeps its data, and who answers. */
export interface DeskOptions {
  /** The folder of the runs (SQLite) and of the shop's data. */
  readonly folder: string;
  readonly adapter: ModelAdapter;
}

const SECTIONS = [
  WebDesk,
  SignedInSection,
  DeskRulesSection,
  StoreFactsSection,
  CustomersSection,
  CatalogueSection,
  OrdersSection,
  PendingOrdersSection,
  DeliveredOrdersSection,
  PlanningSection,
];
const SERVICES = [CalculatorService, CourierService, MoneyService, PaymentService, ReplacementService];

@Module({})
export class DeskModule {
  static open({ folder, adapter }: DeskOptions): DynamicModule {
    const shop = new Shop(shopData, join(folder, 'shop.jsonl'));
    return {
      module: DeskModule,
      imports: [
        ToolwrightModule.forRootAsync({
          inject: [ModuleRef],
          useFactory: (nest: ModuleRef) => makeOptions(shop, join(folder, 'runs.db'), adapter, nest),
        }),
      ],
      providers: [
        ...SECTIONS,
        ...SERVICES,
        { provide: Shop, useValue: shop },
        { provide: ANSWERED_BY, useValue: adapter.name },
        { provide: APP_GUARD, useClass: OwnData },
        { provide: APP_INTERCEPTOR, useClass: DoneOnce },
      ],
      controllers: [PeopleController, ChatController],
    };
  }
}

function makeOptions(shop: Shop, runs: string, adapter: ModelAdapter, nest: ModuleRef): ToolwrightModuleOptions {
  return {
    logger: quietLogger,
    fieldNames: 'snake_case',
    resources: retailResources(shop),
    // A person answers later, on the supervisor's page. A call that was done before it was cut off only returns its result.
    approver: {
      approve: (_call, { call: { idempotencyKey } }) =>
        shop.committedBy(idempotencyKey) === undefined ? { kind: 'later' } : { kind: 'approved' },
    },
    // Signs questions, so that they hold in the next process, too. A real application takes the key from its environment.
    keys: ['the secret of this sample, which everyone can read'],
    // Guards of tool calls find the customer here, in whatever process the run goes on.
    requestFor: ({ principal }) => ({ headers: {}, person: findPerson(principal) }),
    runs: {
      store: new SqliteRuns(runs),
      // `DoneOnce` makes sure that a repeated call has no second effect.
      onUnknown: 'repeat',
      prepare: ({ input }) => {
        const { user } = input as { readonly user: string };
        const { name = '', email = '' } = findPerson(user) ?? {};
        const { app } = nest.get(Toolwright, { strict: false });
        const prompt = app
          .prompt(WebDesk)
          .bind(DeskParams, { storeName: 'the Harbour Store', timeZone: 'EST' })
          .bind(CustomerParams, { customerName: name, customerEmail: email });
        return { prompt, adapter, slices: [Plan], runMetadata: { principal: user } };
      },
    },
  };
}
