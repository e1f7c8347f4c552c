import type { CommandContext } from '../Context.js';
import { readRecorded } from '../readRecorded.js';
import { joinLines } from '../terminal/TerminalText.js';
import { buildBundleTrees } from '../trace/buildBundleTrees.js';
import { buildTranscriptTree } from '../trace/buildTranscriptTree.js';
import { drawTrees } from '../trace/drawTrees.js';

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
  const trees = recorded.kind === 'bundle' ? buildBundleTrees(recorded.bundle) : buildTranscriptTree(recorded.messages);
  terminal.data(joinLines(drawTrees(trees)));
}
