import { FilesystemError } from '../../error/FilesystemError.js';
import { ToolRefusal } from '../../error/toolErrors.js';
import type { Filesystem } from '../../interface/Filesystem.js';
import type { ToolContext } from '../../tool/ToolContext.js';

/**
 * Runs work on the files of a call.
 *
 * @throws ToolRefusal if no filesystem is bound, or the filesystem refuses
 */
export async function withFiles<T>({ filesystem }: ToolContext, use: (files: Filesystem) => Promise<T>): Promise<T> {
  if (filesystem === null) {
    throw new ToolRefusal(
      'There are no files: no filesystem is bound. Continue without them. ' +
        'The host binds one with createApplication({ resources: [bind(Filesystem, { value: files })] }).',
    );
  }
  try {
    return await use(filesystem);
  } catch (error) {
    // A refusal of the filesystem is not a failure: its message is for the model, and sufficient.
    throw FilesystemError.is(error) ? new ToolRefusal(error.message, { cause: error }) : error;
  }
}
