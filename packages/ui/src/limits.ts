/** Bytes of the body of a request, by default: room for a message with a few pictures. */
export const DEFAULT_BODY_BYTES = 10_000_000;
/** Characters of the texts of one message, by default. */
export const DEFAULT_TEXT_CHARS = 200_000;
/** Files of one message, by default. */
export const DEFAULT_FILES = 10;
/** Bytes of one file of a message, by default. */
export const DEFAULT_FILE_BYTES = 5_000_000;
/** Characters of an id that a client chooses: it becomes a part of a key in the store. */
export const MAX_ID_CHARS = 200;
/** Characters of the title of a chat. */
export const MAX_TITLE_CHARS = 200;
/** Characters of a title that is made of the first message. */
export const FIRST_TITLE_CHARS = 80;
/** Parts of one message of a client. */
export const MAX_MESSAGE_PARTS = 100;
/** Chats or questions in one list. */
export const MAX_PAGE = 100;
/** Milliseconds between the comments that keep an idle connection open; proxies close one after a minute or less. */
export const KEEP_ALIVE_MS = 15_000;
/** Milliseconds for which a run that has ended is still sent to a client that resumes: its page may have loaded before the end. */
export const RESUME_AFTER_END_MS = 60_000;
