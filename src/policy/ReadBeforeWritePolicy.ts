import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { joinBounded, quote } from '../common/text.js';
import { FilesystemError } from '../error/FilesystemError.js';
import type { CallContext } from '../interface/CallContext.js';
import type { Filesystem } from '../interface/Filesystem.js';
import type { ToolView } from '../interface/PromptView.js';
import type { ParsedCall, PolicyDecision, ToolPolicy } from '../interface/ToolPolicy.js';
import { FilePath } from '../resource/filesystem/FilePath.js';
import type { ToolResult } from '../value/ToolResult.js';
import { allow, deny } from './decisions.js';
import { requireToolNames } from './requireToolNames.js';
import { fileExists } from './fileExists.js';
import { PolicyRecord } from '../session/PolicyRecord.js';

/** Options of `ReadBeforeWritePolicy`: the tools that read and write files; the workspace's tools by default. */
export interface ReadBeforeWriteOptions {
  /** The prefix of the model's paths that the filesystem's paths lack, such as `/workspace`. */
  readonly mountPoint?: string | undefined;
  /** `read_file` by default. */
  readonly reads?: readonly string[] | undefined;
  /** `write_file`, `edit_file` and `rm` by default. */
  readonly writes?: readonly string[] | undefined;
  /** The param that holds the path; `path` by default. */
  readonly pathParam?: string | undefined;
}

const optionNames: OptionNames<ReadBeforeWriteOptions> = { mountPoint: 1, reads: 1, writes: 1, pathParam: 1 };

/**
 * Denies changing or deleting an existing file that was not successfully read in this session; for a directory, this applies to
 * every file in it. New files may be written, and so may all files if no filesystem is bound (docs/contract.md, 10).
 *
 * @example
 * @Prompt({ ns: 'coding', key: 'desk', sections: [WorkspaceSection], policies: [new ReadBeforeWritePolicy()] })
 */
export class ReadBeforeWritePolicy implements ToolPolicy {
  readonly name = 'read_before_write';
  readonly #mount: readonly string[];
  /** The tools that the options name. */
  readonly tools: readonly string[];
  readonly #reads: readonly string[];
  readonly #writes: readonly string[];
  readonly #pathParam: string;

  /** @throws ToolwrightError E713, PromptError E413; FilesystemError invalidPath for the mount point */
  constructor(options: ReadBeforeWriteOptions = {}) {
    requireOptionNames('ReadBeforeWritePolicy', options, optionNames);
    const { mountPoint = '/', reads, writes, pathParam = 'path' } = options;
    this.#mount = FilePath.parse(mountPoint).names;
    this.#reads = requireToolNames('ReadBeforeWritePolicy', 'reads', reads ?? ['read_file']);
    this.#writes = requireToolNames('ReadBeforeWritePolicy', 'writes', writes ?? ['write_file', 'edit_file', 'rm']);
    // Without the names of the workspace's tools: a prompt may offer only some of them.
    this.tools = Object.freeze([...(reads ?? []), ...(writes ?? [])]);
    this.#pathParam = pathParam;
  }

  appliesTo({ name }: ToolView): boolean {
    return this.#writes.includes(name);
  }

  async check(call: ParsedCall, context: CallContext): Promise<PolicyDecision> {
    const { filesystem } = context;
    if (filesystem === null) return allow;
    const path = this.#pathOf(call);
    if (path === undefined) return deny(`it names no file in ${this.#pathParam}`);
    const read = new Set(PolicyRecord.of(this.name, context).map(({ subject }) => subject));
    const unread = (await listFiles(filesystem, path)).filter((file) => !read.has(file));
    if (unread.length === 0) return allow;
    const files = joinBounded(
      unread.map((file) => quote(file)),
      5,
    );
    const them = unread.length === 1 ? 'it' : 'them';
    return deny(
      `not read yet: ${files}. Read ${them} with ${this.#reads.join(' or ')} first, then call ${call.tool.name} again.`,
    );
  }

  onResult(call: ParsedCall, _result: ToolResult, context: CallContext): void {
    const path = this.#reads.includes(call.tool.name) ? this.#pathOf(call) : undefined;
    if (path !== undefined) context.session.dispatch(new PolicyRecord(this.name, call.tool.name, path, context.now()));
  }

  /** Returns the path as the filesystem names it; undefined if the call has none. */
  #pathOf({ params }: ParsedCall): string | undefined {
    const given = (params as Readonly<Record<string, unknown>> | null)?.[this.#pathParam];
    if (typeof given !== 'string') return undefined;
    const { names } = FilePath.parse(given);
    const isMounted = this.#mount.every((name, index) => names[index] === name);
    return (isMounted ? names.slice(this.#mount.length) : names).join('/');
  }
}

/** Lists the file at a path, or all files in the directory there; empty if there is neither. */
async function listFiles(filesystem: Filesystem, path: string): Promise<readonly string[]> {
  if (await fileExists(filesystem, path)) return [path];
  try {
    return await filesystem.glob('*', { path });
  } catch (error) {
    if (error instanceof FilesystemError && (error.kind === 'notFound' || error.kind === 'notDirectory')) return [];
    throw error;
  }
}
