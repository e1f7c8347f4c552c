import { brand, hasBrand } from '../common/brand.js';
import { ToolwrightError } from './ToolwrightError.js';

/** Why a filesystem refused: what is wrong with the path, or with the pattern or text to look for. */
export type FilesystemErrorKind =
  'notFound' | 'isDirectory' | 'notDirectory' | 'exists' | 'invalidPath' | 'invalidPattern';

/**
 * An operation that a filesystem refused; nothing was changed. The message shows the path as the caller gave it and says
 * what to do next; its reader may be a language model, so there is no code in it (docs/contract.md, 15).
 */
export class FilesystemError extends ToolwrightError {
  readonly kind: FilesystemErrorKind;
  /** As the caller gave it; for `invalidPattern` the pattern, or the path of the file in which a text was to be replaced. */
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

  static override is(this: void, value: unknown): value is FilesystemError {
    return hasBrand(value, 'FilesystemError');
  }
}
brand(FilesystemError, 'FilesystemError');
