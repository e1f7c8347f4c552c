import type { CodeEntry } from './CodeEntry.js';

/** Resources and filesystems: E901-E912. */
export const resourceCodes = {
  E901: {
    title: 'Resource is not bound',
    meaning: 'No binding names the class that was asked for.',
    remedy: 'Add bind(Class, …) to the resources of the application.',
  },
  E902: {
    title: 'Resources form a circle',
    meaning: 'Each of the named resources needs the next one before it can be provided.',
    remedy: 'Break the circle.',
  },
  E903: {
    title: 'Resource bound twice',
    meaning: 'One list holds two bindings for one class.',
    remedy: 'Remove one of them.',
  },
  E904: {
    title: 'Resource provider failed',
    meaning:
      'The function that provides the resource threw, takes time and was not waited for, or wants to hold what lives shorter than itself.',
    remedy: 'Correct the provider; the cause is attached.',
  },
  E905: {
    title: 'Filesystem refused',
    meaning:
      'A file operation cannot be done: kind says whether the path, what stands there, or the pattern is at fault. Nothing was changed.',
    remedy: 'Do what the message says; check the path with exists or list first.',
  },
  E906: {
    title: 'Host filesystem cannot be opened',
    meaning:
      'HostFilesystem.open needs Linux with /proc, a folder that is there, and, for snapshots, git and a place for them outside of that folder.',
    remedy: 'Do what the message says.',
  },
  E907: {
    title: 'Host filesystem failed',
    meaning:
      'The folder could not be worked in for a reason that lies in the host: the disk is full, git failed, a file may not be read for a snapshot. Or the filesystem was closed, or opened without the snapshots that were asked for.',
    remedy: 'Remove what the message names as the reason, and try again.',
  },
  E908: {
    title: 'Resources failed to close',
    meaning: 'Everything was closed, and some of it threw while it was; errors holds what.',
    remedy: 'Correct how the named resources close, or give bind a close of your own.',
  },
  E909: {
    title: 'Resource was closed',
    meaning: 'The application or prompt that held it has been closed, and gives nothing any more.',
    remedy: 'Close it when nobody needs it any more.',
  },
  E910: {
    title: 'Write that cannot wait',
    meaning:
      'One call at a time writes to a resource that is changed in place, and only once it has a snapshot of it. A write waits for both, but for setting a property, for methods of resources whose snapshots are there at once, and for calls that hold another such resource and might wait for ever.',
    remedy: 'Call a method instead of setting a property; when another call is writing, call the tool again.',
  },
  E911: {
    title: 'Resource not put back',
    meaning:
      'A call failed, and what it had changed in place could not be restored, or one of its operations did not come to an end. The resource may hold part of its changes.',
    remedy: 'Look at the resource before you go on; let operations listen to context.signal.',
  },
  E912: {
    title: 'Binding that cannot be',
    meaning:
      'What was bound is no class, its options contradict each other, or something stands in a list of bindings that bind did not give.',
    remedy:
      'Write bind(Class, { value }) or bind(Class, { provide, scope, eager, close }); a prototype takes provide and scope only.',
  },
} as const satisfies Record<string, CodeEntry>;
