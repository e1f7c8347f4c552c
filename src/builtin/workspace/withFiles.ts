import { FilesystemError } from '../../error/FilesystemError.js';
import { ToolRefusal } from '../../error/toolErrors.js';
import type { Filesystem } from '../../interface/Filesystem.js';
import type { ToolContext } from '../../tool/ToolContext.js';

/**
 * Does something with the files of a call.
 *
 * @throws ToolRefusal when there are no files, or the filesystem refuses
 */
export async function withFiles<T>({ filesystem }: ToolContext, use: (files: Filesystem) => Promise<T>): Promise<T> {
  if (filesystem === null) {
    throw new ToolRefusal(
      'There are no files: no filesystem is bound. Go on without them. ' +
        'The host binds one with createApplication({ resources: [bind(Filesystem, { value: files })] }).',
    );
  }
  try {
    return await use(filesystem);
  } catch (error) {
    // A filesystem that refuses has not failed: what it says is for the model, and is all that the model has to know.
    throw FilesystemError.is(error) ? new ToolRefusal(error.message, { cause: error }) : error;
  }
}
