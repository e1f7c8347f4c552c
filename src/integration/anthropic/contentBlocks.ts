import type { Anthropic } from '@anthropic-ai/sdk';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ContentPart } from '../../value/ContentPart.js';

type Text = Anthropic.Messages.TextBlockParam;
type PartBlock = Text | Anthropic.Messages.ImageBlockParam | Anthropic.Messages.DocumentBlockParam;
type ImageType = Anthropic.Messages.Base64ImageSource['media_type'];

const IMAGES: ReadonlySet<string> = new Set<ImageType>(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';

/** Files that are read as text, whatever their media type says beyond that. */
const TEXT_FILE = /^text\/|^application\/(json|xml|yaml|x-yaml)$/;

/** The place of a message in a conversation, for errors. */
export interface MessagePlace {
  /** The adapter's name. */
  readonly adapter: string;
  readonly index: number;
  readonly role: string;
}

/** Writes a text as blocks, without blank text, which the provider refuses. */
export function texts(text: string | null): Text[] {
  return text === null || text.trim() === '' ? [] : [{ type: 'text', text }];
}

/**
 * Writes the parts of a message as blocks.
 *
 * @throws PromptEvaluationError E724 with phase `request`, naming the message, for a part that the provider does not take
 */
export function partBlocks(parts: readonly ContentPart[] | undefined, place: MessagePlace): PartBlock[] {
  return (parts ?? []).flatMap((part, index) => partBlock(part, (what) => refusal(what, place, index)));
}

function partBlock(part: ContentPart, refuse: (what: string) => PromptEvaluationError): PartBlock[] {
  switch (part.kind) {
    case 'text':
      return texts(part.text);
    case 'image':
      return [{ type: 'image', source: imageSource(part, refuse) }];
    case 'file': {
      const title = part.name === undefined ? {} : { title: part.name };
      return [{ type: 'document', source: documentSource(part, refuse), ...title }];
    }
    case 'audio':
      throw refuse(`audio (${part.mediaType})`);
  }
}

function imageSource(
  { mediaType, url, data }: Extract<ContentPart, { kind: 'image' }>,
  refuse: (what: string) => PromptEvaluationError,
): Anthropic.Messages.ImageBlockParam['source'] {
  if (url !== undefined) return { type: 'url', url };
  if (!IMAGES.has(mediaType)) throw refuse(`images of type ${mediaType}`);
  return { type: 'base64', media_type: mediaType as ImageType, data };
}

function documentSource(
  { mediaType, url, data }: Extract<ContentPart, { kind: 'file' }>,
  refuse: (what: string) => PromptEvaluationError,
): Anthropic.Messages.DocumentBlockParam['source'] {
  if (mediaType === PDF) return url === undefined ? { type: 'base64', media_type: PDF, data } : { type: 'url', url };
  if (!TEXT_FILE.test(mediaType)) throw refuse(`files of type ${mediaType}`);
  if (data === undefined) throw refuse(`files of type ${mediaType} by their address`);
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };
}

function refusal(what: string, { adapter, index, role }: MessagePlace, part: number): PromptEvaluationError {
  return new PromptEvaluationError(`${adapter} takes no ${what}, and message ${String(index)} (${role}) holds some.`, {
    phase: 'request',
    code: 'E724',
    place: `messages[${String(index)}].parts[${String(part)}]`,
    remedy: 'Send images as JPEG, PNG, GIF or WebP, files as PDF or text, and a transcript in place of audio.',
  });
}
