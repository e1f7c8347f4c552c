import { FilesystemError, type FilesystemErrorKind } from '../../../../src/error/FilesystemError';
import type { Filesystem } from '../../../../src/interface/Filesystem';

/** Opens an empty filesystem, another one each time. */
export type OpenFilesystem = () => Promise<Filesystem>;

/** The error that the operation ends with; fails the test when it ends well. */
export async function refusalOf(operation: Promise<unknown>): Promise<FilesystemError> {
  const error = await operation.then(
    (value) => new Error(`it was done: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FilesystemError)) throw error;
  return error;
}

/** That an operation is refused with this kind, at this path as it was given, and that a reader learns what to do. */
export async function expectRefusal(
  operation: Promise<unknown>,
  kind: FilesystemErrorKind,
  path: string,
): Promise<void> {
  const error = await refusalOf(operation);
  expect({ kind: error.kind, path: error.path }).toEqual({ kind, path });
  expect(error).toMatchObject({ name: 'FilesystemError', code: 'E905', place: path });
  expect(error.message).toContain(JSON.stringify(path));
  expect(error.message.endsWith(` ${error.remedy}`)).toBe(true);
  expect(error.remedy).toMatch(/^[A-Z].*\.$/);
}

/** A new filesystem with these files in it. */
export async function withFiles(open: OpenFilesystem, files: Readonly<Record<string, string>>): Promise<Filesystem> {
  const fs = await open();
  for (const [path, content] of Object.entries(files)) await fs.write(path, content);
  return fs;
}

/** The exact text of a file: `read` drops the last `\n`. */
export async function textOf(fs: Filesystem, path: string): Promise<string> {
  const { content } = await fs.read(path, { limit: -1 });
  const { sizeBytes } = await fs.stat(path);
  return Buffer.byteLength(content) === sizeBytes ? content : `${content}\n`;
}

/** The names in a directory. */
export const names = async (fs: Filesystem, path?: string): Promise<readonly string[]> =>
  (await fs.list(path)).map(({ name }) => name);
