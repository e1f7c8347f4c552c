import { Field } from '../../decorator/Param.js';
import { listLines, joinToOneLine } from './resultTexts.js';

/** An entry of a directory. */
export class DirectoryEntry {
  @Field('Name in the directory')
  readonly name!: string;

  @Field('Path from the root of the workspace')
  readonly path!: string;

  @Field({ description: 'False for a file', name: 'is_directory' })
  readonly isDirectory!: boolean;

  /** Renders the name, followed by a slash for a directory. */
  render(): string {
    return `${joinToOneLine(this.name)}${this.isDirectory ? '/' : ''}`;
  }
}

/** The result of `ls`: everything in a directory, sorted by name. */
export class DirectoryListing {
  @Field({ description: 'What is in the directory, sorted by name', type: () => [DirectoryEntry] })
  readonly entries!: readonly DirectoryEntry[];

  /** Renders one entry per line. */
  render(): string {
    if (this.entries.length === 0) return 'The directory is empty.';
    return listLines(this.entries.map((entry) => entry.render()));
  }
}

/** The result of `glob`: the paths of files. */
export class FilesFound {
  @Field({ description: 'Paths from the root of the workspace, sorted', type: [String] })
  readonly paths!: readonly string[];

  /** Renders one path per line. */
  render(): string {
    return this.paths.length === 0 ? 'No file fits the pattern.' : listLines(this.paths.map(joinToOneLine));
  }
}

/** The result of `write_file`. */
export class FileWritten {
  @Field('Path from the root of the workspace')
  readonly path!: string;

  @Field({ description: 'Length in UTF-8', name: 'bytes_written', integer: true })
  readonly bytesWritten!: number;

  render(): string {
    return `Wrote ${String(this.bytesWritten)} bytes to ${joinToOneLine(this.path)}.`;
  }
}

/** The result of `edit_file`. */
export class FileEdited {
  @Field('Path from the root of the workspace')
  readonly path!: string;

  @Field({ description: 'How many occurrences were replaced', integer: true })
  readonly replacements!: number;

  render(): string {
    const { replacements: count } = this;
    return `Replaced ${String(count)} ${count === 1 ? 'occurrence' : 'occurrences'} in ${joinToOneLine(this.path)}.`;
  }
}

/** The result of `rm`. */
export class Removed {
  @Field('The path, as it was given')
  readonly path!: string;

  render(): string {
    return `Deleted ${joinToOneLine(this.path)}.`;
  }
}
