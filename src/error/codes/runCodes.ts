import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies of runs, policies, streams and adapters: E701-E755. */
export const runRemedies = createCodeTable({
  E701: 'See the message and its cause.',
  E702: 'See the message; raise the output limit when it was cut short.',
  E703: 'Add a turn to the script, or find out why the loop continued.',
  E704: 'Raise the limit, or give the run less to do. The transcript shows what it was spent on.',
  E705: "Try again later; for rate limits, raise the account's limit or make fewer requests at a time.",
  E706: 'Correct the number, or leave the limit out.',
  E707: 'Record the run again if the change is intended; otherwise find out what changed.',
  E708: 'Return the promise of next(), or throw a ToolRefusal with the reason.',
  E709: 'See the place in the message. After another writer, open the conversation again; a damaged log needs its backup.',
  E710: 'Give it the text of a transcript file, unchanged.',
  E711: 'In a run with a conversation, answer its question with conversation.reply, and go on with app.evaluate. Otherwise keep the pending call of the error as JSON and give it to app.continueCall with the answer.',
  E712: 'Give app.continueCall the record as it was written, a rendering of the same prompt, and the same principal and conversation in runMetadata; if the tool has changed, let the model call it anew. A call of a run with a conversation is answered by conversation.reply, and goes on with app.evaluate.',
  E713: 'Correct the option that the message names.',
  E715: 'Call app.stream again for another run, or pass the events on from one loop.',
  E721: "Pass a model of the provider package, such as openai('gpt-5-mini'), in the version for ai 6 or ai 7.",
  E722: 'Pass the application, and the awaited rendering: await app.prompt(X).render({ session }).',
  E723: 'Leave the setting out, or take a model whose provider has it.',
  E724: 'Pass the bytes in place of the address, convert them to a type that the message does not name, or take another model.',
  E726: "Pass an empty session with the same slices, or the one that the conversation had before; { session: 'apart' } if you keep its state yourself, or { sharesSession: true } on each of several conversations over one session.",
  E727: 'Take an id from its runs.',
  E728: 'Wait for the run that is going on, or abort its signal; for an answer beside it, fork the conversation.',
  E729: 'Pass the next message of the user; to have the last one answered again, fork the conversation before its run.',
  E730: 'Go on with that prompt, or begin a new conversation.',
  E731: 'Answer conversation.questions with conversation.reply, or pass a message: the run is then abandoned.',
  E732: 'Begin another run with an id of its own, without the messages that the conversation has already.',
  E733: 'See the place in the message: what was sent once has to stay as it is, and what changes is appended.',
  E734: 'Raise history.maxTokens, set history.spillAbove, limit what tools return (resultLimit), shorten the summary, or offer fewer tools.',
  E735: "Reply with one of the kinds that the message names, by the question's about.",
  E736: 'List ResultsSection of toolwright/sections in the sections of the prompt, open and enabled, or leave out spillAbove.',
  E737: 'Name a tool that there is, or methods that write, and a write that comes.',
  E738: 'Take the id that runs.start was given or returned; runs that were pruned are gone.',
  E739: 'Give each request an id of its own: an id that is used again must come with the same conversation.',
  E740: 'Read the reason in the message; runs.retry runs it again in a copy of its conversation.',
  E741: 'Nothing is to be done: the run stays open, and a worker goes on with it.',
  E742: 'Find out what ends the process, or why the store takes nothing, e.g. a full disk; mend it, and use runs.retry.',
  E743: 'See the message: each method names the states in which a run must be.',
  E744: "Deploy the prompt that the run began with, or take { onVersion: 'continue' }: it keeps the text that it began with.",
  E745: 'Use Node 22.13 or newer, which has node:sqlite, or run npm install libsql.',
  E746: 'Cancel the run, or wait for its end, and delete the conversation then.',
  E747: 'Pass createApplication({ keys: [...] }) with the same secrets of at least 32 characters in every process, the newest first.',
  E748: 'Run it again with runs.retry.',
  E749: 'Return the summary as a text with words in it, or a promise of one. The conversation is as it was: run it again.',
  E750: 'Give it a bundle that recordBundle wrote, unchanged, and read it with a copy of Toolwright that supports its version.',
  E751: 'Record less of the application, or raise the limit that the message names.',
  E752: 'Name a run of the bundle that has ended and whose beginning was recorded.',
  E753: 'See the message; open the address that the inspector printed, and allow calls if it should make some.',
  E754: 'Rename the file or folder so that it has none of # ? %, or take the runner node.',
  E755: 'Read the changes of the session and open the conversation again: the run goes on from its record, with the new state.',
});

