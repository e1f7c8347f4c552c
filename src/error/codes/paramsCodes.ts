import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for params and results: E201-E223. */
export const paramsRemedies = createCodeTable({
  E201: 'Name the type: @Param({ type: X }), type: () => X, type: [X], enum, record or oneOf. Write { type: X, nullable: true } for `X | null`, and { type: X, optional: true } for `X | undefined`. Or compile with emitDecoratorMetadata (tsc or swc; esbuild and tsx emit none).',
  E202: 'Give every constructor argument a default, and do not throw in the constructor. A value class such as Decimal is sent as text: @Param({ type: String }) with @Transform(({ value }) => new Decimal(value)).',
  E203: 'Change the default or the rule.',
  E204: 'Rename one with @Param({ name }).',
  E205: 'Check it in the handler, and refuse there with ToolRefusal.',
  E206: 'Rewrite the pattern without lookarounds and back references, and give every repeated group a part that occurs exactly once. Otherwise write your own rule, or check in the handler.',
  E207: "Use @Param('description') on properties and @Param('name', 'description') on parameters.",
  E208: 'Give the property another name.',
  E209: 'Use zod 4.2 or arktype 2.1.28 or later, or wrap a schema of valibot with toStandardJsonSchema(schema) of @valibot/to-json-schema. Keep dates, bigints and similar types out of the part that the model sends.',
  E210: 'Make the root an object, and move unions and arrays into its properties.',
  E211: 'Inline the referenced schema, or let the library write it under $defs.',
  E212: 'Keep asynchronous refinements and transforms out of the schema, and let its functions not throw. Check in the handler, which can refuse with ToolRefusal.',
  E213: "Correct the value, or accept more: { extra: 'ignore' }, { coerce: true }.",
  E214: "Exclude class-transformer from the bundle: `ssr: { external: ['class-transformer'] }` in Vite, `external` in rollup and esbuild, `externals` in webpack.",
  E215: 'Ask for one of these targets.',
  E216: 'Leave room for at least one value. If a tool does not need the value, remove the property.',
  E217: 'Correct the pattern or the arguments of the decorator.',
  E218: 'Use a rule for the type of the property. For the items of an array, use a rule of class-validator with { each: true }.',
  E219: 'Decorate its properties with @Param or @Field. A tool without arguments needs no params class.',
  E220: "Write @Param('lines', { description: '…', default: 10 }), which the model reads, or { optional: true } to use the default of the handler.",
  E221: 'Decorate it with @Param or @Field of toolwright. Decorators of other packages, such as @Field of GraphQL or @ApiProperty, only describe it; a rule of class-validator, such as @IsString(), is enough. If the model should not see the property, write @Param({ internal: true }), or make it a #private field.',
  E222: 'Remove one of them, or give them values that differ in more than their type.',
  E223: 'Let the class be constructed without arguments, or write a class with these fields and @Param.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const paramsTexts: Readonly<Record<keyof typeof paramsRemedies, CodeText>> = {
  E201: {
    title: 'Type of a property is unknown',
    meaning:
      'Neither the compiler nor the initial value gives the type of the property, so its schema cannot be written.',
  },
  E202: {
    title: 'Params class cannot be constructed',
    meaning: 'Params classes are constructed with `new` and no arguments, twice at creation, to read their defaults.',
  },
  E203: {
    title: 'Default contradicts the declared rules',
    meaning: 'The initial value of the property would be refused if the model sent it.',
  },
  E204: {
    title: 'Two properties share a wire name',
    meaning: 'The names that the model reads must be unique within a class.',
  },
  E205: {
    title: 'Rule cannot be checked in a call',
    meaning: 'The check is synchronous: it would ignore asynchronous validators and accept everything.',
  },
  E206: {
    title: 'Pattern cannot be matched in linear time',
    meaning:
      'Patterns are matched in linear time, so that no text can block the event loop. That excludes lookarounds other than lookaheads directly after a leading ^, back references, the flag v, and repetitions above 1,000. It also excludes a repeated group without a fixed part, such as (a+)+, which would block clients that match the published pattern.',
  },
  E207: {
    title: 'Wrong form of @Param',
    meaning:
      'On a property, @Param takes a description or options. On a parameter of a handler, it takes the name first.',
  },
  E208: {
    title: 'Property name is reserved by JavaScript',
    meaning: 'Assigning to __proto__ sets the prototype of an object, so a value of that name cannot be passed.',
  },
  E209: {
    title: 'Params schema has no JSON Schema',
    meaning:
      'The model needs a description of the arguments. A schema of another library can be params if it implements Standard Schema and Standard JSON Schema and contains only types that JSON Schema can express.',
  },
  E210: {
    title: 'Params schema is not an object',
    meaning:
      'Tools are called with named arguments, so the JSON Schema of params must have the type "object" at its root.',
  },
  E211: {
    title: 'Params schema has an external reference',
    meaning: 'Providers load nothing: every $ref of the JSON Schema must point into the schema itself.',
  },
  E212: {
    title: 'Params schema returns a promise',
    meaning:
      'Arguments are checked synchronously. The schema returned a promise because it is asynchronous or because one of its functions threw. If this shows only during a call, the call is refused with this code.',
  },
  E213: {
    title: 'Value does not match its class',
    meaning: 'parse received a value that the class refuses. The issues of the error say where and why.',
  },
  E214: {
    title: 'Two copies of class-transformer',
    meaning:
      'A bundler used the `module` field of class-transformer for one import and `main` for another, so @Expose, @Exclude, @Transform and @Type would be ignored.',
  },
  E215: {
    title: 'Unsupported dialect of JSON Schema',
    meaning: 'toStandardSchema writes draft-2020-12 and draft-07.',
  },
  E216: {
    title: 'Type accepts no value',
    meaning:
      'An enum, a list for @IsIn, a tuple, oneOf or a discriminator is empty, or a lower bound is above the upper bound. The model could not send a valid value.',
  },
  E217: {
    title: 'Rule cannot be read',
    meaning: 'The pattern is not a regular expression, the format is unknown, or a decorator was given undefined.',
  },
  E218: {
    title: 'Rule does not apply to the type',
    meaning:
      'A rule such as minLength is declared on a property of a type that it does not apply to, so every value would be refused.',
  },
  E219: {
    title: 'Params or result class has no properties',
    meaning:
      'No property of the class is decorated. The model would read that the tool takes no arguments or returns nothing.',
  },
  E220: {
    title: '@Param does not mention a default value',
    meaning: 'The default in lines = 10 cannot be read, so the model would be told that the parameter is required.',
  },
  E221: {
    title: 'Property has no decorator',
    meaning: 'The property would be missing from the schema, and a value that the model sends for it would be refused.',
  },
  E222: {
    title: 'Enum members cannot be told apart',
    meaning:
      'An enum has the same value twice, or one value both as a number and as text. JSON Schema refuses the first, and models confuse the second.',
  },
  E223: {
    title: 'Mapped type of an unreadable class',
    meaning:
      'PickType, OmitType, PartialType and IntersectionType of Nest copy the rules of class-validator but ignore @Param. Toolwright reads the declarations from the original class. Its constructor threw, so descriptions, secrets and fields without rules would be missing.',
  },
};
