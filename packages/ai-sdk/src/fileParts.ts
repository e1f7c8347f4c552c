import { type ContentPart, type Message, PromptEvaluationError } from 'toolwright';
import { joinBounded, quote } from 'toolwright/internal/light';
import type { LeftOutParts } from 'toolwright/internal';
import type {
  AiFileData,
  AiFilePart,
  AiLanguageModel,
  AiOutputPart,
  AiSupportedUrls,
  AiTextPart,
} from './AiLanguageModel.js';
import { findProviderFamily, type Media, type MediaPlace } from './findProviderFamily.js';

/** Explains why a model does not take a part in a message of this role; undefined if it does. */
type FindProblem = (part: Media, place: MediaPlace) => string | undefined;

/**
 * Checks the images, files and audio of messages before they are sent.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError E724 with phase `request`, naming every part that the model does not take
 */
export async function refuseFiles(
  adapter: string,
  model: AiLanguageModel,
  messages: readonly Message[],
): Promise<void> {
  const placed = findMedia(messages);
  if (placed.length === 0) return;
  const problemOf = await findProblems(model, placed);
  const problems = placed.flatMap(({ part, place }) => problemOf(part, place) ?? []);
  if (problems.length === 0) return;
  throw new PromptEvaluationError(`${adapter} does not take ${joinBounded([...new Set(problems)], 5)}.`, {
    phase: 'request',
    code: 'E724',
  });
}

/** Replaces content of a conversation that the model does not take by texts. */
export async function leaveOutFiles(
  leftOut: LeftOutParts,
  model: AiLanguageModel,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const placed = findMedia(messages);
  if (placed.length === 0) return messages;
  const problemOf = await findProblems(model, placed);
  return leftOut.replace(messages, (part, role) => problemOf(part, role) === undefined);
}

interface PlacedMedia {
  readonly part: Media;
  readonly place: MediaPlace;
}

function findMedia(messages: readonly Message[]): readonly PlacedMedia[] {
  return messages.flatMap((message) =>
    message.role === 'user' || message.role === 'tool'
      ? (message.parts ?? []).flatMap((part) => (part.kind === 'text' ? [] : [{ part, place: message.role }]))
      : [],
  );
}

async function findProblems(model: AiLanguageModel, placed: readonly PlacedMedia[]): Promise<FindProblem> {
  const { takes = () => true } = findProviderFamily(model.provider);
  const supported = placed.some(({ part }) => part.url !== undefined) ? await model.supportedUrls : undefined;
  return (part, place) => {
    const what = `${quote(part.mediaType, 100)} in ${PLACES[place]}`;
    if (!takes(part, place)) return what;
    const isFetched =
      part.url === undefined || supported === undefined || isSupported(supported, part.mediaType, part.url);
    return isFetched ? undefined : `${what} by its address`;
  };
}

export function writeUserParts(
  version: AiLanguageModel['specificationVersion'],
  parts: readonly ContentPart[] | undefined,
): (AiTextPart | AiFilePart)[] {
  return (parts ?? []).flatMap((part): (AiTextPart | AiFilePart)[] => {
    if (part.kind !== 'text') return [writeFilePart(version, part)];
    return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  });
}

/** Writes the parts of the result of a tool. */
export function writeOutputParts(
  version: AiLanguageModel['specificationVersion'],
  parts: readonly ContentPart[],
): AiOutputPart[] {
  return parts.flatMap((part): AiOutputPart[] => {
    if (part.kind === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    return [version === 'v4' ? writeFilePart(version, part) : outputOfV3(part)];
  });
}

const PLACES: Readonly<Record<MediaPlace, string>> = { user: 'a message of the user', tool: 'the result of a tool' };

function writeFilePart(version: AiLanguageModel['specificationVersion'], part: Media): AiFilePart {
  const { mediaType, data, url } = part;
  const filename = nameOf(part);
  const place = url === undefined ? data : new URL(url);
  const tagged: AiFileData = typeof place === 'string' ? { type: 'data', data: place } : { type: 'url', url: place };
  return {
    type: 'file',
    mediaType,
    ...(filename === undefined ? {} : { filename }),
    data: (version === 'v3' ? place : tagged) as never,
  };
}

function outputOfV3(part: Media): AiOutputPart {
  const { kind, mediaType, data, url } = part;
  if (url !== undefined) return kind === 'image' ? { type: 'image-url', url } : { type: 'file-url', url };
  if (kind === 'image') return { type: 'image-data', data, mediaType };
  const filename = nameOf(part);
  return { type: 'file-data', data, mediaType, ...(filename === undefined ? {} : { filename }) };
}

function nameOf(part: Media): string | undefined {
  return part.kind === 'file' ? part.name : undefined;
}

/** Returns true if the provider fetches such an address. Same rule as in the AI SDK, which downloads all others. */
function isSupported(supported: AiSupportedUrls, mediaType: string, url: string): boolean {
  return Object.entries(supported).some(([type, patterns]) => {
    const prefix = type === '*' || type === '*/*' ? '' : type.toLowerCase().replace('*', '');
    return mediaType.toLowerCase().startsWith(prefix) && patterns.some((pattern) => pattern.test(url));
  });
}
