import { Param } from '../../decorator/Param.js';

const FILE = 'Path of the file, relative to the root of the workspace';

/** The arguments of `ls`. */
export class ListParams {
  @Param('Path of the directory, relative to the root of the workspace; the root when left out')
  path = '/';
}

/** The arguments of `read_file`. */
export class ReadFileParams {
  @Param(FILE)
  path!: string;

  @Param({ description: 'How many lines to skip', integer: true, min: 0 })
  offset = 0;

  @Param({ description: 'How many lines to read at most', integer: true, min: 1, max: 2_000 })
  limit = 2_000;
}

/** The arguments of `write_file`. */
export class WriteFileParams {
  @Param(FILE)
  path!: string;

  @Param('The whole text of the file')
  content!: string;
}

/** The arguments of `edit_file`. */
export class EditFileParams {
  @Param(FILE)
  path!: string;

  @Param({
    description: 'The text to replace, exactly as it is in the file: with its white space, without line numbers',
    name: 'old_text',
    minLength: 1,
  })
  oldText!: string;

  @Param({ description: 'The text to put in its place; empty to take it out', name: 'new_text' })
  newText!: string;

  @Param({ description: 'Replace every occurrence; otherwise there must be exactly one', name: 'replace_all' })
  replaceAll = false;
}

/** The arguments of `glob`. */
export class GlobParams {
  @Param('Pattern of file names: * ? [abc] {a,b}, and ** for any directories. Without a slash it fits at any depth')
  pattern!: string;

  @Param('Path of the directory to look in; the root when left out')
  path = '/';
}

/** The arguments of `grep`. */
export class GrepParams {
  @Param('JavaScript regular expression, matched with each line')
  pattern!: string;

  @Param('Path of the directory or file to look in; the root when left out')
  path = '/';

  @Param({ description: 'Look only into files that this pattern fits, such as *.ts', type: String, optional: true })
  glob?: string | undefined;

  @Param({ description: 'How many lines to show at most', integer: true, min: 1, max: 1_000 })
  limit = 200;
}

/** The arguments of `rm`. */
export class RemoveParams {
  @Param('Path of the file or directory, relative to the root of the workspace')
  path!: string;

  @Param('Delete a directory with everything in it')
  recursive = false;
}
