import { isRecord } from '../../common/guards.js';
import { MAX_DEPTH_LEVELS, MAX_VALUES } from '../../common/limits.js';
import { mapEntries } from '../../common/objects.js';
import { keyText } from '../../common/text.js';
import type { ClassShape, TypeShape } from '../../metadata/ClassShape.js';
import type { ArgumentRepair, RepairKind } from '../../value/ToolCall.js';
import { parseExactNumber } from '../parse/coerceValue.js';
import { isAmong } from '../rules/isAmong.js';
import { countTextValues } from '../parse/jsonExtent.js';
import { SlowParser } from '../parse/slowParser.js';
import { readJson } from './readAlmostJson.js';
import { joinPath } from '../limits.js';

/** A text that may be several values, none, or malformed JSON; wrapped in a list it would be one value. */
const AMBIGUOUS = /[,;|\r\n\t]|^\s*$|^\s*["'[{(]|^\s*(?:null|none|nil|undefined|n\/a)\s*$/i;

/** A number with a point that may separate decimals or thousands: "1.000" is one thousand in half of Europe. */
const POINT_OR_THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

type ListShape = Extract<TypeShape, { readonly kind: 'array' }>;

/**
 * Walks a value along its declared type, and repairs parts with only one meaning: JSON in a string, a single value in place of a
 * list, and numbers and booleans as text. Leaves values unchanged that the type accepts or that cannot be repaired: the parser
 * refuses the latter.
 */
export class ValueRepair {
  readonly repairs: ArgumentRepair[] = [];
  /** How many values may still be read from JSON in texts: together no more than arguments may hold. */
  readonly #room: { values: number };

  constructor(room: { values: number } = { values: MAX_VALUES }) {
    this.#room = room;
  }

  repairValue(type: TypeShape, value: unknown, path: string, isItem = false): unknown {
    if (value === null || value === undefined) return value;
    switch (type.kind) {
      case 'number':
      case 'integer':
        return this.#repairScalar(path, value, 'number-text', parseNumber(value));
      case 'boolean':
        return this.#repairScalar(path, value, 'boolean-text', parseBoolean(value));
      case 'enum':
        return this.#repairEnum(type.values, value, path);
      case 'array':
        return this.#repairList(type, value, path, isItem);
      case 'tuple': {
        const list = this.#decodeJson(value, path, Array.isArray);
        if (!Array.isArray(list)) return list;
        return list.map((item: unknown, index) => {
          const inner = type.items[index];
          return inner === undefined ? item : this.repairValue(inner, item, `${path}[${String(index)}]`, true);
        });
      }
      case 'record': {
        const record = this.#decodeJson(value, path, isRecord);
        return isRecord(record)
          ? mapEntries(record, (key, entry) => this.repairValue(type.values, entry, `${path}[${keyText(key)}]`))
          : record;
      }
      case 'object':
        return this.#repairObject(type.shape, this.#decodeJson(value, path, isRecord), path);
      case 'discriminated': {
        const object = this.#decodeJson(value, path, isRecord);
        const name = isRecord(object) ? object[type.property] : undefined;
        const subType = type.subTypes.find((candidate) => candidate.name === name);
        return subType === undefined ? object : this.#repairObject(subType.shape, object, path);
      }
      case 'oneOf':
        return this.#repairOneOf(type.options, value, path, isItem);
      default:
        return value;
    }
  }

  #repairScalar(path: string, value: unknown, kind: RepairKind, reading: unknown): unknown {
    return reading === undefined ? value : this.#addRepair(path, kind, reading);
  }

  /** Reads a text that writes exactly one of the values, if none of them is that text. */
  #repairEnum(values: readonly unknown[], value: unknown, path: string): unknown {
    if (typeof value !== 'string' || isAmong(values, value)) return value;
    const readings = [parseNumber(value), parseBoolean(value)];
    const meant = readings.filter((each) => each !== undefined && isAmong(values, each));
    const [only] = meant;
    if (meant.length !== 1 || only === undefined) return value;
    return this.#addRepair(path, typeof only === 'number' ? 'number-text' : 'boolean-text', only);
  }

  #repairList(type: ListShape, given: unknown, path: string, isItem: boolean): unknown {
    const list = this.#decodeJson(given, path, Array.isArray);
    if (Array.isArray(list))
      return list.map((item, index) => this.repairValue(type.items, item, `${path}[${String(index)}]`, true));
    // In a list of lists, a single value may belong to the outer or to the inner one.
    if (isItem || !mayBeWrapped(type.items)) return given;
    const inner = new ValueRepair();
    const item = inner.repairValue(type.items, given, `${path}[0]`);
    if (!accepts(type.items, item) || isAmbiguous(type.items, item)) return given;
    this.#addRepair(path, 'single-value', item);
    this.repairs.push(...inner.repairs);
    return [item];
  }

  #repairObject(shape: ClassShape, value: unknown, path: string): unknown {
    if (!isRecord(value)) return value;
    return mapEntries(value, (key, entry) => {
      const field = shape.byWireName.get(key);
      // A conversion of the class may expect exactly this form.
      if (field === undefined || field.conversion !== undefined) return entry;
      const at = joinPath(path, key);
      return field.secret ? this.#repairSecret(field.type, entry, at) : this.repairValue(field.type, entry, at);
    });
  }

  /** Reports only the field: keys within a secret are part of it. */
  #repairSecret(type: TypeShape, value: unknown, path: string): unknown {
    const inner = new ValueRepair(this.#room);
    const repaired = inner.repairValue(type, value, path);
    for (const kind of new Set(inner.repairs.map((repair) => repair.kind))) this.repairs.push({ path, kind });
    return repaired;
  }

  /** Repairs a value if only one reading of it is accepted by any of the types. */
  #repairOneOf(options: readonly TypeShape[], value: unknown, path: string, isItem: boolean): unknown {
    if (options.some((option) => accepts(option, value))) return value;
    const readings = options.flatMap((option) => {
      const attempt = new ValueRepair(this.#room);
      const item = attempt.repairValue(option, value, path, isItem);
      return attempt.repairs.length > 0 && accepts(option, item) ? [{ item, repairs: attempt.repairs }] : [];
    });
    const [first] = readings;
    const texts = new Set(readings.map(({ item }) => JSON.stringify(item)));
    if (first === undefined || texts.size !== 1) return value;
    this.repairs.push(...first.repairs);
    return first.item;
  }

  /** Reads the JSON value in a string, if it has the wanted form. */
  #decodeJson(value: unknown, path: string, isWanted: (value: unknown) => boolean): unknown {
    if (typeof value !== 'string') return value;
    const values = countTextValues(value, { values: this.#room.values, depth: MAX_DEPTH_LEVELS });
    if (values === undefined) return value;
    const read = readJson(value);
    if (read === undefined || !isWanted(read.value)) return value;
    this.#room.values -= values;
    return this.#addRepair(path, 'double-encoding', read.value);
  }

  #addRepair<T>(path: string, kind: RepairKind, value: T): T {
    this.repairs.push({ path, kind });
    return value;
  }
}

/** Reads a text as a number, if it has no other reading. */
function parseNumber(value: unknown): number | undefined {
  return typeof value !== 'string' || POINT_OR_THOUSANDS.test(value) ? undefined : parseExactNumber(value);
}

function parseBoolean(value: unknown): boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

function accepts(type: TypeShape, value: unknown): boolean {
  const parser = new SlowParser({});
  parser.type(type, value, '');
  return parser.issues.length === 0;
}

/** Returns false for items that a single value could stand for in more than one way: any value, a list or a table. */
function mayBeWrapped(items: TypeShape): boolean {
  if (items.kind === 'oneOf') return items.options.every(mayBeWrapped);
  return !['any', 'array', 'tuple', 'record'].includes(items.kind);
}

/** Checks for a text that may be more or less than one value, and for an object that may mean an empty list. */
function isAmbiguous(type: TypeShape, value: unknown): boolean {
  if (typeof value === 'string') return type.kind !== 'enum' && AMBIGUOUS.test(value);
  return isRecord(value) && Object.keys(value).length === 0;
}
