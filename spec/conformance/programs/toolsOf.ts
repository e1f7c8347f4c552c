import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, Param, type Constructor, type ParamOptions } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { unknownWord } from '../ConformanceFault';
import type { Json } from '../format';
import type { Behaviour, ToolSpec } from './format';

/** The calls that the tools of a case received, and the objects of the host that they returned. */
export interface HostSide {
  readonly shared: unknown[];
  /** Calls that reached a tool, ever. */
  calls: number;
  /** Arguments that were not plain data. */
  readonly oddArguments: unknown[];
}

type Args = Readonly<Record<string, unknown>>;
type Act = (args: Args) => unknown;

/** The tools of a case; those that change nothing are declared so. */
export function toolsOf(specs: readonly ToolSpec[], host: HostSide): readonly Constructor[] {
  return specs.map((spec) => {
    const act = behaviours[spec.behaviour.kind]?.(spec.behaviour, host);
    if (act === undefined) throw unknownWord('behaviour', spec.behaviour.kind);
    return defineTool({
      name: spec.name,
      description: spec.description === undefined || spec.description === '' ? 'A tool.' : spec.description,
      params: spec.params.length === 0 ? null : paramsClass(spec),
      hints: { readOnly: spec.behaviour.kind !== 'throw_until' },
      ...(spec.returns === null ? {} : { returnSchema: spec.returns }),
      ...(spec.requires_approval === true ? { requiresApproval: true } : {}),
      handler: (params: unknown) => {
        host.calls++;
        return act({ ...(params as Args | null) });
      },
    });
  });
}

const types: Readonly<Record<string, TypeReference>> = {
  string: String,
  number: Number,
  integer: 'integer',
  boolean: Boolean,
  array: { array: 'any' },
  object: { record: 'any' },
  any: 'any',
};

function paramsClass({ name, params }: ToolSpec): Constructor {
  const type = class {};
  Object.defineProperty(type, 'name', { value: name });
  for (const param of params) {
    const reference = types[param.type];
    if (reference === undefined) throw unknownWord('type', param.type);
    const options: ParamOptions = {
      type: reference,
      description: param.description ?? `The ${param.name}`,
      ...('default' in param ? { default: param.default } : {}),
    };
    Param(options)(type.prototype, param.name);
  }
  return type;
}

const text = (value: unknown): string => String(value);
const filled = (template: unknown, args: Args): string =>
  text(template).replace(/\{(\w+)\}/g, (_all, name: string) => text(args[name]));

const behaviours: Readonly<Record<string, (behaviour: Behaviour, host: HostSide) => Act>> = {
  const: ({ value, shared }, host) => {
    if (shared === true) host.shared.push(value);
    return () => (shared === true ? value : structuredClone(value));
  },
  lookup: (behaviour) => (args) => {
    const row = (behaviour['table'] as Readonly<Record<string, Json>>)[text(args[text(behaviour['by'])])];
    if (row === undefined) throw thrown(behaviour['missing'] as Json | undefined, args);
    return behaviour['merge_args'] === true ? { ...args, ...row } : row;
  },
  range_items: (behaviour) => (args) =>
    Array.from({ length: Number(args[text(behaviour['count'])]) }, (_none, index) =>
      itemOf(behaviour['item'], index, args),
    ),
  sum: (behaviour) => (args) =>
    (behaviour['of'] as readonly string[]).map((name) => args[name] as number).reduce((sum, value) => sum + value),
  return_arg: (behaviour) => (args) => args[text(behaviour['arg'])],
  throw: (behaviour) => (args) => {
    throw thrown(behaviour, args);
  },
  throw_until: (behaviour) => {
    let met = 0;
    return (args) => {
      if (met++ < Number(behaviour['times'])) throw thrown(behaviour, args);
      return behaviour['then'];
    };
  },
  delay: (behaviour) => async (args) => {
    await sleep(Number(args[text(behaviour['ms_arg'])]));
    return args[text(behaviour['return_arg'])];
  },
  template: (behaviour) => (args) => filled(behaviour['value'], args),
  repeat: (behaviour) => (args) => text(behaviour['ch']).repeat(Number(args[text(behaviour['n_arg'])])),
  opaque: () => () => new Opaque(),
  never: () => () => new Promise(() => undefined),
  read_path: (_behaviour, host) => (args) => {
    readDeeply(args['value'], host);
    JSON.stringify(args['value']);
    return 'ok';
  },
};

/** A value of the host that is not JSON. */
class Opaque {
  act(): string {
    return 'acted';
  }
}

function thrown(given: Json | undefined, args: Args): Error {
  const error = new Error(filled(given?.['message'] ?? 'missing', args));
  error.name = text(given?.['error'] ?? 'Error');
  return error;
}

function itemOf(item: unknown, index: number, args: Args): unknown {
  if (item === '$i') return index;
  if (typeof item === 'string') {
    const factor = /^\$i\*(\d+)$/.exec(item)?.[1];
    return factor === undefined ? filled(item, args).replaceAll('$i', String(index)) : index * Number(factor);
  }
  if (typeof item !== 'object' || item === null) return item;
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, itemOf(value, index, args)]));
}

/** Touches everything of an argument, as careless code of a host would, and notes what is no plain data. */
function readDeeply(value: unknown, host: HostSide): void {
  if (typeof value === 'function') host.oddArguments.push(value);
  if (typeof value !== 'object' || value === null) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) host.oddArguments.push(value);
  const accessors = Object.values(Object.getOwnPropertyDescriptors(value)).filter(({ get }) => get !== undefined);
  host.oddArguments.push(...accessors);
  if (Array.isArray(value)) value.map((item: unknown) => item);
  for (const entry of Object.values(value)) readDeeply(entry, host);
}
