import { createCodeTable, type CodeText } from './CodeText.js';

/** Params and results: E201-E223: what to do. */
export const paramsRemedies = createCodeTable({
  E201: 'Name it: @Param({ type: X }), type: () => X, type: [X], enum, record or oneOf. `X | null` is { type: X, nullable: true }, and `X | undefined` { type: X, optional: true }. Or compile with emitDecoratorMetadata (tsc or swc; esbuild and tsx emit none).',
  E202: 'Give the constructor defaults for all its arguments, and let it not throw. A class of values, such as Decimal, is sent as text: @Param({ type: String }) with @Transform(({ value }) => new Decimal(value)).',
  E203: 'Change the default or the rule.',
  E204: 'Rename one with @Param({ name }).',
  E205: 'Check it in the handler, and refuse there with ToolRefusal.',
  E206: 'Rewrite the pattern: without lookarounds and back references, and with a part in what is repeated that occurs once. What needs more is a rule of your own, or a check in the handler.',
  E207: "Use @Param('description') on properties and @Param('name', 'description') on parameters.",
  E208: 'Give the property another name.',
  E209: "Use zod 4.2 or arktype 2.1.28 or later, wrap valibot's schema with toStandardJsonSchema(schema) of @valibot/to-json-schema, and keep dates, bigints and their like out of what the model sends.",
  E210: 'Make the root an object, and put unions and arrays into its properties.',
  E211: 'Inline the referenced schema, or let the library write it under $defs.',
  E212: 'Keep asynchronous refinements and transforms out of the schema, let its functions not throw, and check in the handler, which can refuse with ToolRefusal.',
  E213: "Correct the value, or allow more of it: { extra: 'ignore' }, { coerce: true }.",
  E214: "Leave class-transformer out of the bundle: `ssr: { external: ['class-transformer'] }` in Vite, `external` in rollup and esbuild, `externals` in webpack.",
  E215: 'Ask for one of these targets.',
  E216: 'Leave room for at least one value; a tool that needs nothing has no such property.',
  E217: 'Correct the pattern or the arguments of the decorator.',
  E218: "Take a rule of the property's own type; for the items of an array, one of class-validator with { each: true }.",
  E219: 'Decorate its properties with @Param or @Field; a tool without arguments needs no params class.',
  E220: "Write @Param('lines', { description: '…', default: 10 }), which the model reads; or { optional: true }, and the handler's own default applies.",
  E221: 'Decorate it with @Param or @Field of toolwright (those of other packages, such as @Field of GraphQL or @ApiProperty, only describe it); a rule of class-validator, such as @IsString(), is enough. If it is not for the model, say so: @Param({ internal: true }), or keep it in a #private field.',
  E222: 'Leave one of them out, or give them values that differ in more than their type.',
  E223: 'Let that class be constructed without arguments, or write a class with these fields and @Param.',
});

/** What the codes mean, for docs/errors.md. */
export const paramsTexts: Readonly<Record<keyof typeof paramsRemedies, CodeText>> = {
  E201: {
    title: 'Type of a property is not known',
    meaning:
      'Neither the compiler nor the initial value says what the property holds, so no schema can be written for it.',
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
    title: 'Two properties share one wire name',
    meaning: 'The names that the model sees must be unique within a class.',
  },
  E205: {
    title: 'Rule that cannot be checked in a call',
    meaning: 'Asynchronous validators would be ignored by a synchronous check and accept everything.',
  },
  E206: {
    title: 'Pattern that is not matched in linear time',
    meaning:
      'Patterns are matched in linear time, so that no text blocks the event loop. That excludes lookarounds other than lookaheads right behind a leading ^, back references, the flag v, and repetitions above 1,000; a repeated group of which nothing is fixed, such as (a+)+, would block clients that match the published pattern.',
  },
  E207: {
    title: '@Param in the wrong form',
    meaning: "On a property @Param takes a description or options; on a handler's parameter it takes the name first.",
  },
  E208: {
    title: 'Property that JavaScript keeps for itself',
    meaning: 'Assigning to __proto__ sets the prototype of an object, so no value of that name can be passed.',
  },
  E209: {
    title: 'Params schema without a JSON Schema',
    meaning:
      'The model needs a description of the arguments. A schema of another library can be params if it follows Standard Schema and Standard JSON Schema, and contains no type that JSON Schema cannot express.',
  },
  E210: {
    title: 'Params schema is not an object',
    meaning: 'Tools are called with named arguments, so the JSON Schema of params has the type "object" at its root.',
  },
  E211: {
    title: 'Params schema refers to what it does not contain',
    meaning: 'Providers load nothing: every $ref of the JSON Schema has to lead to a place inside of it.',
  },
  E212: {
    title: 'Params schema that returns a promise',
    meaning:
      'Arguments are checked synchronously. The schema returned a promise: it is asynchronous, or a function in it threw. If that shows only in a call, the call is refused with this code.',
  },
  E213: {
    title: 'Value does not fit its class',
    meaning: 'parse received a value that its class refuses; the issues of the error say where and why.',
  },
  E214: {
    title: 'Two copies of class-transformer',
    meaning:
      'A bundler took the `module` field of class-transformer for one import and `main` for another, so @Expose, @Exclude, @Transform and @Type would be ignored.',
  },
  E215: {
    title: 'Unsupported dialect of JSON Schema',
    meaning: 'toStandardSchema writes draft-2020-12 and draft-07.',
  },
  E216: {
    title: 'Type without a value',
    meaning:
      'An enum, a list for @IsIn, a tuple, oneOf or a discriminator is empty, or a lower bound is above the upper one, so that nothing the model could send would be right.',
  },
  E217: {
    title: 'Rule that cannot be read',
    meaning: 'The pattern is not a regular expression, the format is not known, or a decorator was given undefined.',
  },
  E218: {
    title: 'Rule that does not fit the type',
    meaning:
      'A rule such as minLength is declared on a property whose type it does not apply to, so that every value would be refused.',
  },
  E219: {
    title: 'Params or result class without properties',
    meaning:
      'No property of the class is decorated, so the model would read that the tool takes no arguments, or returns nothing.',
  },
  E220: {
    title: 'Default value of a parameter that its @Param does not mention',
    meaning: 'The default in lines = 10 cannot be read: the model would be told that the parameter is required.',
  },
  E221: {
    title: 'Property without a decorator',
    meaning: 'The property would be in no schema, and a value that the model gives for it would be refused.',
  },
  E222: {
    title: 'Enum with members that cannot be told apart',
    meaning:
      'An enum has a value twice, or one as a number and as text. JSON Schema refuses the first, and models mistake one for the other.',
  },
  E223: {
    title: 'Mapped type of a class that cannot be seen',
    meaning:
      'PickType, OmitType, PartialType and IntersectionType of Nest copy rules of class-validator, and know nothing of @Param. Toolwright looks its declarations up in the class that they were given; its constructor threw, so descriptions, secrets and fields without rules would be missing.',
  },
};
