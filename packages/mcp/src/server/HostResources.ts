import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import type {
  BlobResourceContents,
  Resource,
  ResourceTemplate,
  TextResourceContents,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpClient } from './McpClient.js';
import { contentsOf } from './McpContent.js';
import type { McpResource, McpResourceInfo, McpResourceTemplate } from './McpResource.js';

/** The documents that the host offers in addition to the sections of the prompt. */
export class HostResources {
  readonly list: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
  readonly #byUri: ReadonlyMap<string, McpResource>;
  readonly #templates: readonly { readonly uri: UriTemplate; readonly template: McpResourceTemplate }[];

  constructor(fixed: readonly McpResource[], open: readonly McpResourceTemplate[]) {
    this.#byUri = new Map(fixed.map((resource) => [resource.uri, resource]));
    this.#templates = open.map((template) => ({ uri: new UriTemplate(template.uriTemplate), template }));
    this.list = fixed.map((resource) => ({ uri: resource.uri, ...infoOf(resource) }));
    this.templates = open.map((template) => ({ uriTemplate: template.uriTemplate, ...infoOf(template) }));
  }

  has(uri: string): boolean {
    return this.#byUri.has(uri) || this.#match(uri) !== undefined;
  }

  /** Reads a document. Returns undefined if it does not exist. */
  async read(uri: string, client: McpClient): Promise<TextResourceContents | BlobResourceContents | undefined> {
    const resource = this.#byUri.get(uri);
    if (resource !== undefined) return contentsOf(uri, await resource.read(client), resource.mimeType);
    const found = this.#match(uri);
    const data = await found?.template.read(found.variables, client);
    return data === undefined ? undefined : contentsOf(uri, data, found?.template.mimeType);
  }

  async complete(uriTemplate: string, variable: string, typed: string): Promise<readonly string[]> {
    const { template } = this.#templates.find(({ template: each }) => each.uriTemplate === uriTemplate) ?? {};
    return (await template?.complete?.(variable, typed)) ?? [];
  }

  #match(
    uri: string,
  ): { readonly template: McpResourceTemplate; readonly variables: Readonly<Record<string, string>> } | undefined {
    for (const { uri: pattern, template } of this.#templates) {
      const match = pattern.match(uri);
      if (match === null) continue;
      const variables = Object.entries(match).map(([name, value]) => [name, [value].flat().join(',')] as const);
      return { template, variables: Object.fromEntries(variables) };
    }
    return undefined;
  }
}

function infoOf({ name, title, description, mimeType }: McpResourceInfo): Omit<Resource, 'uri'> {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}
