/** Metaphors that were once used as names, and the term of the field that took their place. */
const DIALECT: Readonly<Record<string, string>> = {
  Arrival: 'incoming call',
  Ending: 'call result',
  conclude: 'finalise',
  lookOn: 'read-only context',
  Seat: 'caller, scope',
  Door: 'handler',
  Teller: 'emitter',
  Handover: 'queue',
  Speakers: 'scheduled feedback',
  Cadence: 'schedule',
  Openings: 'section expansions',
  Desk: 'registry, context',
  RequestBook: 'request registry',
  excuses: 'suppressions',
  Complaint: 'diagnostic',
  strangers: 'unknown keys',
  sayOutput: 'describeOutput',
  relieve: 'unsubscribe',
  Guidance: 'guardrails',
  figure: 'count',
  hear: 'handle, listener',
  utterance: 'message',
  inWords: 'text, message',
  withWords: 'description',
  tell: 'emit, describe',
  told: 'described',
  heard: 'answer',
};

/** Words that are plain as a part of a name (`keywords`, `isWithin`) or as that of a parameter, and dialect where they stand alone. */
const ALONE: readonly (readonly [pattern: RegExp, finding: string])[] = [
  [/\bwords\b/, 'words: texts'],
  [/\bfunction within\b/, 'within: raceLimits, withinRun'],
];

/** Turns of phrase that read as a dialect of English. */
const PHRASES: readonly RegExp[] = [
  /\b(?:some|any|no|every)body\b/i,
  /\bwhoever\b/i,
  /(?<!there )\b(?:is|are) none\b/i,
  /\bstands? (?:in|at|beside)\b/i,
  /\b(?:is|are) told of\b/i,
  /\blooks? on\b(?! (?:it|the|a|an)\b)/i,
  /\bhears? of\b/i,
  /\bmade anew\b/i,
];

/** The names of a file's declarations, imports and members that hold a word of the dialect, with the word to use. */
export function dialectNames(text: string): readonly string[] {
  const words = text.match(/\b[A-Za-z_$][\w$]*\b/g) ?? [];
  const parts = [...new Set(words)].flatMap((word) =>
    Object.entries(DIALECT).flatMap(([old, better]) => (holds(word, old) ? [`${word}: ${better}`] : [])),
  );
  return [...parts, ...ALONE.flatMap(([pattern, finding]) => (pattern.test(text) ? [finding] : []))];
}

/** The lines that hold one of the phrases. */
export function dialectLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => PHRASES.some((phrase) => phrase.test(line)));
}

/** True if a name consists of the word, or has it as one of its camel-cased parts, in upper or lower case. */
function holds(name: string, word: string): boolean {
  const inParts = (text: string): string =>
    ` ${text
      .split(/(?=[A-Z])/)
      .join(' ')
      .toLowerCase()} `;
  return inParts(name).includes(inParts(word));
}
