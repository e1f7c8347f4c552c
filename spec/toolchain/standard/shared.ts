import { SliceOps, type SliceOp } from 'toolwright';
import { Reducer } from 'toolwright/es';

export enum Unit {
  Piece = 'piece',
  Kilogram = 'kg',
}

/** A service. */
export class Warehouse {
  private readonly counts = new Map([
    ['apple', 3],
    ['flour', 2],
  ]);

  count(item: string): number {
    return this.counts.get(item) ?? 0;
  }
}

export class Ordered {
  constructor(readonly line: string) {}
}

/** State of the session. */
export class OrderBook {
  constructor(readonly lines: readonly string[] = []) {}

  @Reducer(() => Ordered)
  add({ line }: Ordered): SliceOp<OrderBook> {
    return SliceOps.replace(new OrderBook([...this.lines, line]));
  }
}
