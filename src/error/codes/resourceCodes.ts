import { codeTable } from './codeTable.js';

/** Resources and filesystems: E901-E912, E915. */
export const resourceCodes = codeTable({
  E901: {
    title: 'Resource is not bound',
    meaning: 'No binding names the requested class.',
    remedy: 'Add bind(Class, …) to the resources of the application.',
  },
  E902: {
    title: 'Resources form a cycle',
    meaning: 'Each of the named resources needs the next one before it can be provided.',
    remedy: 'Break the cycle.',
  },
  E903: {
    title: 'Resource bound twice',
    meaning: 'One list holds two bindings for one class.',
    remedy: 'Remove one of them.',
  },
  E904: {
    title: 'Resource provider failed',
    meaning: 'The provider threw, is asynchronous and was not awaited, or requests a resource with a shorter lifetime.',
    remedy: 'Correct the provider; the cause is attached.',
  },
  E905: {
    title: 'Filesystem refused',
    meaning:
      'A file operation cannot be done: kind says whether path, entry or pattern is at fault. Nothing was changed.',
    remedy: 'Do what the message says; check the path with exists or list first.',
  },
  E906: {
    title: 'Host filesystem cannot be opened',
    meaning:
      'HostFilesystem.open needs Linux with /proc, an existing folder, and, for snapshots, git and a place outside of that folder.',
    remedy: 'Do what the message says.',
  },
  E907: {
    title: 'Host filesystem failed',
    meaning:
      'An operation on the folder failed in the host: the disk is full, git failed, a file may not be read for a snapshot. Or the filesystem was closed, or opened without snapshots.',
    remedy: 'Remove what the message names as the reason, and try again.',
  },
  E908: {
    title: 'Resources failed to close',
    meaning: 'All resources were closed, but some threw; errors holds what they threw.',
    remedy: 'Correct how the named resources close, or give bind a close of your own.',
  },
  E909: {
    title: 'Resource was closed',
    meaning: 'The application or prompt that held it has been closed, and no longer provides resources.',
    remedy: 'Close it only after its last use.',
  },
  E910: {
    title: 'Write that cannot wait',
    meaning:
      'One call at a time writes to a resource that is changed in place, once it has a snapshot. A write waits for both, unless it sets a property, its snapshot is there at once, or the call holds another such resource and might wait for ever.',
    remedy: 'Call a method instead of setting a property; when another call is writing, call the tool again.',
  },
  E911: {
    title: 'Resource not restored',
    meaning:
      'A call failed, and what it changed in place could not be restored, or an operation of it did not finish. The resource may hold part of its changes.',
    remedy: 'Check the resource before you continue; make operations observe context.signal.',
  },
  E912: {
    title: 'Invalid binding',
    meaning:
      'The bound type is not a class, its options contradict each other, or a list of bindings holds what bind did not return.',
    remedy:
      'Write bind(Class, { value }) or bind(Class, { provide, scope, eager, close }); a prototype takes provide and scope only.',
  },
  E915: {
    title: 'Transactional state used wrongly',
    meaning: 'A TransactionalTable or copied was given something that it cannot keep, copy or share with overlays.',
    remedy: 'Keep data in records, and what works on it in methods (docs/state.md).',
  },
});
