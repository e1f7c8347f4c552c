import type { MediaPart, MediaRole } from 'toolwright/internal';
import type { ContentPart } from 'toolwright';
import type { ContentSource } from 'toolwright/types';

/** The images that the provider reads. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** The formats of audio that Chat Completions knows, by media type. */
export const AUDIO: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/** Explains why the Responses API does not take a part; undefined if it does. */
export function findResponseProblem(part: MediaPart): string | undefined {
  if (part.kind === 'audio') return 'with audio: the Responses API takes text, images and files';
  return findImageProblem(part) ?? findAddressProblem(part);
}

/** Explains why Chat Completions does not take a part in a message of this role; undefined if it does. */
export function findChatProblem(part: MediaPart, role: MediaRole): string | undefined {
  const { kind, mediaType, url } = part;
  if (role === 'tool') return `with ${nameOf(kind)}: Chat Completions takes only text as the result of a tool`;
  if (kind === 'image') return findImageProblem(part) ?? findAddressProblem(part);
  if (url !== undefined) {
    const what = kind === 'audio' ? 'audio' : 'a file';
    return `with the address of ${what}: Chat Completions takes its bytes`;
  }
  const isKnown = kind === 'file' || AUDIO.has(mediaType);
  return isKnown ? undefined : `with ${mediaType}: Chat Completions takes audio as WAV or MP3`;
}

function findImageProblem({ kind, mediaType }: MediaPart): string | undefined {
  const isKnown = kind !== 'image' || IMAGES.has(mediaType);
  return isKnown ? undefined : `with ${mediaType}: the provider takes images as JPEG, PNG, GIF or WebP`;
}

function findAddressProblem({ url }: MediaPart): string | undefined {
  const isKnown = url === undefined || /^https?:/.test(url);
  return isKnown ? undefined : 'with such an address: the provider fetches only from http: and https:';
}

function nameOf(kind: MediaPart['kind']): string {
  return kind === 'audio' ? 'audio' : kind === 'image' ? 'an image' : 'a file';
}

type FilePart = Extract<ContentPart, { kind: 'file' }>;

/** Returns the address of a part's bytes; bytes in the message become a data URL. */
export function readAddress(part: { readonly mediaType: string } & ContentSource): string {
  return part.url ?? `data:${part.mediaType};base64,${part.data}`;
}

/** Returns the name of a file, which the provider requires beside its bytes. */
export function readFileName({ name, mediaType }: FilePart): string {
  return name ?? `file.${/^[a-z]+\/([a-z0-9]+)$/.exec(mediaType)?.[1] ?? 'bin'}`;
}
