import { type Clock, Session } from 'toolwright';
import {
  appendAll,
  type ReducerFunction,
  replaceLatest,
  replaceLatestBy,
  SetVisibilityOverride,
  upsertBy,
} from 'toolwright/conversations';
import type { ReducerSpec, SessionSpec } from '../format';
import { silentLogger } from './silentLogger';
import type { TypeCatalogue } from './TypeCatalogue';

type Reducer = ReducerFunction<unknown, unknown>;

/** The session of a case: observed slices are installed, since the value of a tool reaches only slices that are known. */
export function sessionOf(
  spec: SessionSpec,
  types: TypeCatalogue,
  { clock, observed = [] }: { readonly clock: Clock; readonly observed?: readonly string[] | undefined },
): Session {
  const session = new Session({ clock, logger: silentLogger });
  for (const name of observed) session.install(types.classOf(name));
  for (const { slice, on = slice, reducer, policy } of spec.reducers ?? []) {
    const options = policy === undefined ? {} : { policy };
    session.slice<unknown>(types.classOf(slice)).register(types.classOf(on), reducerOf(reducer), options);
  }
  for (const [name, values] of Object.entries(spec.seed ?? {})) {
    session.slice<unknown>(types.classOf(name)).seed(values.map((value) => types.instance(name, value)));
  }
  for (const [path, visibility] of Object.entries(spec.visibility_overrides ?? {}))
    session.dispatch(new SetVisibilityOverride(path, visibility));
  return session;
}

function reducerOf(spec: ReducerSpec): Reducer {
  switch (spec) {
    case 'append_all':
      return appendAll;
    case 'replace_latest':
      return replaceLatest;
    case 'throw':
      return () => {
        throw new TypeError('the reducer failed');
      };
    default:
      return 'upsert_by' in spec ? upsertBy(field(spec.upsert_by)) : replaceLatestBy(field(spec.replace_latest_by));
  }
}

function field(name: string): (value: unknown) => unknown {
  return (value) => (value as Readonly<Record<string, unknown>>)[name];
}
