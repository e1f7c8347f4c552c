// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { SliceOps, Reducer, type SliceOp } from 'toolwright';

class AddStep {
  readonly title: string = '';
}
class DropStep {
  readonly id: number = 0;
}

export class Plan {
  readonly steps: readonly string[] = [];

  @Reducer(() => AddStep) append(event: AddStep): SliceOp<Plan> {
    return event.title === '' ? SliceOps.clear() : SliceOps.append(new Plan());
  }

  @Reducer(() => AddStep) untyped(): SliceOp<Plan> {
    return SliceOps.replace(new Plan());
  }

  // @ts-expect-error: it takes another event
  @Reducer(() => AddStep) another(event: DropStep): SliceOp<Plan> {
    return SliceOps.extend(new Plan(), new Plan()).kind === 'extend'
      ? SliceOps.clear(() => event.id > 0)
      : SliceOps.clear();
  }

  // @ts-expect-error: a reducer returns an operation, not the state itself
  @Reducer(() => AddStep) state(_event: AddStep): Plan {
    return new Plan();
  }

  // @ts-expect-error: the operation is one on another slice
  @Reducer(() => AddStep) slice(_event: AddStep): SliceOp<number> {
    return SliceOps.append(1);
  }

  // @ts-expect-error: a reducer is an instance method
  @Reducer(() => AddStep) static fixed(_event: AddStep): SliceOp<Plan> {
    return SliceOps.append(new Plan());
  }
}
