// Compiled by spec/types/params.spec.ts and `npm run typecheck`: every declaration is right, and must compile.
import { Field, Param, type PropertyParamDecorator } from '../../../src/decorator/Param.js';
import type { ParamOptions } from '../../../src/metadata/args/ParamMetadataArgs.js';

enum Kind {
  A = 'a',
  B = 'b',
}
enum Level {
  Low,
  High = 5,
}
enum One {
  Only = 'only',
}
const Shape = { Circle: 'circle', Square: 'square' } as const;
type Shape = (typeof Shape)[keyof typeof Shape];
const kinds = ['x', 'y'] as const;
type Brand = string & { readonly brand: 'Id' };
type Weight = number & { readonly __unit: unique symbol };
class Inner {
  @Param('Text') text!: string;
}

export class Everything {
  @Param('a') text!: string;
  @Param('a') readonly days = 7;
  @Param('a') readonly circle = 'circle';
  @Param({ optional: true }) note?: string;
  @Param({ default: 3 }) count?: number;
  @Param({ default: 3 }) count2 = 3;
  @Param({ default: null, nullable: true }) nul!: string | null;
  @Param('a') flag!: boolean;
  @Param('a') flag2 = false;
  @Param({ optional: true }) flag3?: boolean;
  @Param('a') when!: Date;
  @Param('a') inner!: Inner;
  @Param({ type: () => Inner, optional: true }) inner2?: Inner;
  @Param({ enum: Kind }) kind!: Kind;
  @Param({ enum: [Kind.A, Kind.B] }) kind2!: Kind;
  @Param({ enum: ['a', 'b'] }) kind3!: Kind;
  @Param({ enum: Kind }) kind4!: 'a' | 'b';
  @Param({ enum: Kind }) kind5!: string;
  @Param({ enum: Kind, default: Kind.A }) kind6!: Kind;
  @Param({ enum: Kind, default: 'a' }) kind7!: Kind;
  @Param({ enum: Kind }) kinds!: Kind[];
  @Param({ type: [{ enum: Kind }] }) kinds2!: Kind[];
  @Param({ type: { array: { enum: Kind } } }) kinds3!: readonly Kind[];
  @Param({ enum: Kind, default: ['a'] }) kinds4!: Kind[];
  @Param({ enum: Kind, default: [] }) kinds5!: Kind[];
  @Param({ enum: Level }) level!: Level;
  @Param({ enum: [0, 5] }) level2!: Level;
  @Param({ enum: Level, default: Level.High }) level3!: Level;
  @Param({ enum: Level, default: 5 }) level4!: Level;
  @Param({ enum: One }) one!: One;
  @Param({ enum: Shape }) shape!: Shape;
  @Param({ enum: Object.values(Shape) }) shape2!: Shape;
  @Param({ enum: kinds }) xy!: 'x' | 'y';
  @Param({ enum: ['x'] }) part!: 'x' | 'y';
  @Param({ enum: [1, 2] }) num!: 1 | 2;
  @Param({ enum: ['x', null] }) orNull!: 'x' | 'y' | null;
  @Param({ enum: ['x', 'y'], nullable: true }) orNull2!: 'x' | 'y' | null;
  @Param({ enum: ['x', 'y'], optional: true }) orAbsent?: 'x' | 'y';
  @Param({ oneOf: [String, Number] }) either!: string | number;
  @Param({ oneOf: [{ enum: ['x'] }, { enum: [1] }] }) either2!: 'x' | 1;
  @Param({ oneOf: [Boolean, { enum: ['auto'] }] }) auto!: boolean | 'auto';
  @Param({ record: String }) map!: Record<string, string>;
  @Param({ type: 'any' }) anything!: ReturnType<typeof JSON.parse>;
  @Param({ type: 'any' }) unk!: unknown;
  @Param({ type: 'any' }) anyKind!: 'x' | 'y';
  @Param({ type: { tuple: [String, Number] }, default: ['a', 1] }) tuple!: [string, number];
  @Param({ type: { array: { array: Number } }, default: [[1], []] }) grid!: number[][];
  @Param({ pattern: /^#W/ }) template!: `#W${number}`;
  @Param({ pattern: /^#W/, default: '#W1' }) template2!: `#W${number}`;
  @Param({ type: String }) brand!: Brand;
  @Param({ type: String, default: 'x' }) brand2!: Brand;
  @Param({ type: String, enum: ['x'] }) brand3!: Brand;
  @Param({ type: Number, default: 5 }) weight!: Weight;
  @Param('open') open!: 'x' | 'y' | (string & Record<never, never>);
  @Param({ type: String }) undef!: string | undefined;
  @Param({ default: new Date(0) }) date!: Date;
  @Param({ type: () => Inner, default: { text: 'x' } }) obj!: Inner;
  @Param('x') get computedField(): number {
    return this.text.length;
  }
  @Param({ optional: true }) private secret?: string;
  @Param('a') private hidden?: string;
  @Param('a') protected guarded?: 'x' | 'y';
  @Param('a') static shared: string;
  use() {
    return [this.secret, this.hidden, this.guarded];
  }
}
export class Page<T, U extends string = 'a' | 'b', O extends object = object> {
  @Param({ type: 'any' }) item!: T;
  @Param({ type: ['any'] }) items!: T[];
  @Param({ type: 'any', optional: true }) item2?: T;
  @Param('x') text!: U;
  @Param({ type: () => Page, optional: true }) next?: Page<T>;
  @Param({ type: () => Page, optional: true }) self?: this;
  @Param({ type: () => Page }) self2!: this;
  @Param('x') either!: T | string;
  @Param({ default: 3 }) def!: T;
  @Param({ enum: ['a', 'b'] }) en!: U;
  @Param({ type: 'any' }) key!: keyof O;
  @Param({ type: { record: 'any' } }) rec!: Record<string, T>;
  @Param({ type: 'any' }) indexed!: O[keyof O];
}
export abstract class Base {
  @Param('a') id!: string;
  @Param({ optional: true }) abstract note?: string;
}
export class Derived extends Base {
  @Param({ optional: true }) override note?: string;
  @Param('z') own!: string;
}
export function WithId<B extends new (...args: ReturnType<typeof JSON.parse>[]) => object>(Of: B) {
  class Mixed extends Of {
    @Param('id') mixedId!: string;
    @Param({ optional: true }) mixedNote?: string;
  }
  return Mixed;
}
export class Index {
  [key: string]: unknown;
  @Param('x') named!: string;
  @Param({ optional: true }) opt?: string;
}
const wide: ParamOptions = { description: 'x' };
export class Wide {
  @Param(wide) a?: 'x' | 'y';
  @Param({ ...wide, optional: true }) b?: string;
}
export const Id = () => Param('Order id');
export const Text = (description: string, options: ParamOptions = {}) => Param({ ...options, description });
export class UsesHelpers {
  @Id() id!: string;
  @Text('x') t!: string;
  @Text('x', { optional: true }) u?: string;
}
const dynamic: { prototype: object } = class {
  k?: string;
};
Param('x')(dynamic.prototype, 'k');
declare const anyProto: ReturnType<typeof JSON.parse>;
Param('x')(anyProto, 'k');
export const named: PropertyParamDecorator = Param('x');
Field({ description: 'x', type: [String] })(Everything.prototype, 'text');
export class WithSymbolless {
  @Param({ optional: true, type: () => WithSymbolless }) child?: WithSymbolless;
}
