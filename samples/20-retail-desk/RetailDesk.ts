import { Prompt } from 'toolwright';
import { PlanningSection } from 'toolwright/sections';
import { CatalogueSection } from './sections/CatalogueSection.js';
import { CustomersSection } from './sections/CustomersSection.js';
import { DeskRulesSection } from './sections/DeskRulesSection.js';
import { OrdersSection } from './sections/OrdersSection.js';

@Prompt({
  ns: 'retail',
  key: 'desk',
  name: 'Retail desk',
  sections: [DeskRulesSection, CustomersSection, CatalogueSection, OrdersSection, PlanningSection],
})
export class RetailDesk {}
