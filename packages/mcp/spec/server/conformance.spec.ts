import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceServer } from '../support/serverConformance';
import { closeAll, closing } from '../support/serverKit';

const cli = join(__dirname, '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const results = mkdtempSync(join(tmpdir(), 'toolwright-mcp-conformance-'));

jest.setTimeout(120_000);
afterEach(closeAll);
afterAll(() => rmSync(results, { recursive: true, force: true }));

/** The result of the official suite for a server. */
function suite(url: string): Promise<string> {
  const args = [cli, 'server', '--url', url, '--suite', 'all', '--output-dir', results];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout));
  });
}

test('MCP-01 the official conformance suite passes, every scenario of it', async () => {
  const server = closing(await conformanceServer());
  const report = await suite(await server.listen());
  const scenarios = [...report.matchAll(/^[✓✗] (?<name>[\w-]+): \d+ passed, (?<failed>\d+) failed$/gm)];
  expect(scenarios.filter(({ groups }) => groups?.['failed'] !== '0').map(({ groups }) => groups?.['name'])).toEqual(
    [],
  );
  expect(scenarios).toHaveLength(32);
  expect(report).toContain('Total: 44 passed, 0 failed');
});
