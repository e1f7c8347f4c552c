// The desk of spec/toolchain/application in standard decorators: no types are emitted, and parameters have no decorators.
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { md, ToolContext, ToolResult, type HookInput } from 'toolwright';
import { Field, Param, Prompt, Section, Tool } from 'toolwright/es';
import { Ordered, Unit, Warehouse } from './shared.js';

class Address {
  @Field({ description: 'Street and number', type: String, minLength: 3 })
  street!: string;

  @Field('Town')
  town = 'Ulm';
}

class Line {
  @Field({ description: 'Name of the item', type: String })
  item!: string;

  @Field({ description: 'How many', integer: true, min: 1 })
  count = 1;
}

class CountParams {
  @Param({ description: 'Name of the item', type: String })
  item!: string;

  @Param({ description: 'Unit', enum: Unit, default: Unit.Piece })
  unit!: Unit;

  @Param({ description: 'Counted how often', type: Number, default: 1, integer: true })
  times!: number;
}

class OrderParams {
  @Param({ description: 'Customer number', type: String, decorators: [Matches(/^C\d+$/)] })
  customer!: string;

  @Param({ description: 'What is ordered', type: () => [Line], minItems: 1 })
  lines!: readonly Line[];

  @Param({ description: 'Unit of the counts', enum: Unit })
  unit!: Unit;

  @Param({ description: 'Where to send it', type: () => Address, optional: true })
  address?: Address;

  @Param({ description: 'Not before this moment', type: Date, name: 'not_before', optional: true })
  notBefore?: Date;

  @Param({
    description: 'Labels',
    type: [String],
    decorators: [
      Transform(({ value }) =>
        Array.isArray(value) ? value.map((label) => String(label).trim()) : (value as unknown),
      ),
    ],
  })
  labels: string[] = [];

  @Param('Wrap it as a gift')
  gift = false;

  @Param({ description: 'Discount in percent', max: 50 })
  discount = 0;
}

class Receipt {
  @Field({ description: 'The line that was noted', type: String })
  line!: string;

  @Field({ description: 'When it may leave', type: Date })
  notBefore!: Date;

  @Field({ internal: true })
  costs = 7;
}

class GuideParams {
  @Param('Tool to try first')
  first = 'count';
}

/** A tool that is a class, with a service of its own. */
@Tool({
  name: 'list_items',
  description: 'List the items.',
  params: GuideParams,
  hints: { readOnly: true },
  inject: [Warehouse],
})
class ListTool {
  constructor(private readonly warehouse: Warehouse) {}

  handle({ first }: GuideParams): string {
    return `${first}: ${String(this.warehouse.count('apple'))} apples, ${String(this.warehouse.count('flour'))} flour`;
  }
}

@Section({ title: 'Hints', template: md`Ask ${'first'} before you order.` })
class HintsSection {
  enabled({ params }: HookInput<GuideParams>): boolean {
    return params.first !== '';
  }
}

@Section({
  title: 'Orders',
  params: GuideParams,
  template: md`
    Orders go to the warehouse.
      Use ${'first'} first; it costs 0 $$.
  `,
  tools: [ListTool],
  children: [HintsSection],
  inject: [() => Warehouse],
})
class OrdersSection {
  constructor(private readonly warehouse: Warehouse) {}

  @Tool({ description: 'Count an item.', params: CountParams, hints: { readOnly: true }, inject: [] })
  count({ item, unit, times }: CountParams): string {
    return `${String(this.warehouse.count(item) * times)} ${unit}`;
  }

  @Tool({ description: 'Order items.', params: OrderParams, result: Receipt })
  order(params: OrderParams, context: ToolContext): ToolResult<Receipt> {
    if (params.lines.some(({ item, count }) => this.warehouse.count(item) < count))
      return ToolResult.error('There is not enough of it.');
    const what = params.lines.map(({ item, count }) => `${String(count)} ${params.unit} ${item}`).join(', ');
    const line = `${params.customer}: ${what} to ${params.address?.street ?? '-'} in ${params.address?.town ?? '-'}`;
    context.session.dispatch(new Ordered(line));
    const notBefore = params.notBefore ?? new Date(0);
    const kinds = [params, params.lines[0], params.address].map((value) => value?.constructor.name ?? 'none');
    return ToolResult.ok(
      Object.assign(new Receipt(), { line, notBefore }),
      `Ordered (${kinds.join(', ')}; labels ${params.labels.join('+')}).`,
    );
  }

  @Tool({ description: 'Say which call this is.', inject: [ToolContext] })
  whoAmI(context: ToolContext): string {
    return `${context.call.name} of ${String(context.prompt.sections.length)} sections`;
  }

  @Tool('Answer.')
  ping(): string {
    return 'pong';
  }
}

@Prompt({ ns: 'toolchain', key: 'desk', sections: [OrdersSection] })
export class Desk {}

export const container = undefined;
