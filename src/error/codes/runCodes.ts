import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for runs, policies, streams and adapters: E701-E755. */
export const runRemedies = createCodeTable({
  E701: 'See the message and its cause.',
  E702: 'See the message. If the answer was cut short, raise the output limit.',
  E703: 'Add a turn to the script, or find out why the loop continued.',
  E704: 'Raise the limit, or give the run less to do. The transcript shows how it was spent.',
  E705: "Try again later. For rate limits, raise the account's limit or make fewer concurrent requests.",
  E706: 'Correct the number, or leave the limit out.',
  E707: 'Record the run again if the change is intended. Otherwise find out what changed.',
  E708: 'Return the promise of next(), or throw a ToolRefusal with the reason.',
  E709: 'See the place in the message. If there was another writer, open the conversation again. Restore a damaged log from its backup.',
  E710: 'Pass the text of a transcript file, unchanged.',
  E711: 'In a run with a conversation, answer its question with conversation.reply, and continue with app.evaluate. Otherwise keep the pending call of the error as JSON, and pass it to app.continueCall with the answer.',
  E712: 'Pass app.continueCall the unchanged record, a rendering of the same prompt, and the same principal and conversation in runMetadata. If the tool has changed, let the model call it anew. Answer a call of a run with a conversation with conversation.reply, and continue with app.evaluate.',
  E713: 'Correct the option that the message names.',
  E715: 'Call app.stream again for another run, or forward the events from one loop.',
  E721: "Pass a model of the provider package, such as openai('gpt-5-mini'), in the version for ai 6 or ai 7.",
  E722: 'Pass the application, and the awaited rendering: await app.prompt(X).render({ session }).',
  E723: 'Leave the setting out, or use a model of a provider that supports it.',
  E724: 'Pass the bytes instead of the address, convert them to a supported type, or use another model.',
  E726: "Pass an empty session with the same slices, or the session that the conversation had before. Pass { session: 'apart' } if you keep its state yourself, or { sharesSession: true } to each of several conversations over one session.",
  E727: 'Use an id from the runs of the conversation.',
  E728: 'Wait for the current run, or abort its signal. For an answer in parallel, fork the conversation.',
  E729: 'Pass the next message of the user. To have the last one answered again, fork the conversation before its run.',
  E730: 'Continue with that prompt, or begin a new conversation.',
  E731: 'Answer conversation.questions with conversation.reply, or pass a message, which abandons the run.',
  E732: 'Begin another run with a new id, without the messages that the conversation already has.',
  E733: 'See the place in the message. Sent text must stay unchanged; append new text.',
  E734: 'Raise history.maxTokens, set history.spillAbove, limit the results of tools (resultLimit), shorten the summary, or offer fewer tools.',
  E735: "Reply with one of the kinds that the message names; the question's about decides.",
  E736: 'List ResultsSection of toolwright/sections in the sections of the prompt, open and enabled, or leave out spillAbove.',
  E737: 'Name an existing tool, methods that write, and a write that takes place.',
  E738: 'Use the id that runs.start was given or returned. Pruned runs are gone.',
  E739: 'Give each request its own id. An id that is used again must name the same conversation.',
  E740: 'Read the reason in the message. runs.retry runs it again in a copy of its conversation.',
  E741: 'Do nothing: the run stays open, and a worker continues it.',
  E742: 'Find out what ends the process, or why the store accepts no writes, e.g. a full disk. Correct it, and use runs.retry.',
  E743: 'See the message: each method names the states that it accepts.',
  E744: "Deploy the prompt that the run began with, or pass { onVersion: 'continue' }: the run keeps the text that it began with.",
  E745: 'Use Node 22.13 or newer, which has node:sqlite, or run npm install libsql.',
  E746: 'Cancel the run or wait for its end, and delete the conversation afterwards.',
  E747: 'Pass createApplication({ keys: [...] }) with the same secrets of at least 32 characters in every process, the newest first.',
  E748: 'Run it again with runs.retry.',
  E749: 'Return a text that is not empty, or a promise of one. The conversation is unchanged: run it again.',
  E750: 'Pass an unchanged bundle of recordBundle, and read it with a version of Toolwright that supports its format.',
  E751: 'Record less of the application, or raise the limit that the message names.',
  E752: 'Name a run of the bundle that has ended and was recorded from its beginning.',
  E753: 'See the message. Open the address that the inspector printed, and use allowCalls if it should make calls.',
  E754: 'Rename the file or folder so that its name contains none of # ? %, or use the runner node.',
  E755: 'Read the changes of the session and open the conversation again. The run continues from its record, with the new state.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const runTexts: Readonly<Record<keyof typeof runRemedies, CodeText>> = {
  E701: {
    title: 'Evaluation stopped',
    meaning: 'The run could not continue. phase says where it stopped.',
  },
  E702: {
    title: "Model's answer cannot be used",
    meaning:
      "The provider's answer is neither text nor a tool call, or was cut short, or the adapter did not return a response.",
  },
  E703: {
    title: 'Script has ended',
    meaning: 'A ScriptedModel was asked for more turns than its script has.',
  },
  E704: {
    title: 'Budget exceeded',
    meaning: 'The run has used more tokens, calls or time than its budget allows. dimension says which.',
  },
  E705: {
    title: 'Provider is not available',
    meaning:
      'The provider limits requests, is overloaded or cannot be reached, and waiting as long as allowed did not help.',
  },
  E706: {
    title: 'Invalid limit',
    meaning: 'A budget holds at least one limit. Each limit is a whole number above zero.',
  },
  E707: {
    title: 'Run differs from its record',
    meaning: 'A recorded run was replayed with a different result. The message names the first message that differs.',
  },
  E708: {
    title: 'Interceptor ended a run or call',
    meaning: 'An interceptor must call next() exactly once and wait for it. To deny, it throws.',
  },
  E709: {
    title: 'Log of a conversation is unusable',
    meaning:
      'Another writer has opened the log since, the log is damaged before its end, lacks entries in its middle, has a newer version, belongs to another conversation or has another encryption, or it could not be read or written. An id that is not a text of at least one character is refused in the same way, before anything is read.',
  },
  E710: {
    title: 'Invalid transcript',
    meaning: 'The text is not in the format of writeTranscript: a header, then one message per line.',
  },
  E711: {
    title: 'Call waits for an approval',
    meaning:
      'The approver will answer later. The call has not begun. The results of earlier calls in its turn remain valid.',
  },
  E712: {
    title: 'Pending call does not match',
    meaning:
      'The record is not one that ApprovalPendingError held; it belongs to another prompt, principal or conversation, or to the log of a conversation; or the record or its tool was changed. Nothing was run.',
  },
  E713: {
    title: 'Invalid policy',
    meaning: 'The options of a policy are empty, or no call can meet them.',
  },
  E715: {
    title: 'Stream has two readers',
    meaning: 'A stream is one run, which takes place once and has one reader.',
  },
  E721: {
    title: 'Not a language model of the AI SDK',
    meaning:
      'AiSdkAdapter takes the model object of a provider package, with specification v3 (ai 6) or v4 (ai 7). The name of a model, or a model of an older version, is not accepted.',
  },
  E722: {
    title: 'Tools without a rendering',
    meaning: 'Tools for your own loop are created from an application and the result of prompt.render().',
  },
  E723: {
    title: 'Provider does not support a setting',
    meaning:
      "The model's provider has no field for a setting of the request, or refuses the setting. Nothing was sent: without the setting, the answer would differ from the requested one.",
  },
  E724: {
    title: 'Model does not accept the content',
    meaning:
      "A message holds an image, a file or audio of a media type, or an address, that the model's provider does not accept here. Nothing was sent or recorded. The conversation can continue with another message.",
  },
  E726: {
    title: 'Session of another conversation',
    meaning: 'A session belongs to one conversation, whose log holds its state.',
  },
  E727: {
    title: 'Run is not in the conversation',
    meaning: 'The conversation has no run of this id.',
  },
  E728: {
    title: 'Conversation is busy',
    meaning: 'A conversation has one run at a time.',
  },
  E729: {
    title: 'Nothing to answer',
    meaning: 'The last message of the conversation is an answer of the model, and no new message was passed.',
  },
  E730: {
    title: 'Conversation of another prompt',
    meaning: 'A conversation keeps the prompt that it began with.',
  },
  E731: {
    title: 'Run waits for a reply',
    meaning: 'A call of the run waits for an answer from outside: it needs an approval, or its outcome is unknown.',
  },
  E732: {
    title: 'Run has ended',
    meaning: 'The run of this id has ended without an answer. An id never begins a second run.',
  },
  E733: {
    title: 'Prefix of a conversation was changed',
    meaning:
      'A request must begin with the whole request before it. Otherwise the provider loses its cache, and the newest models refuse the request.',
  },
  E734: {
    title: 'Last turn is larger than the window',
    meaning:
      'history.maxTokens cannot be met: the estimate for system text, tools, the summary and the last turn already exceeds it.',
  },
  E735: {
    title: 'Reply does not match its question',
    meaning:
      'A question about an approval takes approved or denied; a question about an unknown outcome takes denied, repeat or outcome. A reply has only the fields of its kind, and its texts have at most 100,000 characters together.',
  },
  E736: {
    title: 'Long results cannot be read',
    meaning:
      'history.spillAbove leaves only the beginning of a long result in the conversation, but the rendered prompt does not offer the tool read_result to read the rest.',
  },
  E737: {
    title: 'Nothing was made to fail',
    meaning: 'failAfter or failAtWrite could not break its target, so the test would prove nothing.',
  },
  E738: {
    title: 'Unknown run',
    meaning: 'The store has no run of this id.',
  },
  E739: {
    title: 'Id of another run',
    meaning: 'A run of this id exists and belongs to another conversation.',
  },
  E740: {
    title: 'Run ended without an answer',
    meaning: 'The run failed, was cancelled, or was not answered in time, perhaps in another process.',
  },
  E741: {
    title: 'Run was released',
    meaning: 'The worker is draining, or the run was paused. The run stopped before its next request or call.',
  },
  E742: {
    title: 'Run was given up',
    meaning:
      'Its workers ended, or could not write its log, several times without any progress of the run. Another worker would fail, too.',
  },
  E743: {
    title: 'Run is in another state',
    meaning:
      'The request is not possible in this state of the run, at that entry of its log, or in an existing conversation.',
  },
  E744: {
    title: 'Prompt of another version',
    meaning: 'The texts or tools of the prompt have changed since the run began, and onVersion is fail.',
  },
  E745: {
    title: 'No SQLite',
    meaning: 'SqliteRuns needs node:sqlite (Node 22.13 or newer) or the package libsql.',
  },
  E746: {
    title: 'Conversation has an open run',
    meaning: 'A conversation cannot be deleted while one of its durable runs is queued, running, waiting or paused.',
  },
  E747: {
    title: 'Several processes without keys',
    meaning:
      'Other processes work on the runs, through an engine or because of work: false, and the application has no keys. No process could detect a forged question.',
  },
  E748: {
    title: 'Run closed by an upgrade',
    meaning:
      'The run was waiting for a reply when its store was upgraded to version 3, which gives questions their own ids.',
  },
  E749: {
    title: 'Summary is not a text',
    meaning:
      'history.summarise returned an empty text or a value other than a text. The model would have continued without its history. Nothing was recorded.',
  },
  E750: {
    title: 'Invalid bundle',
    meaning:
      'The text is not in the format of recordBundle: a header, then one entry per line. The message names the first invalid line.',
  },
  E751: {
    title: 'Bundle is too large',
    meaning: 'A bundle, one of its lines, or a value in a line exceeds a reading limit. Nothing was read from it.',
  },
  E752: {
    title: 'Run cannot be replayed',
    meaning:
      'The bundle does not hold the run, or not all of it: the run has not ended, or the recording began later or was full.',
  },
  E753: {
    title: 'Inspector refuses',
    meaning:
      'The page of the inspector, or another program, asked for something that does not exist or is forbidden: a call without allowCalls, a request without the token, or a request of another origin.',
  },
  E754: {
    title: 'Test cannot be written',
    meaning: 'The test of a bundle would import a module whose path its runner reads as an address with a query.',
  },
  E755: {
    title: 'Shared session has another version',
    meaning:
      'Another conversation has changed the shared session since this one read it, or the session was deleted. Neither the entries of the append nor its changes were written.',
  },
};
