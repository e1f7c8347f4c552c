import { brand } from '../common/brand.js';
import { ToolwrightError } from './ToolwrightError.js';

/** The reason why a filesystem refused an operation: a fault of the path, or of the pattern or text to search for. */
export type FilesystemErrorKind =
  'notFound' | 'isDirectory' | 'notDirectory' | 'exists' | 'invalidPath' | 'invalidPattern';

/**
 * A filesystem refused an operation. Nothing was changed. The message contains the path as passed by the caller and
 * says what to do next. A language model may read it, so it contains no code (docs/contract.md, 15).
 */
export class FilesystemError extends ToolwrightError {
  readonly kind: FilesystemErrorKind;
  /**
   * The path as passed by the caller; for `invalidPattern`, the pattern, or the path of the file in which a text was to
   * be replaced.
   */
  readonly path: string;

  /**
   * @param problem one sentence
   * @param remedy one sentence: what to do next
   */
  constructor(kind: FilesystemErrorKind, path: string, problem: string, remedy: string) {
    super(`${problem} ${remedy}`, { code: 'E905', place: path, remedy });
    this.kind = kind;
    this.path = path;
  }
}
brand(FilesystemError, 'FilesystemError');
