import type { OpenAI } from 'openai';
import type { ContentPart } from 'toolwright';
import type { RefusedContent } from 'toolwright/internal';
import { addressOf, fileName } from './contentSource.js';
import { AUDIO, chatProblem } from './mediaProblems.js';

type ChatPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type ChatText = OpenAI.Chat.Completions.ChatCompletionContentPartText;

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
    throw refuse(chatProblem(part, 'tool') ?? '');
  });
  return [...textParts(text), ...further];
}

function textParts(text: string): ChatText[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function chatPart(part: ContentPart, refuse: RefusedContent): ChatPart {
  const problem = part.kind === 'text' ? undefined : chatProblem(part, 'user');
  if (problem !== undefined) throw refuse(problem);
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: addressOf(part) } };
    case 'file':
      return { type: 'file', file: { filename: fileName(part), file_data: addressOf(part) } };
    case 'audio': {
      const { mediaType, data = '' } = part;
      return { type: 'input_audio', input_audio: { data, format: AUDIO.get(mediaType) ?? 'wav' } };
    }
  }
}
