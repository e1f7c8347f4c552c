import { createCodeTable, type CodeText } from './CodeText.js';

/** The Nest integration: E951-E957: what to do. */
export const nestRemedies = createCodeTable({
  E951: 'List the class in the providers of the module that has what it needs, or in ToolwrightModule.forFeature([…]).',
  E952: 'Provide it in one module, and export it from there.',
  E953: 'Begin the run within toolwright.withRequest(request, …), or say in ToolwrightModule.forRoot({ requestFor }) which request it has.',
  E954: 'Use it from onApplicationBootstrap on; in tests, call init() on the Nest application first.',
  E955: 'Give runs more time with ToolwrightModule.forRoot({ graceMs }), or keep them in conversations, which go on in another process.',
  E956: 'List the class with @Prompt in the providers of a module, in forFeature([…]) or in forRoot({ prompts }).',
  E957: "Check host.getType() first: it is 'toolwright' for a tool call. A filter maps the error as always, and ends with if (host.getType() !== 'http') throw mapped, before it writes to a response; an interceptor returns next.handle().",
});

/** What the codes mean, for docs/errors.md. */
export const nestTexts: Readonly<Record<keyof typeof nestRemedies, CodeText>> = {
  E951: {
    title: 'Class that Nest does not provide',
    meaning: 'A section or tool class of a prompt is a provider of no module, or Nest could not build it.',
  },
  E952: {
    title: 'Class that several modules provide',
    meaning: 'A section or tool class is a provider of two modules, and each has an instance and guards of its own.',
  },
  E953: {
    title: 'No request for a request-scoped class',
    meaning:
      'A class that Nest builds for each request, or a guard, pipe, interceptor or filter of that kind, belongs to a call of a run that has no request, or whose request is over.',
  },
  E954: {
    title: 'Toolwright used too early',
    meaning: 'The application is created when Nest initialises its modules, and was used before.',
  },
  E955: {
    title: 'Host shut down',
    meaning:
      'The Nest application was closed, the time of grace is over, and what still ran was ended and rolled back.',
  },
  E956: {
    title: 'No prompt among the providers',
    meaning: 'Neither forRoot nor forFeature names a prompt, and no module of the Nest application provides one.',
  },
  E957: {
    title: 'Filter for HTTP around a tool call',
    meaning:
      'A filter, interceptor or guard wrote to the HTTP response of a tool call, which has none, or failed because something of HTTP is missing. Where it was given an error, that error is kept: the model and the log get it.',
  },
};
