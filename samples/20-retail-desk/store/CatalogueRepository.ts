import { ToolRefusal } from 'toolwright';
import type { RetailStore } from './RetailStore.js';
import type { OrderItemRow, ProductRow, VariantRow } from './rows.js';

/** Products and their variants, as one tool call sees them. */
export class CatalogueRepository {
  constructor(private readonly store: RetailStore) {}

  get(productId: string): ProductRow {
    const product = this.store.products.get(productId);
    if (product === undefined) {
      throw new ToolRefusal(
        `There is no product ${productId}. An item id is not a product id: look it up with list_all_product_types.`,
      );
    }
    return product;
  }

  /** Returns the variant that may replace an ordered item: of the same product, and in stock. */
  replacementFor(item: OrderItemRow, newItemId: string): VariantRow {
    const { name, variants } = this.get(item.product_id);
    // The ids come from a model: "constructor" must not be found on the prototype.
    const variant = Object.hasOwn(variants, newItemId) ? variants[newItemId] : undefined;
    if (variant === undefined) {
      throw new ToolRefusal(
        `Item ${newItemId} is not a variant of "${name}" (product ${item.product_id}), the product of item ` +
          `${item.item_id}. Choose an item id from get_product_details with that product id.`,
      );
    }
    if (!variant.available) {
      throw new ToolRefusal(
        `Item ${newItemId} of "${name}" is not available. Offer the customer another variant from ` +
          `get_product_details (product ${item.product_id}) whose "available" is true.`,
      );
    }
    return variant;
  }

  /** Returns product ids by product name, with names in code unit order. */
  productIdsByName(): Readonly<Record<string, string>> {
    const rows = [...this.store.products.values()].map(({ name, product_id }) => [name, product_id] as const);
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
  }
}
