// Chats of people: handlers for the clients of the AI SDK and of AG-UI, approvals over HTTP.
export { chatHandler, type ChatHandlerOptions } from './aiSdk/chatHandler.js';
export type { ChatLimits, ChatMessage, ChatOptions, ChatSubmission, ChatUser } from './chats/ChatOptions.js';
export type { ApprovalDescription } from './chats/ApprovalDescription.js';
export type { ChatSource } from './chats/ChatService.js';
export { getNodeRequest, toNodeHandler, type NodeRequest, type NodeResponse } from './node/toNodeHandler.js';
