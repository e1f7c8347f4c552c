import type { BoundPrompt } from 'toolwright';
import { ScopePolicy } from 'toolwright/policies';

type PromptMetadata = BoundPrompt['metadata'];

/** The scopes of each prompt, by tool. Metadata never change. */
const known = new WeakMap<PromptMetadata, ReadonlyMap<string, readonly string[]>>();

/** Returns the scopes that the policies of a declared tool need; none for other names. */
export function findToolScopes(metadata: PromptMetadata, name: unknown): readonly string[] {
  const scopes = known.get(metadata) ?? readScopes(metadata);
  known.set(metadata, scopes);
  return typeof name === 'string' ? (scopes.get(name) ?? []) : [];
}

function readScopes({ allSections }: PromptMetadata): ReadonlyMap<string, readonly string[]> {
  const tools = allSections.flatMap((section) => section.tools);
  return new Map(
    tools.map(({ name, guardrails }) => [
      name,
      guardrails.policies.flatMap((policy) => (policy instanceof ScopePolicy ? policy.scopes : [])),
    ]),
  );
}
