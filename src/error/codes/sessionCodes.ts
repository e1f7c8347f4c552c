import { codeTable } from './codeTable.js';

/** Sessions: E801-E807. */
export const sessionCodes = codeTable({
  E801: {
    title: 'State of a kind that cannot be rolled back',
    meaning: 'Map, Set, Date, typed arrays and classes with #private state can be changed although they are frozen.',
    remedy: 'Use plain objects, arrays and classes with readonly properties in state slices and tables.',
  },
  E802: {
    title: 'Reducer declared twice or wrongly',
    meaning:
      '@Reducer decorates an instance method and names one event class, and each event class once. A reducer returns an operation.',
    remedy: 'Correct the state class.',
  },
  E803: {
    title: 'Snapshot of another session',
    meaning:
      'A snapshot can be restored only in the session that it was taken of, in a clone of it, or the other way round.',
    remedy: 'Take the snapshot with session.snapshot(), or carry state over with toJSON and fromJSON.',
  },
  E804: {
    title: 'Session created with invalid options',
    meaning:
      'slices lists each class once, each under its own name; tags is a record of strings; parent is the session that parentId names.',
    remedy: 'Correct the option; { type, name } gives a class another name.',
  },
  E805: {
    title: 'State that cannot be written as JSON',
    meaning:
      'A session is written only as it can be read back: slices under registered names, with plain data, and with classes and dates where @Field declares them.',
    remedy: 'Register the class with new Session({ slices: [X] }), or declare the property with @Field.',
  },
  E806: {
    title: 'JSON that is not a session',
    meaning:
      'Session.fromJSON received what toJSON does not write: another version, a name without a class, or a value that does not fit its class. No session was created.',
    remedy: 'Pass the result of JSON.parse, and the slices that the session was written with.',
  },
  E807: {
    title: 'Event without a class',
    meaning:
      'Reducers are found by the class of an event, and an event without reducers goes to the slice of its class.',
    remedy: 'Dispatch an instance: session.dispatch(new AddStep(…)).',
  },
});
