import type { OpenAI } from 'openai';
import type { ContentPart } from 'toolwright';
import type { ContentErrors } from './createContentErrors.js';
import { readAddress, readFileName, AUDIO, findChatProblem } from './mediaParts.js';

type ChatPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type ChatText = OpenAI.Chat.Completions.ChatCompletionContentPartText;

/**
 * Writes the content of a user's message for Chat Completions: plain text as text, parts as a list.
 *
 * @throws PromptEvaluationError with phase `request` for files and audio that the API does not take
 */
export function writeChatContent(
  text: string,
  parts: readonly ContentPart[] | undefined,
  refuse: ContentErrors,
): string | ChatPart[] {
  if (parts === undefined || parts.length === 0) return text;
  return [...writeTextParts(text), ...parts.map((part) => writeChatPart(part, refuse))];
}

/**
 * Writes the result of a tool for Chat Completions, which accepts only text there.
 *
 * @throws PromptEvaluationError with phase `request` for any other part
 */
export function writeChatResult(
  text: string,
  parts: readonly ContentPart[] | undefined,
  refuse: ContentErrors,
): string | ChatText[] {
  if (parts === undefined || parts.length === 0) return text;
  const further = parts.map((part): ChatText => {
    if (part.kind === 'text') return { type: 'text', text: part.text };
    throw refuse(findChatProblem(part, 'tool') ?? '');
  });
  return [...writeTextParts(text), ...further];
}

function writeTextParts(text: string): ChatText[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function writeChatPart(part: ContentPart, refuse: ContentErrors): ChatPart {
  const problem = part.kind === 'text' ? undefined : findChatProblem(part, 'user');
  if (problem !== undefined) throw refuse(problem);
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: readAddress(part) } };
    case 'file':
      return { type: 'file', file: { filename: readFileName(part), file_data: readAddress(part) } };
    case 'audio': {
      const { mediaType, data = '' } = part;
      return { type: 'input_audio', input_audio: { data, format: AUDIO.get(mediaType) ?? 'wav' } };
    }
  }
}
