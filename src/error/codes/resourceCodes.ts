import { createCodeTable, type CodeText } from './CodeText.js';

/** Resources and filesystems: E901-E921: what to do. */
export const resourceRemedies = createCodeTable({
  E901: 'Add bind(Class, …) to the resources of the application.',
  E902: 'Break the cycle.',
  E903: 'Remove one of them.',
  E904: 'Correct the provider; the cause is attached.',
  E905: 'Do what the message says; check the path with exists or list first.',
  E906: 'Do what the message says.',
  E907: 'Remove what the message names as the reason, and try again.',
  E908: 'Correct how the named resources close, or give bind a close of your own.',
  E909: 'Close it only after its last use.',
  E910: 'Call a method instead of setting a property; when another call is writing, call the tool again.',
  E911: 'Check the resource before you continue; make operations observe context.signal.',
  E912: 'Write bind(Class, { value }) or bind(Class, { provide, scope, eager, close }); a prototype takes provide and scope only.',
  E913: 'Correct the cause, such as a connection that was refused.',
  E914: 'Check the state before you continue. While a commit takes time, change the session and its resources through calls only.',
  E915: 'Answer from memory; a store that must ask elsewhere lets commit return "conflicted" instead.',
  E916: 'Keep data in records, and what works on it in methods.',
  E917: 'End what it waits for: close connections, and have subscribers observe a deadline of their own.',
  E918: 'Correct the cause; until then, no call can write to the resource.',
  E919: 'Write run: (work, { readOnly }) => database.transaction(work), and return its promise.',
  E920: 'Call work once in each run: a call is made again by its tool, not by a transaction that repeats its callback.',
  E921: 'Return the promise of the transaction, pass on the error of work, and allow the transaction more time than the tool.',
  E922: 'Write run: (work, { readOnly }) => …, and open a read-only transaction; or leave these tools out: tools: ({ hints }) => hints.readOnly !== true.',
});

/** What the codes mean, for docs/errors.md. */
export const resourceTexts: Readonly<Record<keyof typeof resourceRemedies, CodeText>> = {
  E901: {
    title: 'Resource is not bound',
    meaning: 'No binding names the requested class.',
  },
  E902: {
    title: 'Resources form a cycle',
    meaning: 'Each of the named resources needs the next one before it can be provided.',
  },
  E903: {
    title: 'Resource bound twice',
    meaning: 'One list holds two bindings for one class.',
  },
  E904: {
    title: 'Resource provider failed',
    meaning:
      'The function that provides the resource threw, is asynchronous and was not awaited, or requests a resource with a shorter lifetime.',
  },
  E905: {
    title: 'Filesystem refused',
    meaning:
      'A file operation cannot be done: kind says whether the path, the entry at it, or the pattern is at fault. Nothing was changed.',
  },
  E906: {
    title: 'Host filesystem cannot be opened',
    meaning:
      'HostFilesystem.open needs Linux with /proc, a folder that is there, and, for snapshots, git and a place for them outside of that folder.',
  },
  E907: {
    title: 'Host filesystem failed',
    meaning:
      'An operation on the folder failed for a reason in the host: the disk is full, git failed, a file may not be read for a snapshot. Or the filesystem was closed, or opened without the snapshots that were asked for.',
  },
  E908: {
    title: 'Resources failed to close',
    meaning: 'All resources were closed, but some threw; errors holds what they threw.',
  },
  E909: {
    title: 'Resource was closed',
    meaning: 'The application or prompt that held it has been closed, and no longer provides resources.',
  },
  E910: {
    title: 'Write that cannot wait',
    meaning:
      'One call at a time writes to a resource that is changed in place, and only once it has a snapshot of it. A write waits for both, but for setting a property, for methods of resources whose snapshots are there at once, and for calls that hold another such resource and might wait for ever.',
  },
  E911: {
    title: 'Resource not restored',
    meaning:
      'A call failed, and what it had changed in place could not be restored, restoring took more than 5 seconds, or one of its operations did not finish. The resource may hold part of its changes.',
  },
  E912: {
    title: 'Invalid binding',
    meaning:
      'The bound type is not a class, its options contradict each other, or a list of bindings contains something that bind did not return.',
  },
  E913: {
    title: 'Transaction did not begin',
    meaning: 'begin of a transactional resource threw, or its promise rejected; the cause is attached.',
  },
  E914: {
    title: 'Commit in part, or unknown',
    meaning:
      'Of several resources and the session, one was committed and another was not; or a commit took too long. The call failed with effect: "unknown".',
  },
  E915: {
    title: 'Resource did not answer at once',
    meaning:
      'conflicts or changed of a transactional resource threw, or gave something other than true or false, such as a promise.',
  },
  E916: {
    title: 'Transactional state used wrongly',
    meaning: 'A TransactionalTable or copied was given something that it cannot keep, copy or share with overlays.',
  },
  E917: {
    title: 'Closing takes too long',
    meaning:
      'A resource of a call was given 5 seconds to close, one of an application 30 seconds, and so were asynchronous subscribers. Everything else was closed.',
  },
  E918: {
    title: 'Snapshot failed',
    meaning:
      'snapshot of a resource that is changed in place threw, rejected or did not end, so that a write was not done. The call fails, also if its handler swallowed the error.',
  },
  E919: {
    title: 'Transaction of a call was not opened',
    meaning:
      'run of a callTransaction ended before it called work, so that the call has no client. The handler did not run.',
  },
  E920: {
    title: 'Transaction of a call was opened twice',
    meaning:
      'run of a callTransaction called work a second time, or after it had ended. That transaction is rolled back, because a call has one.',
  },
  E921: {
    title: 'Transaction of a call ended by itself',
    meaning:
      'run of a callTransaction ended while its call was running, for instance at a time limit of the database library, or ended without an error although work was rejected. If it did not throw, it is not known what was kept.',
  },
  E922: {
    title: 'Read-only call in a transaction that can write',
    meaning:
      'run of a callTransaction opened a transaction for a tool with hints.readOnly, and did not read its option readOnly. Such a call is always rolled back, and its writes would vanish without an error. The handler did not run.',
  },
};