/** What the codes mean, for docs/errors.md. */
export const runTexts: Readonly<Record<keyof typeof runRemedies, CodeText>> = {
  E701: {
    title: 'Evaluation stopped',
    meaning: 'The run could not continue; phase says where it stopped.',
  },
  E702: {
    title: "Model's answer cannot be used",
    meaning:
      'The answer of the provider is neither text nor a tool call, or was cut short, or the adapter returned something else than a response.',
  },
  E703: {
    title: 'Script is at its end',
    meaning: 'A ScriptedModel was asked for more turns than it was given.',
  },
  E704: {
    title: 'Budget exceeded',
    meaning: 'The run has spent more tokens, calls or time than its budget allows; dimension says which.',
  },
  E705: {
    title: 'Provider does not answer now',
    meaning:
      'The provider limits requests, is overloaded or cannot be reached, and waiting as long as allowed did not help.',
  },
  E706: {
    title: 'Limit declared wrongly',
    meaning: 'A budget holds at least one limit, and each is a whole number greater than zero.',
  },
  E707: {
    title: 'Run differs from its record',
    meaning: 'A recorded run was replayed with a different result; the first message that differs is named.',
  },
  E708: {
    title: 'Interceptor ended a run or call',
    meaning: 'An interceptor calls next() exactly once and waits for it. To deny, it throws.',
  },
  E709: {
    title: 'Log of a conversation does not fit',
    meaning:
      'The log was opened by another writer since, is damaged before its end, lacks entries in its middle, is of a newer version, of another conversation or encrypted otherwise, or could not be read or written. An id that is not a text of at least one character is refused in the same way, before anything is read.',
  },
  E710: {
    title: 'Invalid transcript',
    meaning: 'The text is not in the format of writeTranscript: a head, then one message a line.',
  },
  E711: {
    title: 'Call waits for an approval',
    meaning:
      'The approver will answer later. The call has not begun; the results of earlier calls of its turn remain valid.',
  },
  E712: {
    title: 'Pending call that does not fit',
    meaning:
      'The record is not what ApprovalPendingError held, belongs to another prompt, principal or conversation, or to the log of a conversation, or it or its tool was changed. Nothing was run.',
  },
  E713: {
    title: 'Policy declared wrongly',
    meaning: 'The options of a policy are empty, or demand something that no call can meet.',
  },
  E715: {
    title: 'Stream with two readers',
    meaning: 'A stream is one run, which takes place once and has one reader.',
  },
  E721: {
    title: 'No language model of the AI SDK',
    meaning:
      'AiSdkAdapter takes the model object of a provider package, with specification v3 (ai 6) or v4 (ai 7). The name of a model, or a model of an older version, is not accepted.',
  },
  E722: {
    title: 'Tools without a rendering',
    meaning: 'Tools for a loop of your own are created from an application and the result of prompt.render().',
  },
  E723: {
    title: 'Setting that the provider cannot take',
    meaning:
      "A setting of the request has no field at the model's provider, or the provider refuses it. Nothing was sent: without it, the answer would be another one than was asked for.",
  },
  E724: {
    title: 'Content that the model does not take',
    meaning:
      "A message holds an image, a file or audio of a media type, or an address, that the model's provider does not take at this place. Nothing was sent or recorded: the conversation can go on, with another message.",
  },
  E726: {
    title: 'Session of another conversation',
    meaning: 'A session belongs to one conversation, whose log holds its state.',
  },
  E727: {
    title: 'No such run',
    meaning: 'The conversation has no run of this id.',
  },
  E728: {
    title: 'Conversation is busy',
    meaning: 'A conversation has one run at a time.',
  },
  E729: {
    title: 'Nothing to answer',
    meaning: 'The last message of the conversation is an answer of the model, and no other message was given.',
  },
  E730: {
    title: 'Conversation of another prompt',
    meaning: 'A conversation keeps the prompt that it began with.',
  },
  E731: {
    title: 'Run waits for a reply',
    meaning:
      'A call of the run waits for an answer from outside: it needs an approval, or what became of it is not known.',
  },
  E732: {
    title: 'Run has ended',
    meaning: 'The run of this id has ended without an answer, and an id never begins a second run.',
  },
  E733: {
    title: 'Prefix of a conversation was changed',
    meaning:
      'A request does not begin with the request before it: the provider loses its cache, and newest models refuse it.',
  },
  E734: {
    title: 'Last turn larger than the window',
    meaning:
      'history.maxTokens cannot be met: system text, tools, the summary and the last turn alone are estimated to take more.',
  },
  E735: {
    title: 'Reply that does not fit its question',
    meaning:
      'A question about an approval takes approved or denied; one about an unknown outcome takes denied, repeat or outcome. A reply has no other fields than its kind takes, and its texts have at most 100,000 characters together.',
  },
  E736: {
    title: 'Long results that could not be read',
    meaning:
      'history.spillAbove leaves the beginning of a long result in the conversation, and the rendered prompt offers no tool read_result that reads on.',
  },
  E737: {
    title: 'Nothing made to fail',
    meaning: 'failAfter or failAtWrite could not break what it was asked to, so the test would prove nothing.',
  },
  E738: {
    title: 'Unknown run',
    meaning: 'The store has no run of this id.',
  },
  E739: {
    title: 'Id of another run',
    meaning: 'A run of this id exists, and belongs to another conversation.',
  },
  E740: {
    title: 'Run ended without an answer',
    meaning: 'The run failed, was cancelled, or was not answered in time, perhaps in another process.',
  },
  E741: {
    title: 'Run was released',
    meaning: 'Its worker drains, or the run was paused: it stopped before its next request or call.',
  },
  E742: {
    title: 'Run was given up',
    meaning:
      'Its workers ended, or could not write its log, several times without any progress of the run: the next one would fare the same.',
  },
  E743: {
    title: 'Run is not in that state',
    meaning:
      'The request is not possible in this state of the run, at that entry of its log, or in a conversation that exists.',
  },
  E744: {
    title: 'Prompt of another version',
    meaning: 'The texts or tools of the prompt have changed since the run began, and onVersion is fail.',
  },
  E745: {
    title: 'No SQLite',
    meaning: 'SqliteRuns needs node:sqlite, which Node has since 22.13, or the package libsql.',
  },
  E746: {
    title: 'Conversation with an open run',
    meaning: 'A conversation cannot be deleted while one of its durable runs is queued, running, waiting or paused.',
  },
  E747: {
    title: 'Several processes without keys',
    meaning:
      'Other processes work on the runs, by an engine or because of work: false, and the application has no keys: no process could see whether a question was forged on its way.',
  },
  E748: {
    title: 'Run closed by an upgrade',
    meaning:
      'The run waited for a reply when its store was upgraded to version 3, whose questions have ids of their own.',
  },
  E749: {
    title: 'Summary is not a text',
    meaning:
      'history.summarise returned something other than a text, or an empty one, and the model would have gone on without its history. Nothing was recorded.',
  },
  E750: {
    title: 'Invalid bundle',
    meaning:
      'The text is not in the format of recordBundle: a head, then one entry a line. The first line that does not fit is named.',
  },
  E751: {
    title: 'Bundle is too large',
    meaning: 'A bundle, one of its lines, or what a line holds is larger than what is read. Nothing was taken of it.',
  },
  E752: {
    title: 'Run cannot be replayed',
    meaning:
      'The bundle holds no such run, or not all of it: it has not ended, or the recording began later or was full.',
  },
  E753: {
    title: 'Inspector refuses',
    meaning:
      'The page of the inspector, or another program, asked for something that there is not, or that it may not do: a call without allowCalls, a request without the token, or one of another origin.',
  },
  E754: {
    title: 'Test that cannot be written',
    meaning: 'The test of a bundle would import a module whose path its runner reads as an address with a query.',
  },
  E755: {
    title: 'Shared session has another version',
    meaning:
      'Another conversation has changed the shared session since this one read it, or the session was deleted. Neither the entries of the append nor its changes were written.',
  },
};
