import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { joinBounded, quote } from '../common/text.js';
import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import type { RunScope } from '../interface/RunScope.js';
import { fileExists } from './fileExists.js';

/** Options of `FileOutputChecker`. */
export interface FileOutputOptions {
  /** Paths of the files that must exist, in the filesystem that is bound to `Filesystem`. */
  readonly files: readonly string[];
}

const optionNames: OptionNames<FileOutputOptions> = { files: 1 };

/**
 * Accepts an answer if all the files exist; without a filesystem, only if the list of files is empty (docs/contract.md, 10).
 *
 * @example
 * \@Prompt({ ns: 'reports', key: 'weekly', sections: [Report], completion: [new FileOutputChecker({ files: ['report.md'] })] })
 */
export class FileOutputChecker implements CompletionChecker {
  readonly name = 'file_output';
  readonly files: readonly string[];

  /** @throws PromptError E413 */
  constructor(options: FileOutputOptions) {
    requireOptionNames('FileOutputChecker', options, optionNames);
    const { files } = options;
    this.files = Object.freeze([...files]);
  }

  async check(_answer: FinalAnswer, { filesystem }: RunScope): Promise<CompletionVerdict> {
    const missing: string[] = [];
    for (const file of this.files) if (filesystem === null || !(await fileExists(filesystem, file))) missing.push(file);
    if (missing.length === 0) return { complete: true };
    const names = joinBounded(missing.map((file) => quote(file, 200)));
    return {
      complete: false,
      feedback:
        filesystem === null
          ? `These files must be there, and this run has no filesystem to look into: ${names}.`
          : `These files must be there, and are not: ${names}. Write them.`,
    };
  }
}
