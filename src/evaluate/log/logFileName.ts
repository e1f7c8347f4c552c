import { crypto } from '../../common/builtins.js';

const [PLAIN, HASHED, ENDING] = ['c-', 'h-', '.jsonl'] as const;

/** File systems take 255 bytes in a name, but 143 where names are encrypted. */
const LONGEST = 120;

/**
 * The name of the file of a conversation: different for different ids even where case is ignored, and never a path, a device
 * of Windows or a name that is too long. Letters and digits stay readable; an id that would be too long is hashed.
 */
export function logFileName(conversation: string): string {
  // By code units rather than UTF-8, in which all unpaired surrogates would be the same.
  const encoded = conversation.replace(/[^a-z0-9-]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return code < 0x100 ? `=${code.toString(16).padStart(2, '0')}` : `=u${code.toString(16).padStart(4, '0')}`;
  });
  return encoded.length <= LONGEST
    ? `${PLAIN}${encoded}${ENDING}`
    : `${HASHED}${crypto().createHash('sha256').update(Buffer.from(conversation, 'utf16le')).digest('hex')}${ENDING}`;
}

/** The id of which a file has its name; `hashed` if only its contents tell, undefined if it is not a file of a log. */
export function conversationOf(fileName: string): { readonly id: string } | 'hashed' | undefined {
  if (!fileName.endsWith(ENDING)) return undefined;
  const encoded = fileName.slice(PLAIN.length, -ENDING.length);
  if (fileName.startsWith(HASHED)) return /^[0-9a-f]{64}$/.test(encoded) ? 'hashed' : undefined;
  const id = encoded.replace(/=(?:u([0-9a-f]{4})|([0-9a-f]{2}))/g, (_text, unit?: string, byte?: string) =>
    String.fromCharCode(Number.parseInt(unit ?? byte ?? '', 16)),
  );
  return id !== '' && logFileName(id) === fileName ? { id } : undefined;
}
