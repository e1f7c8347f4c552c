// The client sets of the conformance suite, against the bridge over the built package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../../../scripts/process.mjs';

const REQUIREMENTS = join(root, 'node_modules/@modelcontextprotocol/conformance/requirements');
const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url));

/**
 * Returns the client scenarios of a revision, of which each starts a process.
 *
 * @param revision `2025-11-25` or `2026-07-28`
 * @param kind `scored`; or `extension`, which holds the authorization extensions
 */
export function clientSet(revision, kind) {
  return {
    needsServer: false,
    scenarios: listScenarios(revision, kind).map((name) => ({
      name,
      list: (_url, node) => [
        ...['client', '--command', `${node} ${CLIENT}`],
        ...['--scenario', name, '--spec-version', revision, ...(kind === 'extension' ? ['--force'] : [])],
      ],
    })),
  };
}

/** Lists the client scenarios of a revision's frozen requirements. */
function listScenarios(revision, kind) {
  const lines = readFileSync(join(REQUIREMENTS, `${revision}.yaml`), 'utf8');
  if (kind === 'scored') {
    const [, list = ''] = /^client:\n((?: +- .*\n)+)/m.exec(lines) ?? [];
    return [...list.matchAll(/- (\S+)/g)].map(([, name]) => name);
  }
  const entries = lines.matchAll(/- scenario: (\S+)\n +leg: client\n +reason: (\S+)/g);
  return [...entries].filter(([, , reason]) => reason === kind).map(([, name]) => name);
}
