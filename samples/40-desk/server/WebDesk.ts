import { md, Param, Prompt, Section } from 'toolwright';
import { PlanningSection } from 'toolwright/sections';
import { CatalogueSection } from '../../20-retail-desk/sections/CatalogueSection.js';
import { CustomersSection } from '../../20-retail-desk/sections/CustomersSection.js';
import { DeskRulesSection } from '../../20-retail-desk/sections/DeskRulesSection.js';
import { OrdersSection } from '../../20-retail-desk/sections/OrdersSection.js';

export class CustomerParams {
  @Param('The name of the customer who has signed in')
  customerName = '';

  @Param('Their email address')
  customerEmail = '';
}

@Section({
  key: 'customer',
  title: 'The customer',
  params: CustomerParams,
  template: md`
    The customer has signed in as ${'customerName'}, with the email address ${'customerEmail'}. Look the profile up by it
    without asking. Messages may arrive while you work: take them into account before you answer.
  `,
})
export class SignedInSection {}

/** The retail desk for customers who have signed in on a web page. */
@Prompt({
  ns: 'retail',
  key: 'web-desk',
  name: 'Retail desk on the web',
  sections: [DeskRulesSection, SignedInSection, CustomersSection, CatalogueSection, OrdersSection, PlanningSection],
})
export class WebDesk {}
