// Continues a script on Node 24 if this process is an older Node.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../../scripts/node24.mjs';
import { fail } from '../../../scripts/process.mjs';

/** Runs the script again on Node 24, and ends with its exit code; returns if this process is new enough. @param flags for Node */
export function continueOnNode24(script, flags = []) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major >= 24 && flags.every((flag) => process.execArgv.includes(flag))) return;
  const { node, problem } = major >= 24 ? { node: process.execPath } : node24();
  if (node === undefined) fail(problem);
  const args = [...flags, fileURLToPath(script), ...process.argv.slice(2)];
  process.exit(spawnSync(node, args, { stdio: 'inherit' }).status ?? 1);
}
