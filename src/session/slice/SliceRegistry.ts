import { className, isClass } from '../../common/classes.js';
import { describeValue } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import { isTableClass } from '../table/KeptTable.js';
import { type SlicePolicy, SliceRules } from './SliceRules.js';
import type { SliceKey } from './SliceStore.js';
import { PolicyRecord } from '../PolicyRecord.js';
import { FoundTools } from '../FoundTools.js';
import { VisibilityOverrides } from '../VisibilityOverrides.js';

/** Whose state a slice is: that of one conversation, or that of a user in all conversations. */
export type SliceScope = 'conversation' | 'user';

/** A slice that a session is created with. */
export interface SliceDeclaration {
  /** The state or event class. */
  readonly type: Constructor;
  /** The name of the slice in JSON; the class's name by default. */
  readonly name?: string | undefined;
  /** `state` by default. */
  readonly policy?: SlicePolicy | undefined;
  /**
   * Whose state it is. `conversation`, the default: each conversation has its own. `user`: the store keeps it for
   * `runMetadata.principal`, and every conversation of this user has it (docs/state.md).
   */
  readonly scope?: SliceScope | undefined;
  /**
   * Creates the state that reducers start from if the slice is empty; by default a new instance, if the constructor takes no
   * arguments. For a table, creates the initial table.
   */
  readonly initial?: (() => object) | undefined;
  /** For a table: the class of its records; plain data when left out. */
  readonly records?: Constructor | undefined;
}

/** A declaration with its defaults filled in. */
export interface RegisteredSlice extends SliceDeclaration {
  readonly name: string;
  readonly policy: SlicePolicy;
  readonly scope: SliceScope;
}

/** The slices of a session by name and by class; fixed at creation. */
export class SliceRegistry {
  /** The slices that were declared to the session. */
  readonly declared: readonly RegisteredSlice[];
  /** The names of the slices that belong to the user. */
  readonly userSlices: readonly string[];
  readonly #byName = new Map<string, RegisteredSlice>();
  readonly #byType = new Map<SliceKey, RegisteredSlice>();

  /** @throws SessionError E804 */
  constructor(entries: readonly (Constructor | SliceDeclaration)[] = []) {
    if (!Array.isArray(entries))
      throw createDeclarationError('slices', `expected an array, got ${describeValue(entries)}`);
    this.declared = entries.map((entry, index) => checkDeclaration(entry, `slices[${String(index)}]`));
    for (const slice of this.declared) this.#add(slice);
    this.userSlices = this.declared.filter(({ scope }) => scope === 'user').map(({ name }) => name);
    for (const slice of builtInSlices)
      if (!this.#byType.has(slice.type) && !this.#byName.has(slice.name)) this.#add(slice);
  }

  /** Declared slices in order, then the slices that every session has. */
  get all(): readonly RegisteredSlice[] {
    return [...this.#byName.values()];
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  ofType(type: SliceKey): RegisteredSlice | undefined {
    return this.#byType.get(type);
  }

  /** Returns whose state a slice is; a slice that is not declared belongs to the conversation. */
  scopeOf(type: SliceKey): SliceScope {
    return this.#byType.get(type)?.scope ?? 'conversation';
  }

  ofName(name: string): RegisteredSlice | undefined {
    return this.#byName.get(name);
  }

  #add(slice: RegisteredSlice): void {
    const { name, type } = slice;
    if (this.#byType.has(type)) throw createDeclarationError(className(type), 'the class is listed twice in slices');
    const other = this.#byName.get(name);
    if (other !== undefined) {
      throw createDeclarationError(
        className(type),
        `the name "${name}" is already used by another class, ${className(other.type)}`,
      );
    }
    this.#byName.set(name, slice);
    this.#byType.set(type, slice);
  }
}

/** Checks a declaration: despite its type, a circular file may leave it undefined, and untyped code may pass anything. */
function checkDeclaration(entry: unknown, place: string): RegisteredSlice {
  const { type, name, policy, scope, initial, records } = (isClass(entry) ? { type: entry } : (entry ?? {})) as {
    readonly [K in keyof SliceDeclaration]?: unknown;
  };
  if (!isClass(type)) {
    const given = entry === undefined ? 'undefined (a circular import?)' : describeValue(entry);
    throw createDeclarationError(
      place,
      `expected a class or { type, name?, policy?, scope?, initial?, records? }, got ${given}`,
    );
  }
  if (policy !== undefined && policy !== 'state' && policy !== 'log') {
    throw createDeclarationError(place, `expected the policy "state" or "log", got ${describeValue(policy)}`);
  }
  if (scope !== undefined && scope !== 'conversation' && scope !== 'user') {
    throw createDeclarationError(place, `expected the scope "conversation" or "user", got ${describeValue(scope)}`);
  }
  if (scope === 'user' && policy === 'log') {
    const problem = 'a log is not stored, so it cannot have the scope "user"';
    throw createDeclarationError(className(type), problem);
  }
  const given = name ?? type.name;
  if (typeof given !== 'string' || given.trim() === '') {
    throw createDeclarationError(place, `expected a name for ${className(type)}, got ${describeValue(given)}`);
  }
  const isTable = isTableClass(type);
  if (isTable) checkTable(type, { policy, initial, records });
  else if (records !== undefined)
    throw createDeclarationError(className(type), 'records is for tables, and the class is not one');
  return {
    type,
    name: given,
    policy: policy ?? 'state',
    scope: scope ?? 'conversation',
    initial: initial as SliceDeclaration['initial'],
    ...(isTable && { records: records as Constructor | undefined }),
  };
}

function checkTable(
  type: Constructor,
  { policy, initial, records }: Record<'policy' | 'initial' | 'records', unknown>,
): void {
  const name = className(type);
  if (policy === 'log')
    throw createDeclarationError(name, 'a table is always rolled back with a failed call, so it cannot be a log');
  if (records !== undefined && !isClass(records))
    throw createDeclarationError(name, `records expects the class of the records, got ${describeValue(records)}`);
  if (initial === undefined && type.length > 0)
    throw createDeclarationError(
      name,
      `its constructor needs arguments: list it as { type: ${name}, initial: () => new ${name}(…) }`,
    );
}

function createDeclarationError(place: string, problem: string): SessionError {
  return new SessionError(problem, { code: 'E804', place });
}

/** The framework's slices. Every session has them, so that the session of a conversation can always be recorded. */
const builtInSlices = Object.entries({ VisibilityOverrides, FoundTools, PolicyRecord }).map(
  ([name, type]): RegisteredSlice => ({ type, name, policy: 'state', scope: 'conversation' }),
);

/** The reducers of the built-in slices, read once and copied to each session. */
export const builtInRules = new SliceRules();
for (const { type, policy } of builtInSlices) builtInRules.install(type, undefined, policy);
