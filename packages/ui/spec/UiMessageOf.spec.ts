import 'reflect-metadata';
import { isToolUIPart } from 'ai';
import { Param, Section, Tool, ToolContext } from 'toolwright';
import type { UiMessageOf } from '@toolwright/ui/messages';

class OrderParams {
  @Param('The number of the order.')
  orderId!: string;
}

@Section({ title: 'Orders' })
class Orders {
  @Tool('Reads an order.')
  async getOrder(_params: OrderParams, _context: ToolContext): Promise<{ status: string }> {
    return { status: 'sent' };
  }
  @Tool('Counts orders.')
  countOrders(_context: ToolContext): number {
    return 2;
  }
  @Tool('Cancels an order.')
  cancel(@Param('id', 'The order.') _id: string): string {
    return 'Cancelled.';
  }
}

type Message = UiMessageOf<typeof Orders>;

/** Reads what the compiler knows of a part: a wrong type here fails the check of types. */
function readPart(part: Message['parts'][number]): unknown {
  switch (part.type) {
    case 'tool-get_order': {
      if (part.state === 'output-available') {
        const output: { status: string } | string = part.output;
        return output;
      }
      const id: string | undefined = part.input?.orderId;
      return id;
    }
    case 'tool-count_orders': {
      const output: number | string | undefined = part.output;
      return output;
    }
    case 'tool-cancel':
      // Params that are declared one by one have no type for their object.
      return part.input;
    case 'data-section': {
      const path: string = part.data.path;
      return path;
    }
    // @ts-expect-error the sections have no such tool
    case 'tool-refund':
      return undefined;
    default:
      return undefined;
  }
}

test('a front end reads inputs and outputs of tools by the types of their sections', () => {
  const part: Message['parts'][number] = {
    type: 'tool-get_order',
    toolCallId: '1:a',
    state: 'output-available',
    input: { orderId: 'W7' },
    output: { status: 'sent' },
  };
  expect([isToolUIPart(part), Orders.name]).toEqual([true, 'Orders']);
  expect(readPart(part)).toEqual({ status: 'sent' });
  expect(readPart({ type: 'data-section', data: { path: 'returns', call: '1:a' } })).toBe('returns');
});
