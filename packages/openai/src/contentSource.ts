import type { ContentPart } from 'toolwright';
import type { ContentSource } from 'toolwright/types';

type FilePart = Extract<ContentPart, { kind: 'file' }>;

/** Returns the address of a part's bytes; bytes in the message become a data URL. */
export function addressOf(part: { readonly mediaType: string } & ContentSource): string {
  return part.url ?? `data:${part.mediaType};base64,${part.data}`;
}

/** Returns the name of a file, which the provider requires beside its bytes. */
export function fileName({ name, mediaType }: FilePart): string {
  return name ?? `file.${/^[a-z]+\/([a-z0-9]+)$/.exec(mediaType)?.[1] ?? 'bin'}`;
}
