import type { Anthropic } from '@anthropic-ai/sdk';
import { type ContentPart, PromptEvaluationError } from 'toolwright';
import type { MediaPart } from 'toolwright/internal';

type Text = Anthropic.Messages.TextBlockParam;
type PartBlock = Text | Anthropic.Messages.ImageBlockParam | Anthropic.Messages.DocumentBlockParam;
type ImageType = Anthropic.Messages.Base64ImageSource['media_type'];

const IMAGES: ReadonlySet<string> = new Set<ImageType>(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';

/** Matches files that are read as text; anything after the type and subtype is ignored. */
const TEXT_FILE = /^text\/|^application\/(json|xml|yaml|x-yaml)$/;

/** The place of a message in a conversation, for errors. */
export interface MessagePlace {
  /** The adapter's name. */
  readonly adapter: string;
  readonly index: number;
  readonly role: string;
}

/** Writes a text as blocks; leaves out blank text, which the provider refuses. */
export function writeTexts(text: string | null): Text[] {
  return text === null || text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** @throws PromptEvaluationError E724 with phase `request`, naming the message, for a part that the provider does not take */
export function writePartBlocks(parts: readonly ContentPart[] | undefined, place: MessagePlace): PartBlock[] {
  return (parts ?? []).flatMap((part, index) => {
    const problem = part.kind === 'text' ? undefined : findPartProblem(part);
    if (problem !== undefined || part.kind === 'audio') throw createContentError(problem ?? part.kind, place, index);
    return writePartBlock(part);
  });
}

/** Describes a part that the provider does not take; undefined if it does. */
export function findPartProblem({ kind, mediaType, url }: MediaPart): string | undefined {
  if (kind === 'audio') return `audio (${mediaType})`;
  const what = `${kind}s of type ${mediaType}`;
  if (url !== undefined && !/^https?:/.test(url)) return `${what} at such an address`;
  if (kind === 'image') return IMAGES.has(mediaType) ? undefined : what;
  if (mediaType === PDF) return undefined;
  if (!TEXT_FILE.test(mediaType)) return what;
  return url === undefined ? undefined : `${what} by their address`;
}

function writePartBlock(part: Exclude<ContentPart, { kind: 'audio' }>): PartBlock[] {
  switch (part.kind) {
    case 'text':
      return writeTexts(part.text);
    case 'image':
      return [{ type: 'image', source: writeImageSource(part) }];
    case 'file': {
      const title = part.name === undefined ? {} : { title: part.name };
      return [{ type: 'document', source: writeDocumentSource(part), ...title }];
    }
  }
}

function writeImageSource({
  mediaType,
  url,
  data,
}: Extract<ContentPart, { kind: 'image' }>): Anthropic.Messages.ImageBlockParam['source'] {
  return url === undefined ? { type: 'base64', media_type: mediaType as ImageType, data } : { type: 'url', url };
}

function writeDocumentSource({
  mediaType,
  url,
  data,
}: Extract<ContentPart, { kind: 'file' }>): Anthropic.Messages.DocumentBlockParam['source'] {
  if (url !== undefined) return { type: 'url', url };
  if (mediaType === PDF) return { type: 'base64', media_type: PDF, data };
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };
}

function createContentError(what: string, { adapter, index, role }: MessagePlace, part: number): PromptEvaluationError {
  return new PromptEvaluationError(`${adapter} takes no ${what}, and message ${String(index)} (${role}) holds some.`, {
    phase: 'request',
    code: 'E724',
    place: `messages[${String(index)}].parts[${String(part)}]`,
    remedy: 'Send images as JPEG, PNG, GIF or WebP, files as PDF or text, and a transcript in place of audio.',
  });
}
