import type { ClassOrThunk } from '../../common/types.js';

/** `@Reducer` on a method of a state class, as declared. */
export interface ReducerMetadataArgs {
  readonly member: string | symbol;
  readonly event: ClassOrThunk;
  readonly isStatic: boolean;
}
