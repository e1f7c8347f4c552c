import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for tools: E101-E114. */
export const toolRemedies = createCodeTable({
  E101: 'Give the tool a legal name with @Tool({ name }), or rename the method that the name is derived from.',
  E102: "Shorten it, or move the details into the section's template.",
  E103: 'Move the decorator to an instance method, or to a class with handle(params, context).',
  E104: 'Give one of them another name with @Tool({ name }).',
  E105: "Write (), (params: X), (params: X, context: ToolContext), (context: ToolContext), or scalars that each carry @Param('name', 'description'), with or without the context.",
  E106: 'Use a class with @Param on its properties, import the class itself (not `import type`), or name it in @Tool({ params: X }); move a class of a circular import into a third file, or turn on experimentalDecorators and emitDecoratorMetadata (tsc or swc; esbuild and tsx emit none).',
  E107: 'Add handle(params, context) and @Tool({ params: X }).',
  E108: 'Compile with experimentalDecorators and emitDecoratorMetadata (tsc or swc). With other compilers, name the types, as in @Param({ type: String }), or use defineTool, defineSection and definePrompt.',
  E109: 'Correct the example so that a real call could have produced it.',
  E110: 'Remove one @Tool, or write a second method.',
  E111: "Put @Tool('description') on the method, or remove the decorators from its parameters.",
  E112: 'Remove one of them; `result` also types the handler.',
  E113: 'Declare truthful hints (readOnly, idempotent, or openWorld: false), or leave retry out.',
  E114: 'Rename the field or property that hides the method, or let the container return an instance of the class.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const toolTexts: Readonly<Record<keyof typeof toolRemedies, CodeText>> = {
  E101: {
    title: 'Illegal tool name',
    meaning:
      'Providers accept only names of 1 to 64 lower-case ASCII letters, digits, underscores and hyphens. Toolwright never corrects a name silently.',
  },
  E102: {
    title: 'Illegal tool description',
    meaning:
      'A description has 1 to 200 ASCII characters after trimming. It is the first text that the model reads about the tool.',
  },
  E103: {
    title: '@Tool is in the wrong place',
    meaning: 'Only instance methods, and classes with a handle method, can be tools.',
  },
  E104: {
    title: 'Tool name used twice',
    meaning:
      'A tool name is unique in the whole prompt, disabled sections included, so that enabling a section never changes the meaning of a name.',
  },
  E105: {
    title: 'Illegal handler signature',
    meaning: 'A handler takes (), (params), (params, context), (context), or @Param scalars with an optional context.',
  },
  E106: {
    title: 'Type of a handler parameter is unknown',
    meaning:
      'The compiler emitted no class for the parameter. An interface or union reflects as Object, as does a class of a circular import with swc and Vite; an `import type` reflects as Function; and some compilers emit nothing.',
  },
  E107: {
    title: 'Class tool without a usable handler',
    meaning:
      '@Tool on a class needs a handle method and the params option: handle has no decorator, so the compiler emits no types for it.',
  },
  E108: {
    title: 'Wrong kind of decorators',
    meaning:
      'The decorator was called as a decorator of the 2023 standard, which supports neither parameters nor types.',
  },
  E109: {
    title: 'Illegal tool example',
    meaning:
      'An example has a description of 1 to 200 ASCII characters, an input that parses into the params class, and an output of the declared result, which is null exactly if the tool has no result.',
  },
  E110: {
    title: 'Declared as a tool twice',
    meaning: 'A method or class can be only one tool. With two @Tool on it, one would be lost.',
  },
  E111: {
    title: '@Param or @Ctx on a method that is not a tool',
    meaning:
      'These decorators define the arguments of a handler. Without @Tool, the method is not a handler, and they have no effect.',
  },
  E112: {
    title: 'Result declared twice',
    meaning:
      'Declare a result by a class (`result`) or by a JSON Schema (`returnSchema`). With both, one would be ignored.',
  },
  E113: {
    title: 'Retry of a tool that may not be repeated',
    meaning:
      'A failed call is rolled back in Toolwright, but not in other systems; a second attempt might send a second mail. The hints of the tool say whether that can happen.',
  },
  E114: {
    title: 'Method of a tool is missing',
    meaning:
      'The instance that a tool runs on has no method of its name: a field hides it, a subclass replaces it, or the container returned another object. If this shows only during a call, as in a request-scoped class, the call fails, since the model can do nothing about it.',
  },
};
