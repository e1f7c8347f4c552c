import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for sessions: E801-E808. */
export const sessionRemedies = createCodeTable({
  E801: 'Use plain objects, arrays and classes with readonly properties in state slices.',
  E802: 'Correct the state class.',
  E803: 'Take the snapshot with session.snapshot(), or transfer state with toJSON and fromJSON.',
  E804: 'Correct the option; { type, name } gives a class another name.',
  E805: 'Register the class with new Session({ slices: [X] }), or declare the property with @Field.',
  E806: 'Pass the result of JSON.parse, and the slices that the session was written with.',
  E807: 'Dispatch an instance: session.dispatch(new AddStep(…)).',
  E808: 'Use session.table(X) for a class that extends TransactionalTable and is among the slices, and session.slice(X) for others.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const sessionTexts: Readonly<Record<keyof typeof sessionRemedies, CodeText>> = {
  E801: {
    title: 'State cannot be rolled back',
    meaning:
      'Map, Set, Date, typed arrays, functions, getters, proxies, event emitters and classes with #private state can be changed although they are frozen. The place is the path of the refused value.',
  },
  E802: {
    title: 'Invalid or duplicate reducer',
    meaning:
      '@Reducer decorates an instance method and names one event class, and each event class at most once. A reducer returns an operation.',
  },
  E803: {
    title: 'Snapshot of another session',
    meaning:
      'A snapshot can be restored only in the session that it was taken from, or between that session and its clones.',
  },
  E804: {
    title: 'Session created with invalid options',
    meaning:
      'slices lists each class once, each under its own name; tags is a record of strings; parent is a session, and must be the one that parentId names.',
  },
  E805: {
    title: 'State cannot be written as JSON',
    meaning:
      'A session is written only if it can be read back: slices under registered names, with plain data, and with classes and dates where @Field declares them.',
  },
  E806: {
    title: 'JSON is not a session',
    meaning:
      'Session.fromJSON received JSON that toJSON does not write: another version, a name without a registered class, or a value that does not match its class. No session was created.',
  },
  E807: {
    title: 'Event has no class',
    meaning: 'Reducers are found by the class of an event. An event without reducers goes to the slice of its class.',
  },
  E808: {
    title: 'Session does not have the table',
    meaning:
      'session.table takes a class that extends TransactionalTable and is listed among the slices. Its records have keys, so it cannot be used as a slice of values.',
  },
};
