import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for resources and filesystems: E901-E922. */
export const resourceRemedies = createCodeTable({
  E901: 'Add bind(Class, …) to the resources of the application.',
  E902: 'Break the cycle.',
  E903: 'Remove one of them.',
  E904: 'Correct the provider; the cause is attached.',
  E905: 'Follow the message. Check the path with exists or list first.',
  E906: 'Follow the message.',
  E907: 'Remove the cause that the message names, and try again.',
  E908: 'Correct the close methods of the named resources, or pass your own close to bind.',
  E909: 'Close it only after its last use.',
  E910: 'Call a method instead of setting a property. If another call is writing, call the tool again.',
  E911: 'Check the resource before you continue. Make its operations observe context.signal.',
  E912: 'Write bind(Class, { value }) or bind(Class, { provide, scope, eager, close }); a prototype takes provide and scope only.',
  E913: 'Correct the cause, such as a refused connection.',
  E914: 'Check the state before you continue. While a commit is running, change the session and its resources only through calls.',
  E915: 'Answer from memory. If a store must ask another system, let commit return "conflicted" instead.',
  E916: 'Keep data in records, and put the code that works on it into methods.',
  E917: 'End the work that it waits for: close connections, and give subscribers their own deadline.',
  E918: 'Correct the cause. Until then, no call can write to the resource.',
  E919: 'Write run: (work, { readOnly }) => database.transaction(work), and return its promise.',
  E920: 'Call work once in each run. The tool repeats a call; a transaction must not repeat its callback.',
  E921: 'Return the promise of the transaction, rethrow the error of work, and allow the transaction more time than the tool.',
  E922: 'Write run: (work, { readOnly }) => …, and open a read-only transaction; or leave these tools out: tools: ({ hints }) => hints.readOnly !== true.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
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
    meaning: 'A list contains two bindings for one class.',
  },
  E904: {
    title: 'Resource provider failed',
    meaning:
      'The function that provides the resource threw, is asynchronous and was not awaited, or requests a resource with a shorter lifetime.',
  },
  E905: {
    title: 'Filesystem refused',
    meaning:
      'A file operation failed. kind says whether the path, the entry at the path or the pattern is at fault. Nothing was changed.',
  },
  E906: {
    title: 'Host filesystem cannot be opened',
    meaning:
      'HostFilesystem.open needs Linux with /proc and an existing folder. For snapshots, it also needs git and a place for them outside that folder.',
  },
  E907: {
    title: 'Host filesystem failed',
    meaning:
      'An operation on the folder failed because of the host: the disk is full, git failed, or a file may not be read for a snapshot. Or the filesystem was closed, or was opened without the requested snapshots.',
  },
  E908: {
    title: 'Resources failed to close',
    meaning: 'All resources were closed, but some threw. errors holds their errors.',
  },
  E909: {
    title: 'Resource was closed',
    meaning: 'The application or prompt that held the resource has been closed and no longer provides it.',
  },
  E910: {
    title: 'Write cannot wait',
    meaning:
      'Only one call at a time writes to a resource that is changed in place, and only after a snapshot of the resource was taken. A write waits for both. Three kinds of write cannot wait: setting a property, calling a method of a resource that takes its snapshots synchronously, and a write by a call that holds another such resource and might wait for ever.',
  },
  E911: {
    title: 'Resource was not restored',
    meaning:
      'A call failed, and its changes in place could not be undone, restoring took more than 5 seconds, or one of its operations did not finish. The resource may hold part of the changes.',
  },
  E912: {
    title: 'Invalid binding',
    meaning:
      'The bound type is not a class, its options contradict each other, or a list of bindings contains an object that bind did not return.',
  },
  E913: {
    title: 'Transaction did not begin',
    meaning: 'begin of a transactional resource threw, or its promise was rejected. The cause is attached.',
  },
  E914: {
    title: 'Commit is partial or unknown',
    meaning:
      'Of several resources and the session, some were committed and others were not; or a commit took too long. The call failed with effect: "unknown".',
  },
  E915: {
    title: 'Resource did not answer synchronously',
    meaning:
      'conflicts or changed of a transactional resource threw, or returned something other than true or false, such as a promise.',
  },
  E916: {
    title: 'Transactional state used wrongly',
    meaning: 'A TransactionalTable or copied was given a value that it cannot keep, copy or share with overlays.',
  },
  E917: {
    title: 'Closing takes too long',
    meaning:
      'A resource of a call has 5 seconds to close; a resource of an application has 30 seconds, and so do asynchronous subscribers. Everything else was closed.',
  },
  E918: {
    title: 'Snapshot failed',
    meaning:
      'snapshot of a resource that is changed in place threw, was rejected or did not end, so the write was not done. The call fails even if its handler swallowed the error.',
  },
  E919: {
    title: 'Transaction of a call was not opened',
    meaning:
      'run of a callTransaction ended before it called work, so the call has no client. The handler did not run.',
  },
  E920: {
    title: 'Transaction of a call was opened twice',
    meaning:
      'run of a callTransaction called work a second time, or after run had ended. A call has one transaction, so this one is rolled back.',
  },
  E921: {
    title: 'Transaction ended before its call',
    meaning:
      'run of a callTransaction ended while its call was running, for instance at a time limit of the database library, or it ended without an error although work was rejected. If it did not throw, it is unknown which changes were kept.',
  },
  E922: {
    title: 'Read-only call in a writable transaction',
    meaning:
      'run of a callTransaction opened a transaction for a tool with hints.readOnly and did not read its option readOnly. Such a call is always rolled back, so its writes would vanish without an error. The handler did not run.',
  },
};
