// What the checks use of packages that only the folders of the cells have; there, the packages' own declarations are not read either.
declare module '@nestjs/swagger' {
  import type { Type } from '@nestjs/common';
  export function ApiProperty(options?: object): PropertyDecorator;
  export function PickType<T, K extends keyof T>(type: Type<T>, keys: readonly K[]): Type<Pick<T, K>>;
}

declare module '@nestjs/graphql' {
  import type { ExecutionContext, Type } from '@nestjs/common';
  export function InputType(): ClassDecorator;
  export function Field(options?: object): PropertyDecorator;
  export function Field(type: () => unknown, options: object): PropertyDecorator;
  export function registerEnumType(values: object, options: { readonly name: string }): void;
  export function PartialType<T>(type: Type<T>): Type<Partial<T>>;
  export class GqlExecutionContext {
    static create(context: ExecutionContext): GqlExecutionContext;
    getContext<T>(): T;
  }
}
