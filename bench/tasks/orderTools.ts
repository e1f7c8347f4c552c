import { Param, Prompt, Section, Tool, ToolContext, ToolResult } from 'toolwright';
import { allow, deny, type ToolPolicy } from 'toolwright/policies';
import { place, Placed, PlaceOrderParams } from './placeOrder.js';

export class Count {
  @Param('A number') i!: number;
}

const allowing: ToolPolicy = { name: 'allowing', check: () => allow };
const denying: ToolPolicy = { name: 'denying', check: () => deny('Not today.') };

/** Tools that place an order: alone, in time, under a policy, once, with an event, or not at all. */
@Section({ key: 'orders', title: 'Orders' })
export class OrdersSection {
  @Tool('Place an order.')
  placeOrder(params: PlaceOrderParams): Placed {
    return place(params);
  }

  @Tool('Place an order and note it in the session.')
  noteOrder(params: PlaceOrderParams): ToolResult {
    return ToolResult.ok(place(params), 'Placed.');
  }

  @Tool({ description: 'Place an order in time.', timeoutMs: 60_000 })
  async placeInTime(params: PlaceOrderParams): Promise<Placed> {
    return place(params);
  }

  @Tool({ description: 'Place an order under a policy.', policies: [allowing] })
  placeAllowed(params: PlaceOrderParams): Placed {
    return place(params);
  }

  @Tool({ description: 'Place an order that a policy denies.', policies: [denying] })
  placeDenied(params: PlaceOrderParams): Placed {
    return place(params);
  }

  @Tool('Refuse an order.')
  placeRefused(params: PlaceOrderParams): ToolResult {
    return ToolResult.error(`Refused: ${params.note}`);
  }

  @Tool('Place an order once.')
  placeOnce(params: PlaceOrderParams, { call }: ToolContext): Placed {
    return call.idempotencyKey === '' ? new Placed('', 0) : place(params);
  }

  @Tool('Double a number.')
  double({ i }: Count): number {
    return 2 * i;
  }

  @Tool('Note an order, then refuse it.')
  refuseOrder(params: PlaceOrderParams, context: ToolContext): ToolResult {
    context.session.dispatch(place(params));
    return ToolResult.error('Refused.');
  }
}

/** State of many pages. */
export class Archive {
  constructor(readonly pages: readonly string[]) {}
}

@Prompt({ ns: 'bench', key: 'orders', sections: [OrdersSection] })
export class Orders {}
