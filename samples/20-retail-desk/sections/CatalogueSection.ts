import { Section, Tool, ToolContext } from 'toolwright';
import { CatalogueRepository } from '../store/CatalogueRepository.js';
import type { ProductRow } from '../store/rows.js';
import { ProductParams } from './params.js';

@Section({
  key: 'catalogue',
  title: 'Products',
  visibility: 'summary',
  summary:
    'What the shop sells: products, variants, prices, availability. Open it for any question about a product, and to replace an item.',
  template: `
    To find a product, list the product types and take the id that belongs to its name. The product details hold
    every variant with its options, its price, and whether it is available; offer only what is available.
  `,
})
export class CatalogueSection {
  @Tool({ description: 'List all product types: the product id for each name.', hints: { readOnly: true } })
  listAllProductTypes(context: ToolContext): Readonly<Record<string, string>> {
    return context.resources.get(CatalogueRepository).productIdsByName();
  }

  @Tool({
    description: 'Get a product with all its variants, their prices and availability.',
    hints: { readOnly: true },
  })
  getProductDetails(params: ProductParams, context: ToolContext): ProductRow {
    return context.resources.get(CatalogueRepository).get(params.productId);
  }
}
