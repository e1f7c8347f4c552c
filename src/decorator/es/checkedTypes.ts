import type { AbstractConstructor, ClassOrThunk, Constructor } from '../../common/types.js';
import type { ResultReference } from '../../metadata/args/TypeReference.js';
import type { ToolContext } from '../../tool/ToolContext.js';
import type { AnyHandler, Checked, ReturnFault } from '../Tool.js';

/** Classes, or thunks of them. */
export type InjectList = readonly (AbstractConstructor<unknown> | ClassOrThunk<unknown>)[];

/** The option that only standard decorators of methods and classes have. */
export interface Inject<I> {
  /**
   * On a class, the classes of the arguments of its constructor. On a method, the arguments after its params, `[ToolContext]` or `[]`. By
   * default, only a handler with `params` gets the context.
   */
  readonly inject?: I;
}

/** The types of the arguments that a list of classes or thunks stands for. */
type Injected<I extends InjectList> = {
  [K in keyof I]: I[K] extends AbstractConstructor<infer V> ? V : I[K] extends () => Constructor<infer V> ? V : never;
};

/** `unknown` for a class whose constructor takes the classes of `inject`; otherwise a type that no class has. */
export type CheckedConstructor<C, I> = I extends InjectList
  ? [C] extends [abstract new (...args: Injected<I>) => unknown]
    ? unknown
    : { readonly 'the constructor does not take the classes of inject, in this order': Injected<I> }
  : unknown;

type HandlerArguments<P, I> = I extends InjectList
  ? unknown extends P
    ? Injected<I>
    : [P, ...Injected<I>]
  : unknown extends P
    ? []
    : [P, ToolContext];

type ArgumentFault<H, P, I> = I extends readonly [] | readonly [typeof ToolContext] | undefined
  ? [H] extends [(...args: HandlerArguments<P, I>) => unknown]
    ? never
    : unknown extends P
      ? 'without params, a handler takes the classes of inject: none, or [ToolContext]'
      : 'a handler takes its params, and then the classes of inject: [ToolContext] by default'
  : 'inject of a method is [ToolContext] or []';

/** `unknown` for a handler that takes its params and the classes of `inject`; otherwise a type named after the fault. */
export type CheckedHandler<H extends AnyHandler, P, R extends ResultReference | undefined, I> = unknown extends H
  ? unknown
  : Checked<
      // Params of type `any` fit every handler.
      (0 extends P & 1 ? never : ArgumentFault<H, P, I>) | ReturnFault<H, R>
    >;

/** The context of a decorator on a public member of an instance. */
export interface MemberContext<Kind extends string, T = never, K = unknown> {
  readonly kind: Kind;
  readonly name: K;
  readonly static: false;
  readonly private: false;
  readonly access: { has(object: T): boolean };
}

/** The context of a decorator on a class. */
export interface ClassContext {
  readonly kind: 'class';
}
