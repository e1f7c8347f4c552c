import type { ValidationOptions } from 'class-validator';

/** The type of the property on which a decorator is tested. */
export type Held = 'string' | 'number' | 'boolean' | 'date' | 'strings' | 'numbers' | 'record';

/** A decorator of class-validator with one set of arguments, values that it takes, and values of the type that it refuses. */
export interface ValidatorSample {
  /** The decorator with its arguments, as one writes it. */
  readonly call: string;
  /** The name under which class-validator exports it. */
  readonly decorator: string;
  readonly on: Held;
  readonly make: (options?: ValidationOptions) => PropertyDecorator;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

/** A sample in one line of a table. */
export function sample(
  call: string,
  on: Held,
  make: ValidatorSample['make'],
  good: readonly unknown[],
  bad: readonly unknown[],
): ValidatorSample {
  return { call, decorator: call.replace(/\(.*/s, ''), on, make, good, bad };
}
