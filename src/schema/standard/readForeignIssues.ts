import { MAX_FOREIGN_ISSUES } from '../../common/limits.js';
import { didYouMean } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { StandardIssue } from '../../interface/StandardSchema.js';
import { isOfType, listNamedTypes } from './jsonTypes.js';
import { locateValue, type Place } from './locateValue.js';

/**
 * Converts the issues of another library. Keeps the messages, writes paths in our format, and derives the kind, which Standard
 * Schema does not define, from the value and the JSON Schema. Orders them like our own issues: missing keys, extra keys, wrong
 * types, rules.
 */
export function readForeignIssues(
  schema: JsonSchema,
  value: unknown,
  issues: readonly StandardIssue[],
): readonly ParamIssue[] {
  const places = new Map<string, IssuePlace>();
  // A value that matches none of a thousand alternatives has an issue for each of them at the same place.
  const placeOf: PlaceReader = (path) => {
    const name = JSON.stringify(path.map((key) => (typeof key === 'symbol' ? [String(key)] : key)));
    return getOrCreate(places, name, () => {
      const place = locateValue(schema, value, path);
      return { ...place, kind: getIssueKind(place) };
    });
  };
  const found = issues.slice(0, MAX_FOREIGN_ISSUES).flatMap((issue) => createIssue(issue, placeOf));
  const ofKind = (...kinds: readonly ParamIssue['kind'][]): readonly ParamIssue[] =>
    found.filter(({ kind }) => kinds.includes(kind));
  if (found.length > 0) return [...ofKind('missing'), ...ofKind('extra'), ...ofKind('type'), ...ofKind('constraint')];
  return [{ kind: 'constraint', path: '', message: 'was refused without a reason' }];
}

type IssuePlace = Place & Pick<ParamIssue, 'kind'>;
type PlaceReader = (path: readonly PropertyKey[]) => IssuePlace;

function createIssue(issue: StandardIssue, placeOf: PlaceReader): readonly ParamIssue[] {
  const path = Array.from(issue.path ?? [], (element) => (typeof element === 'object' ? element.key : element));
  const extra = findUnknownKeys(issue);
  if (extra.length > 0) return extra.map((key) => createExtraIssue(placeOf([...path, key]), key));
  const place = placeOf(path);
  if (place.kind === 'extra') return [createExtraIssue(place, String(path.at(-1)))];
  return [{ kind: place.kind, path: place.path, message: issue.message }];
}

/** Lists the unknown keys of an issue: zod reports all of an object's in one issue. */
function findUnknownKeys(issue: StandardIssue): readonly string[] {
  const { code, keys } = issue as { readonly code?: unknown; readonly keys?: unknown };
  if (code !== 'unrecognized_keys' || !Array.isArray(keys)) return [];
  return keys.slice(0, MAX_FOREIGN_ISSUES).map(String);
}

function createExtraIssue({ path, siblings }: Place, key: string): ParamIssue {
  return { kind: 'extra', path, message: `is not a known key.${didYouMean(key, siblings)}` };
}

function getIssueKind({ present, undeclared, schemas, value }: Place): ParamIssue['kind'] {
  if (!present) return 'missing';
  if (undeclared) return 'extra';
  const types = schemas.flatMap(listNamedTypes);
  return types.length > 0 && !types.some((type) => isOfType(type, value)) ? 'type' : 'constraint';
}
