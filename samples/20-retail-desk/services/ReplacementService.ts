import { Service } from 'typedi';
import { ToolRefusal } from 'toolwright';
import type { CatalogueRepository } from '../store/CatalogueRepository.js';
import type { OrderItemRow, OrderRow, VariantRow } from '../store/rows.js';

/** One ordered item and the variant that is to replace it. */
export interface Replacement {
  readonly itemId: string;
  readonly variant: VariantRow;
}

export interface ReplacementQuote {
  readonly replacements: readonly Replacement[];
  /** The amount that the customer owes; negative when the shop owes it. Not rounded. */
  readonly difference: number;
}

/** Rules that exchanging delivered items and modifying pending ones have in common. */
@Service()
export class ReplacementService {
  /** Refuses ids that the order does not hold, or holds fewer times than requested. */
  requireItems(order: OrderRow, itemIds: readonly string[]): void {
    for (const itemId of new Set(itemIds)) {
      const asked = itemIds.filter((id) => id === itemId).length;
      const held = order.items.filter((item) => item.item_id === itemId).length;
      if (asked > held) {
        throw new ToolRefusal(
          `Order ${order.order_id} holds item ${itemId} ${held} times, but it is listed ${asked} times. ` +
            `Its items are: ${order.items.map((item) => `${item.item_id} (${item.name})`).join(', ')}.`,
        );
      }
    }
  }

  quote(
    order: OrderRow,
    itemIds: readonly string[],
    newItemIds: readonly string[],
    catalogue: CatalogueRepository,
  ): ReplacementQuote {
    this.requireItems(order, itemIds);
    if (itemIds.length !== newItemIds.length) {
      throw new ToolRefusal(
        `item_ids has ${itemIds.length} entries and new_item_ids has ${newItemIds.length}. ` +
          'Give exactly one new item id for each item, in the same order.',
      );
    }
    let difference = 0;
    const replacements = newItemIds.map((newItemId, index) => {
      const itemId = itemIds[index] ?? '';
      const item = firstItem(order.items, itemId);
      const variant = catalogue.replacementFor(item, newItemId);
      difference += variant.price - item.price;
      return { itemId, variant };
    });
    return { replacements, difference };
  }

  /** Applies the replacements one after the other: each takes the first item that has its old id. Returns the new items. */
  apply(items: readonly OrderItemRow[], replacements: readonly Replacement[]): readonly OrderItemRow[] {
    return replacements.reduce<readonly OrderItemRow[]>((current, { itemId, variant }) => {
      const old = firstItem(current, itemId);
      const { item_id, price, options } = variant;
      return current.map((item) => (item === old ? { ...item, item_id, price, options } : item));
    }, items);
  }
}

function firstItem(items: readonly OrderItemRow[], itemId: string): OrderItemRow {
  const item = items.find((candidate) => candidate.item_id === itemId);
  if (item === undefined) throw new ToolRefusal(`Item ${itemId} is not among the items of this order.`);
  return item;
}
