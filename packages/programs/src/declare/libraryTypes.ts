/** Reserved words that cannot name a type. */
const WORDS =
  'any as asserts async await bigint boolean break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in infer instanceof interface intrinsic is keyof let namespace never new null number object of out override package private protected public readonly return satisfies static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield';

/** Types that the compiler's libraries and the sandbox declare. */
const TYPES = new Set(
  [
    'AggregateError Array ArrayBuffer ArrayBufferLike ArrayBufferTypes ArrayBufferView ArrayIterator ArrayLike',
    'AsyncDisposable AsyncDisposableStack AsyncGenerator AsyncGeneratorFunction AsyncIterable AsyncIterableIterator',
    'AsyncIterator AsyncIteratorObject Atomics Awaited BigInt BigInt64Array BigIntToLocaleStringOptions BigUint64Array',
    'Boolean BuiltinIteratorReturn CallableFunction Capitalize ClassAccessorDecoratorContext ClassAccessorDecoratorResult',
    'ClassAccessorDecoratorTarget ClassDecorator ClassDecoratorContext ClassFieldDecoratorContext',
    'ClassGetterDecoratorContext ClassMemberDecoratorContext ClassMethodDecoratorContext ClassSetterDecoratorContext',
    'ConcatArray Console ConstructorParameters DataView Date DecoratorContext DecoratorMetadata DecoratorMetadataObject',
    'Disposable DisposableStack Error ErrorOptions EvalError Exclude Extract FinalizationRegistry FlatArray Float16Array',
    'Float32Array Float64Array Function Generator GeneratorFunction IArguments ImportAssertions ImportAttributes',
    'ImportCallOptions ImportMeta InstanceType Int16Array Int32Array Int8Array Intl Iterable IterableIterator Iterator',
    'IteratorObject IteratorResult IteratorReturnResult IteratorYieldResult JSON Lowercase Map MapIterator Math',
    'MethodDecorator NewableFunction NoInfer NonNullable Number Object Omit OmitThisParameter ParallelFunction',
    'ParameterDecorator Parameters Partial Pick Promise PromiseConstructorLike PromiseFulfilledResult PromiseLike',
    'PromiseRejectedResult PromiseSettledResult PromiseWithResolvers PropertyDecorator PropertyDescriptor',
    'PropertyDescriptorMap PropertyKey ProxyHandler RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet',
    'ReadonlySetLike Record ReferenceError Reflect RegExp RegExpExecArray RegExpIndicesArray RegExpMatchArray',
    'RegExpStringIterator Required ReturnType Set SetIterator SharedArrayBuffer String StringIterator SuppressedError',
    'Symbol SyntaxError TemplateStringsArray Temporal TextDecoder TextEncoder ThisParameterType ThisType ToolError',
    'TypeError TypedPropertyDescriptor URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray',
    'Uncapitalize Uppercase WeakKey WeakKeyTypes WeakMap WeakRef WeakSet',
  ].flatMap((line) => line.split(' ')),
);
const RESERVED = new Set(WORDS.split(' '));

/**
 * Returns true for a name that the type of a tool must not have. An interface merges with an existing one of the same name, so a
 * title such as `PromiseConstructor` would change the type of `Promise.all` in every program.
 */
export function isTakenType(name: string): boolean {
  return TYPES.has(name) || RESERVED.has(name) || name.endsWith('Constructor');
}
