import { md, Section } from 'toolwright';

@Section({
  key: 'facts',
  title: 'How the shop works',
  template: md`
    - Times are ${'timeZone'}, on a 24-hour clock.
    - A customer has a user id, an email address, a default address, and payment methods: gift cards, PayPal
      accounts and credit cards.
    - A product comes in variants, one for each combination of options such as size and colour. A product has a product
      id, each variant an item id of its own; neither can be told from the other.
    - An order is pending, processed, delivered or cancelled. You can act on pending and on delivered orders only.
    - Replacing items, in a pending or a delivered order, works once for each order. Collect everything that the
      customer wants replaced before you call the tool.
  `,
})
export class StoreFactsSection {}
