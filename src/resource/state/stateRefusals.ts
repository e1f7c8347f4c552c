import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { describeValue, quote } from '../../common/text.js';
import { ResourceError } from '../../error/infrastructureErrors.js';

const refusal = (problem: string, place: string, remedy: string): ResourceError =>
  new ResourceError(problem, { code: 'E916', place, remedy });

/** The errors of ready-made transactional state. Each is a mistake of a program, not of a model. */
export const stateRefusals = {
  key: (type: unknown, key: unknown) =>
    refusal(`a key is a text or a number, got ${describeValue(key)}`, className(type), 'Pass the key of a record.'),

  noRecord: (type: unknown, key: string | number) =>
    refusal(
      'undefined is not a record, because it would look like a missing one',
      `${className(type)}[${quote(String(key))}]`,
      'Pass a record. Use delete(key) to remove one, and null for an empty one.',
    ),

  privateMembers: (type: unknown) =>
    refusal(
      'the class has #private members, which only its constructor can create, and an overlay is created without it',
      className(type),
      "Use TypeScript's private for methods and fields of the class.",
    ),

  ownFunction: (type: unknown, field: string) =>
    refusal(
      'the field holds a function: a function created in the class would work on the table itself, past the overlay of a call',
      `${className(type)}.${field}`,
      'Turn it into a method. Keep a function that was passed in inside an object.',
    ),

  ownResource: (type: unknown, field: string) =>
    refusal(
      'the field holds a resource with its own overlays, which the overlays of this table would bypass',
      `${className(type)}.${field}`,
      'Bind it as a separate resource, or write a class with begin and commit for both.',
    ),

  uncopied: (value: unknown) =>
    refusal(
      `${isObject(value) ? `an instance of ${className(value.constructor)}` : describeValue(value)} cannot be copied`,
      'copied',
      'Pass an instance of a class, or an object, with data in its properties: no #private state, functions or buffers. Use TransactionalTable for records by key.',
    ),

  foreignOverlay: (type: unknown) =>
    refusal(
      'the overlay was begun elsewhere',
      className(type),
      'Pass an overlay to the object whose begin() returned it.',
    ),
} as const;
