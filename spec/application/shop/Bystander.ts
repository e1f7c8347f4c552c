import { IsInt, Length } from 'class-validator';
import { Param, Section, Tool, type Ref } from 'toolwright';

// Belongs to no prompt: classes that merely are there must change nothing.

class OrderParams {
  @Param('Another class of a name that is taken')
  @Length(2, 3)
  id!: string;

  @Param('Number')
  @IsInt()
  number = 1;
}

@Section({ key: 'orders', title: 'Not these orders' })
class Orders {
  @Tool({ description: 'Fetch something else.', params: () => OrderParams })
  getOrder(params: Ref<OrderParams>): string {
    return params.id;
  }
}

export const bystanders = [() => Orders];
