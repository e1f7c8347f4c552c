import { codeTable } from './codeTable.js';

/** Params and results: E201-E219. */
export const paramsCodes = codeTable({
  E201: {
    title: 'Type of a property is not known',
    meaning:
      'Neither the compiler nor the initial value says what the property holds, so no schema can be written for it.',
    remedy:
      'Name it: @Param({ type: X }), type: () => X, type: [X], enum, record or oneOf. `X | null` is { type: X, nullable: true }, and `X | undefined` { type: X, optional: true }. Or compile with emitDecoratorMetadata (tsc or swc; esbuild and tsx emit none).',
  },
  E202: {
    title: 'Params class cannot be constructed',
    meaning: 'Params classes are constructed with `new` and no arguments, twice at creation, to read their defaults.',
    remedy: 'Give the constructor defaults for all its arguments, and let it not throw.',
  },
  E203: {
    title: 'Default contradicts the declared rules',
    meaning: 'The initial value of the property would be refused if the model sent it.',
    remedy: 'Change the default or the rule.',
  },
  E204: {
    title: 'Two properties share one wire name',
    meaning: 'The names that the model sees must be unique within a class.',
    remedy: 'Rename one with @Param({ name }).',
  },
  E205: {
    title: 'Rule that cannot be checked in a call',
    meaning: 'Asynchronous validators would be ignored by a synchronous check and accept everything.',
    remedy: 'Check it in the handler, and refuse there with ToolRefusal.',
  },
  E206: {
    title: 'Pattern with catastrophic backtracking',
    meaning:
      'A loop that can read one text in two ways blocks the event loop for minutes on a short input, without any timeout.',
    remedy: 'Rewrite the pattern so that a repeated part can match a text in one way only.',
  },
  E207: {
    title: '@Param in the wrong form',
    meaning: "On a property @Param takes a description or options; on a handler's parameter it takes the name first.",
    remedy: "Use @Param('description') on properties and @Param('name', 'description') on parameters.",
  },
  E208: {
    title: 'Property that JavaScript keeps for itself',
    meaning: 'Assigning to __proto__ sets the prototype of an object, so no value of that name can be passed.',
    remedy: 'Give the property another name.',
  },
  E209: {
    title: 'Params schema without a JSON Schema',
    meaning:
      'A schema of another library can be params if it follows Standard Schema and Standard JSON Schema, and contains no type that JSON Schema cannot express: the model needs it.',
    remedy:
      "Use zod 4.2 or arktype 2.1.28 or later, wrap valibot's schema with toStandardJsonSchema(schema) of @valibot/to-json-schema, and keep dates, bigints and their like out of what the model sends.",
  },
  E210: {
    title: 'Params schema is not an object',
    meaning: 'Tools are called with named arguments, so the JSON Schema of params has the type "object" at its root.',
    remedy: 'Make the root an object, and put unions and arrays into its properties.',
  },
  E211: {
    title: 'Params schema refers to what it does not contain',
    meaning: 'Providers load nothing: every $ref of the JSON Schema has to lead to a place inside of it.',
    remedy: 'Inline the referenced schema, or let the library write it under $defs.',
  },
  E212: {
    title: 'Params schema that returns a promise',
    meaning:
      'Arguments are checked synchronously, and the schema returned a promise: it is asynchronous, or a function in it threw. It may show only in a call, which is then refused.',
    remedy:
      'Keep asynchronous refinements and transforms out of the schema, and functions that throw; check in the handler, which can refuse with ToolRefusal.',
  },
  E213: {
    title: 'Value does not fit its class',
    meaning: 'parse received a value that its class refuses; the issues of the error say where and why.',
    remedy: "Correct the value, or allow more of it: { extra: 'ignore' }, { coerce: true }.",
  },
  E214: {
    title: 'Two copies of class-transformer',
    meaning:
      'A bundler took the `module` field of class-transformer for one import and `main` for another, so @Expose, @Exclude, @Transform and @Type would be ignored.',
    remedy:
      "Leave class-transformer out of the bundle: `ssr: { external: ['class-transformer'] }` in Vite, `external` in rollup and esbuild, `externals` in webpack.",
  },
  E215: {
    title: 'Unsupported dialect of JSON Schema',
    meaning: 'toStandardSchema writes draft-2020-12 and draft-07.',
    remedy: 'Ask for one of these targets.',
  },
  E216: {
    title: 'Type without a value',
    meaning:
      'An enum, a list for @IsIn, a tuple, oneOf or a discriminator is empty, or a lower bound is above the upper one: nothing the model sends would be right.',
    remedy: 'Leave room for at least one value; a tool that needs nothing has no such property.',
  },
  E217: {
    title: 'Rule that cannot be read',
    meaning: 'The pattern is not a regular expression, the format is not known, or a decorator was given undefined.',
    remedy: 'Correct the pattern or the arguments of the decorator.',
  },
  E218: {
    title: 'Rule that does not fit the type',
    meaning:
      'A rule such as minLength is declared on a property whose type it does not apply to, so that every value would be refused.',
    remedy:
      "Take a rule of the property's own type; for the items of an array, one of class-validator with { each: true }.",
  },
  E219: {
    title: 'Params or result class without properties',
    meaning:
      'No property of the class is decorated, so the model would read that the tool takes no arguments, or returns nothing.',
    remedy: 'Decorate its properties with @Param or @Field; a tool without arguments needs no params class.',
  },
  E220: {
    title: 'Default value of a parameter that its @Param does not mention',
    meaning: 'The default in lines = 10 cannot be read: the model would be told that the parameter is required.',
    remedy:
      "Write @Param('lines', { description: '…', default: 10 }), which the model reads; or { optional: true }, and the handler's own default applies.",
  },
  E221: {
    title: 'Property without a decorator',
    meaning: 'The property would be in no schema, and a value that the model gives for it would be refused.',
    remedy:
      'Decorate it with @Param or @Field. If it is not for the model, say so: @Param({ internal: true }), or keep it in a #private field.',
  },
});
