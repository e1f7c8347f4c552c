import { createCodeTable, type CodeText } from './CodeText.js';

/** Containers and applications: E401-E414: what to do. */
export const applicationRemedies = createCodeTable({
  E401: 'Register the class or value with the container, or give the parameter a class as type that it can build.',
  E402: 'Break the cycle: inject a factory, or move the shared part into a third class.',
  E403: 'List the class in createApplication({ prompts }).',
  E404: 'Ask for it in the handler: context.resources.get(X).',
  E410: 'Create another application, or close it later.',
  E411: 'app.evaluate(app.prompt(X), { adapter, session }), or app.callTool(await app.prompt(X).render({ session }), { id, name, arguments }, { session }).',
  E412: "Pass a list of { role: 'user', content }, { role: 'assistant', content, toolCalls } and { role: 'tool', toolCallId, name, content, failed }, each answer directly after its call.",
  E413: 'Correct the name, or leave the option out; the types list every option.',
  E414: 'Correct what was passed to createApplication under that name: it answers at once, with a value of its type, and does not throw.',
});

/** What the codes mean, for docs/errors.md. */
export const applicationTexts: Readonly<Record<keyof typeof applicationRemedies, CodeText>> = {
  E401: {
    title: 'Service cannot be built',
    meaning: 'The container could not provide a class that a section needs; the message shows the path to it.',
  },
  E402: {
    title: 'Constructors form a cycle',
    meaning: 'Each of the named classes needs the next one before it can be built.',
  },
  E403: {
    title: 'Prompt is not part of the application',
    meaning: 'Only prompts listed at creation were validated and can be used.',
  },
  E404: {
    title: 'Constructor that requests an object of one call',
    meaning:
      'Sections and class tools are built once, when the application is created. A resource of a call, or its context, would be held by all calls of all sessions, and would not be rolled back with any.',
  },
  E410: {
    title: 'Application is closed',
    meaning: 'app.close() was called: runs and calls that had begun are completed, and no others begin.',
  },
  E411: {
    title: 'Run or call of the wrong thing',
    meaning:
      'A run needs a prompt or its rendering, and an adapter that calls a model; a call needs a rendering, and the call that a model made. Code without types can pass anything.',
  },
  E412: {
    title: 'Messages of the wrong form',
    meaning:
      'A run was given messages that a provider would refuse or misread: no role or text, a call without an answer or an answer without its call, wrong parts, a system message, or fields that only Toolwright writes. Nothing was sent.',
  },
  E413: {
    title: 'Unknown option, or value that it cannot have',
    meaning:
      'An option has a name that is not known, or an option or argument has a value that it cannot have. Left alone, it would have no effect, or another one.',
  },
  E414: {
    title: 'A port of the application failed',
    meaning:
      'clock, ids, random, tokenEstimator, redact or the event bus threw or answered with something else than its type says. The default took its place, what could not be redacted was hidden, and the call went on; only without an estimate, sections stay closed (E512). The log has one entry for each such fault.',
  },
};
