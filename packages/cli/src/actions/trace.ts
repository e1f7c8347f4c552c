import type { CommandContext } from '../Context.js';
import { readRecorded } from '../recorded.js';
import { joinLines } from '../terminal/TerminalText.js';
import { bundleTrees } from '../trace/bundleTrees.js';
import { transcriptTree } from '../trace/transcriptTree.js';
import { drawTrees } from '../trace/tree.js';

/** `toolwright trace` */
export async function trace(
  context: CommandContext,
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { folder, terminal } = context;
  const recorded = await readRecorded(file, folder);
  if (json) {
    terminal.json(recorded.kind === 'bundle' ? recorded.bundle.entries : recorded.messages);
    return;
  }
  const trees = recorded.kind === 'bundle' ? bundleTrees(recorded.bundle) : transcriptTree(recorded.messages);
  terminal.data(joinLines(drawTrees(trees)));
}
