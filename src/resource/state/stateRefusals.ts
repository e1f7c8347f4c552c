import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { describeValue, quote } from '../../common/text.js';
import { ResourceError } from '../../error/infrastructureErrors.js';

const refusal = (problem: string, place: string, remedy: string): ResourceError =>
  new ResourceError(problem, { code: 'E916', place, remedy });

/** The errors of ready-made transactional state: each is a mistake of a program, not of a model. */
export const stateRefusals = {
  key: (type: unknown, key: unknown) =>
    refusal(`a key is a text or a number, got ${describeValue(key)}`, className(type), 'Pass the key of a record.'),

  noRecord: (type: unknown, key: string | number) =>
    refusal(
      'undefined is no record, since it would look like a missing one',
      `${className(type)}[${quote(String(key))}]`,
      'Pass the record; delete(key) removes one, and null may stand for an empty one.',
    ),

  privateMembers: (type: unknown) =>
    refusal(
      'the class has #private members, which only its constructor can create, and none runs for an overlay',
      className(type),
      "Use TypeScript's private for methods and fields of the class.",
    ),

  ownFunction: (type: unknown, field: string) =>
    refusal(
      'the field holds a function: one made in the class would work on the table itself, past the overlay of a call',
      `${className(type)}.${field}`,
      'Make it a method; keep a function that was passed in within an object.',
    ),

  ownResource: (type: unknown, field: string) =>
    refusal(
      'the field holds a resource with overlays of its own, which the overlays of this table would bypass',
      `${className(type)}.${field}`,
      'Bind it as a resource of its own, or write a class whose begin and commit pass on to both.',
    ),

  uncopied: (value: unknown) =>
    refusal(
      `${describeKind(value)} cannot be copied`,
      'copied',
      'Pass an instance of a class, or an object, with data in its properties: no #private state, functions or buffers. For records by key there is TransactionalTable.',
    ),

  foreignOverlay: (type: unknown) =>
    refusal(
      'the overlay was begun elsewhere',
      className(type),
      'Pass an overlay to the object whose begin() returned it.',
    ),
} as const;

function describeKind(value: unknown): string {
  return isObject(value) ? `an instance of ${className(value.constructor)}` : describeValue(value);
}
