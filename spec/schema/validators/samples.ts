import { Param, type Constructor } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { otherSamples } from './otherSamples';
import { stringSamples } from './stringSamples';
import type { Held, ValidatorSample } from './ValidatorSample';

/** Every decorator of class-validator that judges a value, on each type on which it says something else. */
export const samples: readonly ValidatorSample[] = [...stringSamples, ...otherSamples];

const references: Readonly<Record<Held, TypeReference>> = {
  string: String,
  number: Number,
  boolean: Boolean,
  date: Date,
  strings: [String],
  numbers: [Number],
  record: { record: Number },
};

/** A class with one property `v` of a type, under decorators. */
export function classWith(on: Held, ...decorators: readonly PropertyDecorator[]): Constructor<{ v?: unknown }> {
  class Params {
    declare v: unknown;
  }
  Param({ type: references[on] })(Params.prototype, 'v');
  for (const decorate of decorators) decorate(Params.prototype, 'v');
  return Params;
}
