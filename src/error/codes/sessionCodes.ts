import { createCodeTable, type CodeText } from './CodeText.js';

/** Sessions: E801-E808: what to do. */
export const sessionRemedies = createCodeTable({
  E801: 'Use plain objects, arrays and classes with readonly properties in state slices.',
  E802: 'Correct the state class.',
  E803: 'Take the snapshot with session.snapshot(), or carry state over with toJSON and fromJSON.',
  E804: 'Correct the option; { type, name } gives a class another name.',
  E805: 'Register the class with new Session({ slices: [X] }), or declare the property with @Field.',
  E806: 'Pass the result of JSON.parse, and the slices that the session was written with.',
  E807: 'Dispatch an instance: session.dispatch(new AddStep(…)).',
  E808: 'Use session.table(X) for a class that extends TransactionalTable and is among the slices, and session.slice(X) for others.',
});

/** What the codes mean, for docs/errors.md. */
export const sessionTexts: Readonly<Record<keyof typeof sessionRemedies, CodeText>> = {
  E801: {
    title: 'State of a kind that cannot be rolled back',
    meaning:
      'Map, Set, Date, typed arrays, functions, getters, proxies, event emitters and classes with #private state can be changed although they are frozen. The place is the path of what was refused.',
  },
  E802: {
    title: 'Reducer declared twice or wrongly',
    meaning:
      '@Reducer decorates an instance method and names one event class, and each event class once. A reducer returns an operation.',
  },
  E803: {
    title: 'Snapshot of another session',
    meaning:
      'A snapshot can be restored only in the session that it was taken of, in a clone of it, or the other way round.',
  },
  E804: {
    title: 'Session created with invalid options',
    meaning:
      'slices lists each class once, each under a name of its own; tags is a record of strings; parent is a session, and the one that parentId names.',
  },
  E805: {
    title: 'State that cannot be written as JSON',
    meaning:
      'A session is written only in a way in which it can be read back: slices under registered names, with plain data, and with classes and dates where @Field declares them.',
  },
  E806: {
    title: 'JSON that is not a session',
    meaning:
      'Session.fromJSON received something that toJSON does not write: another version, a name that no class is registered for, or a value that does not fit its class. No session was created.',
  },
  E807: {
    title: 'Event without a class',
    meaning:
      'Reducers are found by the class of an event, and an event without reducers goes to the slice of its class.',
  },
  E808: {
    title: 'Table that the session does not have',
    meaning:
      'session.table takes a class that extends TransactionalTable and that the session lists among its slices. Its records have keys, so it cannot be used as a slice of values.',
  },
};
