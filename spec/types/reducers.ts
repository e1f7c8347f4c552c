// Checked by the compiler only (`npm run typecheck`): what stands under @ts-expect-error must not compile, the rest must.
import { Append, Clear, Extend, Reducer, Replace, type SliceOp } from 'toolwright';

class AddStep {
  readonly title: string = '';
}
class DropStep {
  readonly id: number = 0;
}

export class Plan {
  readonly steps: readonly string[] = [];

  @Reducer(() => AddStep) append(event: AddStep): SliceOp<Plan> {
    return event.title === '' ? Clear.all() : Append.with(new Plan());
  }

  @Reducer(() => AddStep) untyped(): SliceOp<Plan> {
    return Replace.with(new Plan());
  }

  // @ts-expect-error: it takes another event
  @Reducer(() => AddStep) another(event: DropStep): SliceOp<Plan> {
    return Extend.with(new Plan(), new Plan()).kind === 'extend' ? Clear.where(() => event.id > 0) : Clear.all();
  }

  // @ts-expect-error: a reducer gives an operation, not the state itself
  @Reducer(() => AddStep) state(_event: AddStep): Plan {
    return new Plan();
  }

  // @ts-expect-error: the operation is one on another slice
  @Reducer(() => AddStep) slice(_event: AddStep): SliceOp<number> {
    return Append.with(1);
  }

  // @ts-expect-error: a reducer stands on an instance method
  @Reducer(() => AddStep) static fixed(_event: AddStep): SliceOp<Plan> {
    return Append.with(new Plan());
  }
}
