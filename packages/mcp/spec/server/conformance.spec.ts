import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newNode } from '../../../../spec/support/newNode';
import { conformanceServer } from '../support/serverConformance';
import { closeAll, closing } from '../support/serverKit';

const cli = join(__dirname, '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const results = mkdtempSync(join(tmpdir(), 'toolwright-mcp-conformance-'));

const node = newNode();

jest.setTimeout(240_000);
afterEach(closeAll);
afterAll(() => rmSync(results, { recursive: true, force: true }));

/** The result of the official suite for a server. */
function suite(url: string, revision: string): Promise<string> {
  const args = [cli, 'server', '--url', url, '--requirements', revision, '--output-dir', results];
  return new Promise((resolve) => {
    execFile(String(node), args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout));
  });
}

(node === undefined ? test.skip : test).each([
  ['2025-11-25', 33],
  // The scenarios of tasks run, too.
  ['2026-07-28', 50],
])('MCP-01 every scenario of the official suite for %s passes that it scores', async (revision, count) => {
  const server = closing(await conformanceServer());
  const report = await suite(await server.listen(), revision);
  const [scored, unscored] = report.split('\nNot scored for ');
  const scenarios = [...(scored ?? '').matchAll(/^[✓✗] (?<name>[\w-]+): \d+ passed, (?<failed>\d+) failed$/gm)];
  expect(scenarios).toHaveLength(count);
  const failed = scenarios.filter(({ groups }) => groups?.['failed'] !== '0').map(({ groups }) => groups?.['name']);
  expect(failed.filter((name) => unscored?.includes(` ${String(name)} (`) === false)).toEqual([]);
});
