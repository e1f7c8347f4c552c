import type { OpenAI } from 'openai';
import type { RefusedContent } from '../../provider/refusedContent.js';
import type { ContentPart } from '../../value/ContentPart.js';
import { addressOf, fileName } from './contentSource.js';

type ChatPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type ChatText = OpenAI.Chat.Completions.ChatCompletionContentPartText;

/** The formats of audio that the API knows, by media type. */
const AUDIO: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/**
 * Writes the content of a user's message for Chat Completions: text alone as text, parts as a list.
 *
 * @throws PromptEvaluationError with phase `request` for files and audio that the API does not take
 */
export function chatContent(
  text: string,
  parts: readonly ContentPart[] | undefined,
  refuse: RefusedContent,
): string | ChatPart[] {
  if (parts === undefined || parts.length === 0) return text;
  return [...textParts(text), ...parts.map((part) => chatPart(part, refuse))];
}

/**
 * Writes the result of a tool for Chat Completions, which takes text there and nothing else.
 *
 * @throws PromptEvaluationError with phase `request` for any other part
 */
export function chatResult(
  text: string,
  parts: readonly ContentPart[] | undefined,
  refuse: RefusedContent,
): string | ChatText[] {
  if (parts === undefined || parts.length === 0) return text;
  const further = parts.map((part): ChatText => {
    if (part.kind === 'text') return { type: 'text', text: part.text };
    throw refuse(`with ${nameOf(part)}: Chat Completions takes only text as the result of a tool`);
  });
  return [...textParts(text), ...further];
}

function textParts(text: string): ChatText[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function chatPart(part: ContentPart, refuse: RefusedContent): ChatPart {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: addressOf(part) } };
    case 'file':
      if (part.url !== undefined) throw refuse('with the address of a file: Chat Completions takes its bytes');
      return { type: 'file', file: { filename: fileName(part), file_data: addressOf(part) } };
    case 'audio': {
      const format = AUDIO.get(part.mediaType);
      if (part.data === undefined) throw refuse('with the address of audio: Chat Completions takes its bytes');
      if (format === undefined) throw refuse(`with ${part.mediaType}: Chat Completions takes audio as WAV or MP3`);
      return { type: 'input_audio', input_audio: { data: part.data, format } };
    }
  }
}

function nameOf({ kind }: ContentPart): string {
  return kind === 'audio' ? 'audio' : kind === 'image' ? 'an image' : 'a file';
}
