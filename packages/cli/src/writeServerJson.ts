import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeValue, formatMessage, isRecord, messageOf, ToolwrightError } from 'toolwright/internal/light';

/** The newest schema of `server.json` that the registry publishes. */
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** A namespace in reverse-DNS form, and a name. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_DESCRIPTION_CHARS = 100;
const MAX_NAME_CHARS = 200;

/**
 * Returns the text of `server.json`, with which a package of npm is published to the registry of MCP servers. What the registry checks
 * against the package is taken from package.json; everything else of an existing file is kept.
 *
 * @param folder the folder of package.json
 * @param existing the text of the existing file, if there is one
 * @throws ToolwrightError E930 if package.json lacks a field that the registry needs, or has a value that it refuses
 */
export function writeServerJson(folder: string, existing?: string): string {
  const before = existing === undefined ? {} : readObject(existing, 'server.json');
  const { mcpName, name, version, description, repository, homepage } = readManifest(folder);
  const serverName = requireText(
    mcpName,
    'mcpName',
    (text) => NAME.test(text) && text.length <= MAX_NAME_CHARS,
    'a name such as io.github.USER/SERVER: it is published with the package and proves that both have one owner',
  );
  const packageName = requireText(name, 'name', () => true, 'the name of the package');
  const checkedVersion = requireText(
    version,
    'version',
    (text) => !/[\^~><=*x]|latest/.test(text),
    'one version, such as 1.2.3, and no range',
  );
  const text = requireText(
    description,
    'description',
    (given) => given.length <= MAX_DESCRIPTION_CHARS,
    `1 to ${String(MAX_DESCRIPTION_CHARS)} characters`,
  );
  const source = readRepository(repository);
  const own = { registryType: 'npm', identifier: packageName, version: checkedVersion, transport: { type: 'stdio' } };
  const packages: readonly unknown[] = Array.isArray(before['packages']) ? before['packages'] : [own];
  const server = {
    ...before,
    $schema: SCHEMA,
    name: serverName,
    description: text,
    ...(source === undefined ? {} : { repository: source }),
    ...(typeof homepage === 'string' ? { websiteUrl: homepage } : {}),
    version: checkedVersion,
    packages: packages.map((each) =>
      isRecord(each) && each['identifier'] === packageName ? { ...each, version: checkedVersion } : each,
    ),
  };
  return `${JSON.stringify(server, null, 2)}\n`;
}

function readManifest(folder: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch (error) {
    throw createServerJsonError('package.json', messageOf(error));
  }
  return readObject(text, 'package.json');
}

function readObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw createServerJsonError(file, messageOf(error));
  }
  if (isRecord(value)) return value;
  throw createServerJsonError(file, 'it is not an object');
}

function requireText(value: unknown, field: string, isValid: (text: string) => boolean, expected: string): string {
  if (typeof value === 'string' && value !== '' && isValid(value)) return value;
  throw createServerJsonError('package.json', `${field}: expected ${expected}; got ${describeValue(value)}`);
}

/** Returns the repository as the registry writes it: an https URL of GitHub or GitLab, and the source. */
function readRepository(given: unknown): { readonly url: string; readonly source: string } | undefined {
  const url = isRecord(given) ? given['url'] : given;
  const match = /(?<source>github|gitlab)(?:\.com)?[/:](?<path>[\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(
    typeof url === 'string' ? url : '',
  );
  if (match?.groups === undefined) return undefined;
  const { source = '', path = '' } = match.groups;
  return { url: `https://${source}.com/${path}`, source };
}

function createServerJsonError(place: string, problem: string): ToolwrightError {
  const details = { code: 'E930', place } as const;
  return new ToolwrightError(formatMessage(problem, details), details);
}
