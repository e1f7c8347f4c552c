/** What one code stands for: the source of docs/errors.md. */
export interface CodeEntry {
  /** What is wrong, as a heading. */
  readonly title: string;
  /** Why it is refused, in a sentence or two. */
  readonly meaning: string;
  /** What to change. */
  readonly remedy: string;
}

/**
 * Every failure that Toolwright reports, by code.
 * E1 tools, E2 params and results, E3 sections and prompts, E4 containers, E5 rendering, E6 tool calls (E65-E67 programs, E68
 * bridged MCP servers), E7 evaluation and adapters, E8 sessions, E9 resources.
 */
export const codes = {
  E101: {
    title: 'Illegal tool name',
    meaning:
      'Providers accept only names of 1 to 64 lower-case ASCII letters, digits, underscores and hyphens. A name is never repaired silently.',
    remedy: 'Give the tool a legal name with @Tool({ name }), or rename the method that it is derived from.',
  },
  E102: {
    title: 'Illegal tool description',
    meaning:
      'A description has 1 to 200 ASCII characters after trimming. It is the first thing the model reads about the tool.',
    remedy: "Shorten it, or move the details into the section's template.",
  },
  E103: {
    title: '@Tool in a place that holds no handler',
    meaning: 'Only instance methods, and classes with a handle method, can be tools.',
    remedy: 'Move the decorator to an instance method, or to a class with handle(params, context).',
  },
  E104: {
    title: 'Tool name used twice',
    meaning:
      'A tool name is unique in the whole prompt, disabled sections included, so that enabling a section never changes what a name means.',
    remedy: 'Give one of them another name with @Tool({ name }).',
  },
  E105: {
    title: 'Illegal handler signature',
    meaning: 'A handler takes (), (params), (params, context), (context), or @Param scalars with an optional context.',
    remedy: 'Change the handler to one of these signatures.',
  },
  E106: {
    title: 'Type of a handler parameter is not known',
    meaning:
      'The compiler emitted no class for the parameter: an interface or union reflects as Object (as does a class of a circular file with swc and Vite), an `import type` as Function, and some compilers emit nothing.',
    remedy:
      'Import the class itself (not `import type`), name it in @Tool({ params: X }), move a class of a circular file into a third file, or turn on experimentalDecorators and emitDecoratorMetadata (tsc or swc; esbuild and tsx emit none).',
  },
  E107: {
    title: 'Class tool without a usable handler',
    meaning:
      '@Tool on a class needs a handle method and the params option, since nothing decorates handle and the compiler emits no types for it.',
    remedy: 'Add handle(params, context) and @Tool({ params: X }).',
  },
  E108: {
    title: 'Wrong kind of decorators',
    meaning:
      'The decorator was called the way of the 2023 standard. Standard decorators know neither parameters nor types.',
    remedy: 'Compile with experimentalDecorators and emitDecoratorMetadata.',
  },
  E109: {
    title: 'Illegal tool example',
    meaning:
      'An example has a description of 1 to 200 ASCII characters, an input that parses into the params class and an output of the declared result; null exactly where the tool has none.',
    remedy: 'Correct the example so that a real call could have produced it.',
  },
  E110: {
    title: 'Declared as a tool twice',
    meaning: 'One method or class is one tool; with two @Tool on it, one of them would be lost.',
    remedy: 'Remove one @Tool, or write a second method.',
  },
  E111: {
    title: '@Param or @Ctx on a method that is no tool',
    meaning:
      'They say what a handler is given. Without @Tool on the method nobody calls it as a handler, and they do nothing.',
    remedy: "Put @Tool('description') on the method, or remove the decorators from its parameters.",
  },
  E112: {
    title: 'Result declared twice',
    meaning:
      'A result is described by a class (`result`) or by a JSON Schema (`returnSchema`); with both, one would be ignored.',
    remedy: 'Keep one of them; `result` also types the handler.',
  },
  E201: {
    title: 'Type of a property is not known',
    meaning:
      'Neither the compiler nor the initial value says what the property holds, so no schema can be written for it.',
    remedy:
      'Name it: @Param({ type: X }), type: () => X, type: [X], enum, record or oneOf; or compile with emitDecoratorMetadata (tsc or swc; esbuild and tsx emit none).',
  },
  E202: {
    title: 'Params class cannot be constructed',
    meaning: 'Params classes are made with `new` and no arguments, twice at creation, to read their defaults.',
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
      'A loop that can read one text in two ways blocks the event loop for minutes on a short input, and no timeout fires meanwhile.',
    remedy: 'Rewrite the pattern so that a repeated part can match a text in one way only.',
  },
  E207: {
    title: '@Param in the wrong form',
    meaning: "On a property @Param takes a description or options; on a handler's parameter it takes the name first.",
    remedy: "Use @Param('description') on properties and @Param('name', 'description') on parameters.",
  },
  E208: {
    title: 'Property that JavaScript keeps for itself',
    meaning: 'Assigning to __proto__ sets the prototype of an object, so no value of that name can be handed over.',
    remedy: 'Give the property another name.',
  },
  E209: {
    title: 'Params schema without a JSON Schema',
    meaning:
      'The model has to be told what to send. A schema of another library can be params when it follows Standard Schema and Standard JSON Schema, and holds no type that JSON Schema cannot say.',
    remedy:
      "Use zod 4.2 or arktype 2.1.28 or later, wrap valibot's schema with toStandardJsonSchema(schema) of @valibot/to-json-schema, and keep dates, bigints and their like out of what the model sends.",
  },
  E210: {
    title: 'Params schema is no object',
    meaning: 'Tools are called with named arguments, so the JSON Schema of params has the type "object" at its root.',
    remedy: 'Make the root an object, and put unions and arrays into its properties.',
  },
  E211: {
    title: 'Params schema refers to what it does not hold',
    meaning: 'Providers load nothing: every $ref of the JSON Schema has to lead to a place inside of it.',
    remedy: 'Inline the referenced schema, or let the library write it under $defs.',
  },
  E212: {
    title: 'Params schema that does not answer at once',
    meaning:
      'Arguments are checked synchronously. The schema gave a promise instead: it is asynchronous, or a function in it threw. Where that shows only in a call, the call is refused with this code.',
    remedy:
      'Keep asynchronous refinements and transforms out of the schema, let its functions not throw, and check in the handler, which can refuse with ToolRefusal.',
  },
  E213: {
    title: 'Value does not fit its class',
    meaning: 'parse was given a value that its class refuses; issues of the error say where and why.',
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
    title: 'Dialect of JSON Schema that is not written',
    meaning: 'toStandardSchema writes draft-2020-12 and draft-07.',
    remedy: 'Ask for one of these targets.',
  },
  E216: {
    title: 'Type without a value',
    meaning:
      'An enum, a list for @IsIn, a tuple, oneOf or a discriminator is empty, or a lower bound is above the upper one, so that nothing the model could send would be right.',
    remedy: 'Leave room for at least one value; a tool that needs nothing has no such property.',
  },
  E217: {
    title: 'Rule that cannot be read',
    meaning: 'The pattern is no regular expression, the format is not known, or a decorator was given undefined.',
    remedy: 'Correct the pattern or the arguments of the decorator.',
  },
  E218: {
    title: 'Rule that does not fit the type',
    meaning:
      'A rule such as minLength stands on a property whose values it says nothing about, so that every value would be refused.',
    remedy:
      "Take a rule of the property's own type; for the items of an array, one of class-validator with { each: true }.",
  },
  E219: {
    title: 'Params class without properties',
    meaning: 'No property of the class is decorated, so the model would be told that the tool takes no arguments.',
    remedy: 'Decorate its properties with @Param; a tool without arguments needs no params class.',
  },
  E301: {
    title: 'Class is not declared',
    meaning: 'A section or prompt class was listed that carries no @Section or @Prompt.',
    remedy: 'Decorate the class, or make it with defineSection or definePrompt.',
  },
  E302: {
    title: 'Illegal section key',
    meaning:
      'A key is trimmed and lower-cased, then has 1 to 64 lower-case letters, digits, underscores and hyphens, starting with a letter or digit. A dot separates path elements and is no part of a key.',
    remedy: 'Change the key with @Section({ key }).',
  },
  E303: {
    title: 'Sibling sections share a key',
    meaning: 'The path of a section is its only name for the model, so it must be unique.',
    remedy: 'Give one of them another key.',
  },
  E304: {
    title: 'Placeholder without a property',
    meaning: "A placeholder of a template must be a property of the section's params class.",
    remedy: 'Add the property, correct the placeholder, or write $$ for a dollar sign.',
  },
  E305: {
    title: 'Stray dollar sign in a template',
    meaning: 'A dollar sign starts a placeholder: ${name} or $name.',
    remedy: 'Write $$ for a literal dollar sign.',
  },
  E306: {
    title: 'Prompt without namespace or key',
    meaning: 'ns and key name the prompt in events and overrides; both are trimmed and not empty.',
    remedy: 'Set @Prompt({ ns, key }).',
  },
  E307: {
    title: 'Class was undefined when it was read',
    meaning: 'Files that import each other in a circle see undefined where a class is expected.',
    remedy:
      'Write a thunk, () => X; where a decorated signature needs the class, move it into a third file that both import.',
  },
  E308: {
    title: 'Section contains itself',
    meaning: 'The children of a section lead back to it, so the tree would never end.',
    remedy: 'Remove the section from its own subtree.',
  },
  E309: {
    title: 'Default params do not fit the section',
    meaning: "A section's defaults are an instance of its params class, or a plain object that parses into it.",
    remedy: 'Correct the defaults or the params class.',
  },
  E310: {
    title: 'Params that the prompt cannot take',
    meaning: 'Only instances of params classes that some section uses can be bound, one of each class.',
    remedy: 'Bind new instances of the classes named in @Section({ params }).',
  },
  E311: {
    title: 'Section title is empty',
    meaning: 'The title is what the model reads in the heading.',
    remedy: 'Set @Section({ title }).',
  },
  E312: {
    title: 'Option of the wrong kind',
    meaning:
      'A decorator or define… was given something that the compiler would have refused. Code without types, or with a cast, can hand over anything.',
    remedy: 'Give the option what the message asks for.',
  },
  E313: {
    title: 'Two prompts under one name',
    meaning:
      'Namespace and key name a prompt in events and overrides, so each pair stands for one prompt of the application.',
    remedy: 'Give one of them another key, and list each class once.',
  },
  E314: {
    title: 'Hook that cannot be called',
    meaning:
      'enabled and renderBody are asked at each rendering: they are options, methods, or fields that hold a function. A getter or another value under these names would be ignored.',
    remedy: 'Write the hook as a method or as an option of @Section, or give the member another name.',
  },
  E315: {
    title: 'Policy that names no tool',
    meaning:
      'A policy names a tool that its prompt does not have. It would never watch over it, or wait for it in vain.',
    remedy: 'Correct the name, or list the tool in a section of the prompt.',
  },
  E401: {
    title: 'Service cannot be built',
    meaning: 'The container could not give a class that a section needs; the message shows the path to it.',
    remedy: 'Register the class or value with the container, or give the parameter a class as type that it can build.',
  },
  E402: {
    title: 'Constructors form a circle',
    meaning: 'Each of the named classes needs the next one before it can be built.',
    remedy: 'Break the circle: inject a factory, or move the shared part into a third class.',
  },
  E403: {
    title: 'Prompt is not part of the application',
    meaning: 'Only prompts listed at creation were validated and can be used.',
    remedy: 'List the class in createApplication({ prompts }).',
  },
  E404: {
    title: 'Constructor that asks for what lives for one call',
    meaning:
      'Sections and class tools are built once, when the application is created. A resource of a call, or its context, would be held by all calls of all sessions, and would not be rolled back with any.',
    remedy: 'Ask for it in the handler: context.resources.get(X).',
  },
  E410: {
    title: 'Application is closed',
    meaning: 'app.close() was called: runs and calls that had begun come to their end, and no other ones begin.',
    remedy: 'Create another application, or close it later.',
  },
  E411: {
    title: 'Run of something else',
    meaning:
      'A run needs a prompt or its rendering, and an adapter that asks a model; a call needs a rendering, and what a model asked for. Code without types can hand over anything.',
    remedy:
      'app.evaluate(app.prompt(X), { adapter, session }), or app.callTool(await app.prompt(X).render({ session }), { id, name, arguments }, { session }).',
  },
  E501: {
    title: 'Params of a section are missing',
    meaning: 'No instance was bound, no default exists, and the class cannot be made from nothing.',
    remedy: 'Bind one: prompt.bind(Class, { … }).',
  },
  E502: {
    title: 'Hook of a section failed',
    meaning: 'enabled, visibility or renderBody threw, or gave a value of another type.',
    remedy: 'Correct the hook; the cause is attached.',
  },
  E503: {
    title: 'Placeholder has no value',
    meaning: 'The property is undefined at rendering. null renders as nothing, undefined is taken for a mistake.',
    remedy: 'Bind a value, or give the property a default.',
  },
  E510: {
    title: 'Summarised section has no summary',
    meaning: 'A section is to be shown as its summary, by its declaration, a hook or an override, and has none.',
    remedy: 'Give it a summary in @Section; an empty one leaves the heading and the way to open it.',
  },
  E511: {
    title: 'Visibility cannot be',
    meaning: 'An override of a section says something else than full or summary.',
    remedy: 'Use SectionVisibility.FULL or SectionVisibility.SUMMARY.',
  },
  E512: {
    title: 'Tokens cannot be counted',
    meaning: 'The tokenEstimator of the application gave something else than a number from 0 up, such as a promise.',
    remedy: 'Give createApplication a function that returns the number at once, or leave tokenEstimator out.',
  },
  E520: {
    title: 'Override of what cannot be overridden',
    meaning:
      'Only texts of known sections and tools that accept overrides can be replaced: bodies, summaries, descriptions and examples. Names, types and structure cannot.',
    remedy: 'Compare with prompt.descriptor, which lists what may be overridden.',
  },
  E521: {
    title: 'Override of a text that has changed',
    meaning:
      'The override was written for a text that the declaration no longer holds. It is refused when it is written, and skipped when the prompt is rendered.',
    remedy: 'Look at the declared text again, adapt the override, and write it with the hash of prompt.descriptor.',
  },
  E522: {
    title: 'Malformed tag of overrides',
    meaning: 'A tag names a set of overrides, and a file: 1 to 64 of a-z, 0-9, dot, hyphen and underscore.',
    remedy: 'Use a tag such as "latest" or "experiment-2"; it begins with a letter or digit.',
  },
  E523: {
    title: 'Overriding text that cannot be rendered',
    meaning:
      "An overriding body or summary follows the rules of templates: its placeholders are properties of the section's params class.",
    remedy: 'Correct the override: write ${name} for a property, and $$ for a dollar sign.',
  },
  E524: {
    title: 'Overrides of another form',
    meaning: 'Overrides are plain data: texts by section path and by tool name.',
    remedy: 'Give { sections: { path: { body } }, tools: { name: { description, params, examples } } }.',
  },
  E525: {
    title: 'Store of overrides failed',
    meaning: 'Overrides could not be read, written or deleted; the cause is attached where there is one.',
    remedy: 'Repair or delete what the message names; a prompt without overrides is rendered as declared.',
  },
  E526: {
    title: 'No store of overrides',
    meaning: 'Overrides were asked for, but the application was created without a store.',
    remedy: 'Give one: createApplication({ overrides: new FileOverridesStore(folder) }).',
  },
  E527: {
    title: 'Overriding text of a tool is wrong',
    meaning:
      "Overriding descriptions and examples follow the rules of declared ones: 1-200 ASCII characters for a tool's, calls that could have been real for examples.",
    remedy: 'Correct the override under the tag that the message names.',
  },
  E530: {
    title: 'Answer does not have the wanted form',
    meaning:
      'The prompt or the run declares an output, and what the model wrote cannot be read as one, even after it was told why. rawText is what it wrote.',
    remedy: 'Look at issues and rawText: describe the fields, loosen the class, or set allowExtraKeys.',
  },
  E531: {
    title: 'Model gave no answer of the wanted form',
    meaning:
      'The prompt or the run declares an output, and the model declined to answer, was stopped by a content filter, or was cut short. Asking again would not help, so it was not asked.',
    remedy: "Look at rawText: raise the provider's limit on output tokens, or change what is asked for.",
  },
  E601: {
    title: 'Tool call stopped',
    meaning:
      'A call could not be run or finished for a reason that the model cannot mend: an expired deadline, or a tool without a handler.',
    remedy: 'See the message and its cause.',
  },
  E602: {
    title: 'Context used after its call has ended',
    meaning: 'The transaction of the call is closed; a late write would be lost or, worse, kept.',
    remedy: 'Await everything that the handler starts, and honour context.signal.',
  },
  E603: {
    title: 'Arguments refused',
    meaning: 'The arguments do not fit the tool. The model is told each issue with its path.',
    remedy: 'Call again with corrected arguments.',
  },
  E604: {
    title: 'Refused by the tool',
    meaning: 'The handler refused the request; nothing was changed.',
    remedy: 'Do what the message says.',
  },
  E605: {
    title: 'Deadline exceeded',
    meaning: 'The time for the run is over.',
    remedy: 'Give the run more time, or less to do.',
  },
  E606: {
    title: 'Summarised sections asked for',
    meaning: 'The model asked to see sections in full; the caller renders again with the requested overrides.',
    remedy: 'Merge requestedOverrides into visibilityOverrides and render again, or use expansions: "apply".',
  },
  E607: {
    title: 'Write by a read-only tool',
    meaning: 'A tool with hints.readOnly runs beside others on one snapshot and cannot change state.',
    remedy: 'Remove the hint, or the write.',
  },
  E651: {
    title: 'Engine of programs is missing',
    meaning: 'QuickJsSandbox runs programs in quickjs-wasi, which is an optional peer of toolwright/code.',
    remedy: 'Run npm install quickjs-wasi@3.6.2, or give the toolkit another sandbox.',
  },
  E652: {
    title: 'Impossible limits or options of a sandbox',
    meaning: 'A limit that is no positive number, or lies outside of what the engine can keep, would limit nothing.',
    remedy: 'Give a number within the range that the message names.',
  },
  E653: {
    title: 'Sandbox is closed',
    meaning: 'close() has ended the workers of the sandbox; programs cannot be run in it any more.',
    remedy: 'Make a new sandbox, or close it later.',
  },
  E654: {
    title: 'Engine broke a promise',
    meaning:
      'A check of the engine conformance kit found that programs get something, or do something, that they must not.',
    remedy: 'Do not run programs of models in this engine.',
  },
  E661: {
    title: 'Tool name that no program can use',
    meaning:
      'In a program a tool is a function; its name, with _ for what no identifier may hold, must not be a word of the language or a global of programs.',
    remedy: "Give the tool another name, or keep it from programs with callers: ['direct'].",
  },
  E662: {
    title: 'Two tools with one name in programs',
    meaning: 'Names that differ only in characters that no identifier may hold become the same function in a program.',
    remedy: "Rename one of them, or keep it from programs with callers: ['direct'].",
  },
  E663: {
    title: 'Library that reads programs is missing',
    meaning: 'Programs are read with acorn and sucrase, which are optional peers of toolwright/code.',
    remedy: 'Run npm install acorn sucrase.',
  },
  E664: {
    title: 'Programs cannot be checked',
    meaning: 'The worker thread in which programs are read before they run did not start.',
    remedy:
      'Look for what keeps worker threads from starting: memory, process limits, a bundler that left out the file.',
  },
  E671: {
    title: 'Toolkit made of what is no tool',
    meaning:
      'A toolkit is made of a rendered prompt with its application, or of a list: classes and instances with @Tool methods, what defineTool or toolFrom gives, and tools with a Standard Schema.',
    remedy: 'Correct the entry that the message names; make a function a tool with toolFrom(fn, …).',
  },
  E672: {
    title: 'Option of programs that does not fit',
    meaning: 'Limits are whole numbers above 0; check and format name what the docs list; retry has a handler.',
    remedy: 'Correct the option that the message names, or leave it out.',
  },
  E673: {
    title: 'Program outside of a call',
    meaning: 'The handler of execute_program runs its program within the call that an application dispatched.',
    remedy: 'Call the tool through app.callTool or a run, or use toolkit.execute.',
  },
  E674: {
    title: 'No such tool in the toolkit',
    meaning: 'A tool was asked for that the toolkit does not hold, or a filter was given that leaves none.',
    remedy: 'Use one of the names that the message lists.',
  },
  E675: {
    title: 'Function that cannot be made a tool',
    meaning:
      'toolFrom takes a function with a name, params that name each of its parameters in order, and a description, in doc or in the options.',
    remedy: 'Do what the message says.',
  },
  E681: {
    title: 'MCP server that cannot be bridged',
    meaning:
      'The server did not list its tools or resources: it is not connected, did not answer in time, or answered wrongly.',
    remedy: 'Connect the client first, and look at the cause.',
  },
  E682: {
    title: 'No such tool at the MCP server',
    meaning:
      'names asks for a tool or resource that the server does not list, or that was left out for its declaration.',
    remedy: 'Use one of the names that the message lists; the log says what was left out, and why.',
  },
  E683: {
    title: 'Option of a bridge that does not fit',
    meaning:
      'A bridge takes a connected MCP client, or a function that gives one, and the options that docs/mcp-bridge.md lists.',
    remedy: 'Correct what the message names.',
  },
  E684: {
    title: 'MCP server refused the request',
    meaning:
      'The server answered with an error of the protocol: a tool that is gone, arguments that it does not take, or a fault of its own.',
    remedy: 'Correct the call; when the list of the server has changed, bridge it anew.',
  },
  E685: {
    title: 'MCP server out of reach',
    meaning: 'The connection is closed, or the server did not answer in time. A bridge never connects by itself.',
    remedy: 'Connect a client again; a bridge that was given a function asks it for the client of each call.',
  },
  E686: {
    title: 'Answer of an MCP server that is not taken',
    meaning:
      'The answer is larger or deeper than a bridge takes, is not what the protocol says, or not what the tool declares.',
    remedy: 'Ask for less, raise maxResultBytes, or tell the author of the server.',
  },
  E687: {
    title: 'Declaration of an MCP server left out',
    meaning:
      'What a server says of itself is not trusted: a schema that is too large, leads out of itself or in a circle, cannot be compiled or is no schema, and a name that occurs twice are left out. It is written to the log; everything else is bridged.',
    remedy: 'Tell the author of the server, or leave the tool out with names.',
  },
  E691: {
    title: 'Option of an MCP server that does not fit',
    meaning:
      'Bounds are whole numbers above 0; a host is a name without port, an origin a URL without path; nothing is listed twice.',
    remedy: 'Correct the option that the message names, or leave it out.',
  },
  E692: {
    title: 'MCP server is closed',
    meaning: 'A server that was closed, or whose process has lost its input, takes no further connections.',
    remedy: 'Call serveMcp again for another server.',
  },
  E693: {
    title: 'MCP client gave no answer',
    meaning:
      'A handler asked the client behind its call for a form or a text of its model. The client cannot do that, has refused, or did not answer in time.',
    remedy: 'Go on without the answer, or look at client.peer and at what the client declares before asking.',
  },
  E701: {
    title: 'Evaluation stopped',
    meaning: 'The run could not go on; phase says where it stopped.',
    remedy: 'See the message and its cause.',
  },
  E702: {
    title: "Model's answer cannot be used",
    meaning: 'The provider answered something that is no text and no tool call, or cut it short.',
    remedy: 'See the message; raise the output limit when it was cut short.',
  },
  E703: {
    title: 'Script is at its end',
    meaning: 'A ScriptedModel was asked for more turns than it was given.',
    remedy: 'Add a turn to the script, or find out why the loop went on.',
  },
  E704: {
    title: 'Budget exceeded',
    meaning: 'The run has spent more tokens, calls or time than its budget allows; dimension says which.',
    remedy: 'Raise the limit, or give the run less to do. The transcript shows what it was spent on.',
  },
  E705: {
    title: 'Provider does not answer now',
    meaning:
      'The provider limits requests, is overloaded or cannot be reached, and waiting as long as allowed did not help.',
    remedy: "Try again later; for rate limits, raise the account's limit or make fewer requests at a time.",
  },
  E706: {
    title: 'Limit declared wrongly',
    meaning: 'A budget holds at least one limit, and each is a whole number greater than zero.',
    remedy: 'Correct the number, or leave the limit out.',
  },
  E707: {
    title: 'Run differs from its record',
    meaning:
      'A recorded run was played again, and something came out differently; the first message that differs is named.',
    remedy: 'Record the run anew if the change is wanted; otherwise find out what changed.',
  },
  E708: {
    title: 'Interceptor ended a run or call',
    meaning: 'An interceptor calls next() exactly once and waits for it. To deny, it throws.',
    remedy: 'Return the promise of next(), or throw a ToolRefusal with the reason.',
  },
  E709: {
    title: 'Journal does not fit',
    meaning: 'The journal holds another run, is damaged before its end, or could not be written.',
    remedy: 'Continue its run with resume: true, or give each run a journal of its own.',
  },
  E710: {
    title: 'No transcript',
    meaning: 'The text is not what writeTranscript gives: a head, then one message a line.',
    remedy: 'Give it the text of a transcript file, unchanged.',
  },
  E711: {
    title: 'Call waits for an approval',
    meaning:
      'The approver answered that it will say so later. The call has not begun; earlier calls of its turn stand.',
    remedy:
      'Keep the pending call of the error as JSON and give it to app.continueCall with the answer, or continue the run from its journal when the approver knows the answer.',
  },
  E712: {
    title: 'Pending call that does not fit',
    meaning:
      'The record is not what ApprovalPendingError held, belongs to another prompt, or was changed. Nothing was run.',
    remedy: 'Give app.continueCall the record as it was written, with a rendering of the same prompt.',
  },
  E713: {
    title: 'Policy declared wrongly',
    meaning: 'The options of a policy say nothing, or something that no call could ever meet.',
    remedy: 'Correct the option that the message names.',
  },
  E714: {
    title: 'Stream is over',
    meaning:
      'Whoever read the run as a stream has left, or the run has ended. It is the reason that requests and handlers are aborted with then.',
    remedy: 'Stop the work, as after any other abort.',
  },
  E715: {
    title: 'Stream with two readers',
    meaning: 'A stream is one run, which takes place once and has one reader.',
    remedy: 'Call app.stream again for another run, or hand the events on from one loop.',
  },
  E721: {
    title: 'No language model of the AI SDK',
    meaning:
      'AiSdkAdapter takes the model object of a provider package, with specification v3 (ai 6) or v4 (ai 7). The name of a model, or a model of an older version, cannot be asked.',
    remedy: "Give it what the provider package makes, such as openai('gpt-5-mini'), in the version for ai 6 or ai 7.",
  },
  E722: {
    title: 'Tools of what is no rendering',
    meaning: 'Tools for a loop of your own are made of an application and of what prompt.render() gave.',
    remedy: 'Give the application, and the rendering that you awaited: await app.prompt(X).render({ session }).',
  },
  E801: {
    title: 'State of a kind that cannot be rolled back',
    meaning: 'Map, Set, Date, typed arrays and classes with #private state can be changed although they are frozen.',
    remedy: 'Use plain objects, arrays and classes with readonly properties in state slices.',
  },
  E802: {
    title: 'Reducer declared twice or wrongly',
    meaning:
      '@Reducer stands on an instance method, names one event class, and each event class once. A reducer gives an operation.',
    remedy: 'Correct the state class.',
  },
  E803: {
    title: 'Snapshot of another session',
    meaning:
      'A snapshot can be restored only in the session that it was taken of, in a clone of it, or the other way round.',
    remedy: 'Take the snapshot with session.snapshot(), or carry state over with toJSON and fromJSON.',
  },
  E804: {
    title: 'Session made with options that do not fit',
    meaning:
      'slices lists each class once, each under a name of its own; tags is a record of strings; parent is a session, and the one that parentId names.',
    remedy: 'Correct the option; { type, name } gives a class another name.',
  },
  E805: {
    title: 'State that cannot be written as JSON',
    meaning:
      'A session is written only in a way in which it can be read back: slices under registered names, with plain data, and with classes and dates where @Field declares them.',
    remedy: 'Register the class with new Session({ slices: [X] }), or declare the property with @Field.',
  },
  E806: {
    title: 'JSON that is no session',
    meaning:
      'Session.fromJSON was given something that toJSON does not write: another version, a name that no class is registered for, or a value that does not fit its class. Nothing was made.',
    remedy: 'Pass what JSON.parse gave, and the slices that the session was written with.',
  },
  E807: {
    title: 'Event without a class',
    meaning:
      'Reducers are found by the class of an event, and an event without reducers goes to the slice of its class.',
    remedy: 'Dispatch an instance: session.dispatch(new AddStep(…)).',
  },
  E901: {
    title: 'Resource is not bound',
    meaning: 'No binding names the class that was asked for.',
    remedy: 'Add bind(Class, …) to the resources of the application.',
  },
  E902: {
    title: 'Resources form a circle',
    meaning: 'Each of the named resources needs the next one before it can be provided.',
    remedy: 'Break the circle.',
  },
  E903: {
    title: 'Resource bound twice',
    meaning: 'One list holds two bindings for one class.',
    remedy: 'Remove one of them.',
  },
  E904: {
    title: 'Resource provider failed',
    meaning:
      'The function that provides the resource threw, takes time and was not waited for, or wants to hold what lives shorter than itself.',
    remedy: 'Correct the provider; the cause is attached.',
  },
  E905: {
    title: 'Filesystem refused',
    meaning:
      'A file operation cannot be done: kind says whether the path, what stands there, or the pattern is at fault. Nothing was changed.',
    remedy: 'Do what the message says; check the path with exists or list first.',
  },
  E906: {
    title: 'Host filesystem cannot be opened',
    meaning:
      'HostFilesystem.open needs Linux with /proc, a folder that is there, and, for snapshots, git and a place for them outside of that folder.',
    remedy: 'Do what the message says.',
  },
  E907: {
    title: 'Host filesystem failed',
    meaning:
      'The folder could not be worked in for a reason that lies in the host: the disk is full, git failed, a file may not be read for a snapshot. Or the filesystem was closed, or opened without the snapshots that were asked for.',
    remedy: 'Remove what the message names as the reason, and try again.',
  },
  E908: {
    title: 'Resources failed to close',
    meaning: 'Everything was closed, and some of it threw while it was; errors holds what.',
    remedy: 'Correct how the named resources close, or give bind a close of your own.',
  },
  E909: {
    title: 'Resource was closed',
    meaning: 'The application or prompt that held it has been closed, and gives nothing any more.',
    remedy: 'Close it when nobody needs it any more.',
  },
  E910: {
    title: 'Write that cannot wait',
    meaning:
      'One call at a time writes to a resource that is changed in place, and only once it has a snapshot of it. A write waits for both, but for setting a property, for methods of resources whose snapshots are there at once, and for calls that hold another such resource and might wait for ever.',
    remedy: 'Call a method instead of setting a property; when another call is writing, call the tool again.',
  },
  E911: {
    title: 'Resource not put back',
    meaning:
      'A call failed, and what it had changed in place could not be restored, or one of its operations did not come to an end. The resource may hold part of its changes.',
    remedy: 'Look at the resource before you go on; let operations listen to context.signal.',
  },
  E912: {
    title: 'Binding that cannot be',
    meaning:
      'What was bound is no class, its options contradict each other, or something stands in a list of bindings that bind did not give.',
    remedy:
      'Write bind(Class, { value }) or bind(Class, { provide, scope, eager, close }); a prototype takes provide and scope only.',
  },
  E951: {
    title: 'Class that Nest does not provide',
    meaning: 'A section or tool class of a prompt is a provider of no module, or Nest could not build it.',
    remedy:
      'List the class in the providers of the module that has what it needs, or in ToolwrightModule.forFeature([…]).',
  },
  E952: {
    title: 'Class that several modules provide',
    meaning: 'A section or tool class is a provider of two modules, and each has an instance and guards of its own.',
    remedy: 'Provide it in one module, and export it from there.',
  },
  E953: {
    title: 'No request for a request-scoped class',
    meaning:
      'A class that Nest builds for each request, or a guard, pipe, interceptor or filter of that kind, belongs to a call of a run that has no request, or whose request is over.',
    remedy:
      'Begin the run within toolwright.withRequest(request, …), or say in ToolwrightModule.forRoot({ requestFor }) which request it has.',
  },
  E954: {
    title: 'Toolwright used too early',
    meaning: 'The application is created when Nest initialises its modules, and was used before.',
    remedy: 'Use it from onApplicationBootstrap on; in tests, call init() on the Nest application first.',
  },
  E955: {
    title: 'Host shut down',
    meaning:
      'The Nest application was closed, the time of grace is over, and what still ran was ended and rolled back.',
    remedy: 'Give runs more time with ToolwrightModule.forRoot({ graceMs }), or continue them from a journal.',
  },
  E956: {
    title: 'No prompt among the providers',
    meaning: 'Neither forRoot nor forFeature names a prompt, and no module of the Nest application provides one.',
    remedy: 'List the class with @Prompt in the providers of a module, in forFeature([…]) or in forRoot({ prompts }).',
  },
} as const satisfies Record<string, CodeEntry>;

/** A code of the table. */
export type ErrorCode = keyof typeof codes;
