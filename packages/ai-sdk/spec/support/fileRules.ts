import { isJson, list, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import type { RequestRule } from '../../../openai/spec/support/RequestRule';

/** The types of a tool's content in V3, and their fields; V4 has files as messages have them. */
const V3_OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  'file-data': ['data', 'mediaType'],
  'file-url': ['url'],
  'image-data': ['data', 'mediaType'],
  'image-url': ['url'],
};
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Files in the form of the version: an address is an object in the process, and text on the wire. */
export const fileRule: RequestRule = {
  id: 'files',
  what: 'A file has a media type, and its bytes or its address in the form of the version.',
  check: ({ messages, version }) =>
    objects(messages).flatMap(([index, { content }]) =>
      objects(content).flatMap(([, part]) => {
        const place = `messages[${String(index)}]`;
        if (part['type'] === 'file') return fileProblems(part, version).map((problem) => `${place}: ${problem}`);
        if (part['type'] !== 'tool-result' || !isJson(part['output']) || part['output']['type'] !== 'content')
          return [];
        if (list(part['output']['value']).length === 0) return [`${place}: the result holds nothing`];
        return objects(part['output']['value']).flatMap(([, each]) => outputProblems(each, version));
      }),
    ),
};

function fileProblems({ mediaType, data }: Json, version: unknown): readonly string[] {
  if (typeof mediaType !== 'string' || !mediaType.includes('/')) return ['a file without a media type'];
  if (version !== 'v4')
    return isBytes(data) || isAddress(data) ? [] : ['a file of V3 is neither base64 nor an address'];
  if (!isJson(data)) return typeof data === 'string' ? [] : ['a file of V4 has no kind of data'];
  const isGood = data['type'] === 'data' ? isBytes(data['data']) : data['type'] === 'url' && isAddress(data['url']);
  return isGood ? [] : ['a file of V4 holds neither bytes nor an address'];
}

function outputProblems(part: Json, version: unknown): readonly string[] {
  const type = shown(part['type']);
  if (type === 'text') return String(part['text']).trim() === '' ? ['a text of a result is blank'] : [];
  if (version === 'v4') return type === 'file' ? fileProblems(part, version) : [`a result of V4 holds ${type}`];
  const fields = V3_OUTPUTS[type];
  if (fields === undefined) return [`a result of V3 holds ${type}`];
  const missing = fields.filter((field) => typeof part[field] !== 'string');
  return [...missing, ...strangers(part, ['type', 'filename', ...fields])].map((field) => `${type}: ${field}`);
}

function isBytes(value: unknown): boolean {
  return typeof value === 'string' && BASE64.test(value);
}

function isAddress(value: unknown): boolean {
  return (typeof value === 'string' || value instanceof URL) && /^https?:\/\/./.test(String(value));
}
