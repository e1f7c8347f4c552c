// The same desk for compilers that emit nothing: every type is named, and the services come into properties.
import { Exclude, Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { Ctx, Field, type HookInput, md, Param, Prompt, Section, Tool, ToolContext, ToolResult } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { Container, Inject } from 'typedi';
import { Ordered, Unit, Warehouse } from './shared.js';

Container.set({ id: Warehouse, type: Warehouse });

class Address {
  @Field({ description: 'Street and number', type: String, minLength: 3 })
  street!: string;

  @Field('Town')
  town = 'Ulm'; // the initialiser says the type
}

class Line {
  @Field({ description: 'Name of the item', type: String })
  item!: string;

  @Field({ description: 'How many', integer: true, min: 1 })
  count = 1;
}

class OrderParams {
  @Param({ description: 'Customer number', type: String })
  @Matches(/^C\d+$/)
  customer!: string;

  @Param({ description: 'What is ordered', type: () => [Line], minItems: 1 })
  lines!: readonly Line[];

  @Param({ description: 'Unit of the counts', enum: Unit })
  unit!: Unit;

  @Param({ description: 'Where to send it', type: () => Address, optional: true })
  address?: Address;

  @Param({ description: 'Not before this moment', type: Date, name: 'not_before', optional: true })
  notBefore?: Date;

  @Param({ description: 'Labels', type: [String] })
  @Transform(({ value }) => (Array.isArray(value) ? value.map((label) => String(label).trim()) : (value as unknown)))
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

  @Exclude()
  costs = 7;
}

class GuideParams {
  @Param('Tool to try first')
  first = 'count';
}

@Tool({ name: 'list_items', description: 'List the items.', params: GuideParams, hints: { readOnly: true } })
class ListTool {
  @Inject(() => Warehouse)
  private readonly warehouse!: Warehouse;

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
})
class OrdersSection {
  @Inject(() => Warehouse)
  private readonly warehouse!: Warehouse;

  @Tool({ description: 'Count an item.', hints: { readOnly: true } })
  count(
    @Param('item', { description: 'Name of the item', type: String }) item: string,
    @Param('unit', { description: 'Unit', enum: Unit, default: Unit.Piece }) unit: Unit,
    @Param('times', { description: 'Counted how often', default: 1, integer: true }) times = 1,
  ): string {
    return `${String(this.warehouse.count(item) * times)} ${unit}`;
  }

  @Tool({ description: 'Order items.', params: () => OrderParams, result: Receipt })
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

  @Tool('Say which call this is.')
  whoAmI(@Ctx() context: ToolContext): string {
    return `${context.call.name} of ${String(context.prompt.sections.length)} sections`;
  }

  @Tool('Answer.')
  ping(): string {
    return 'pong';
  }
}

@Prompt({ ns: 'toolchain', key: 'desk', sections: [OrdersSection] })
export class Desk {}

export const container = fromTypedi(Container);
