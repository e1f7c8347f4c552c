// `npm run -w @toolwright/mcp conformance`: the official conformance suite of MCP against a server over the built package, whose source is
// packages/mcp/spec/support/serverConformance.ts.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from '../../../scripts/build.mjs';
import { fail, root, temporaryFolder } from '../../../scripts/process.mjs';

/** Scenarios that may fail, and why. There are none. */
const EXPECTED_FAILURES = new Map([]);

await build();
const { conformanceServer } = createRequire(import.meta.url)(
  compiled('packages/mcp/spec/support/serverConformance.ts'),
);
const server = await conformanceServer();
const report = await suite(await server.listen());
await server.close();

const scenarios = [...report.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
  ([, name, passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }),
);
if (scenarios.length === 0) fail(`The suite ran no scenario:\n${report}`);
const sum = (key) => scenarios.reduce((total, scenario) => total + scenario[key], 0);
console.log(`mcp conformance: ${scenarios.length} scenarios, ${sum('passed')} checks passed, ${sum('failed')} failed`);
const surprises = scenarios.filter(({ name, failed }) => failed > 0 !== EXPECTED_FAILURES.has(name));
for (const { name, failed } of surprises)
  console.error(
    failed > 0 ? `${name} fails:\n${report}` : `${name} passes: take it off the list of expected failures.`,
  );
process.exitCode = surprises.length === 0 ? 0 : 1;

/** Runs the suite against the server at a URL; its exit code is not 0 if a check fails. */
function suite(url) {
  const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const results = temporaryFolder('mcp-conformance');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cli, 'server', '--url', url, '--suite', 'all', '--output-dir', results],
      { cwd: results, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    );
  });
}

/** The source as a file within this package, from where the package's own name resolves to the build. */
function compiled(source) {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
  };
  const { outputText } = ts.transpileModule(readFileSync(join(root, source), 'utf8'), {
    fileName: source,
    compilerOptions,
  });
  const folder = join(root, 'build/mcp-conformance');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'server.js'), outputText);
  return join(folder, 'server.js');
}
